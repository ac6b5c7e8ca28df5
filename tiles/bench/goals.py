#!/usr/bin/env python3
"""Holds what run_all.sh printed against the project's goals: a line each, and PASS or MISS.

usage: goals.py RESULTS.txt

A goal has a "must" and an "aim". Those of single products stand in the output of tiles_gemm_bench; those of means (the
six odd fp32 shapes, on FMA units and with tensor cores), of small kernels and of streamed products stand here. Exit
status 0 whether or not goals were missed, 1 when the file has none.
"""

import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path

PRODUCT = re.compile(r"^(\w+)\s+(\d+)x(\d+)x(\d+)\s+\S+.*ratio ([\d.]+)(?:\s+must ([\d.]+) aim ([\d.]+))?")
SMALL = re.compile(r"^(\S.*?)\s+[\d.]+ GB/s\s+device copy.*ratio ([\d.]+)")
STREAMED = re.compile(r"^streamed .*\(ratio ([\d.]+)\), cuBLASXt [\d.]+ \(ratio ([\d.]+)\)")
OF_A_MEAN = {"f32": "f32 on FMA units", "f32tensor": "f32 with tensor cores"}  # products without goals of their own
MEAN = (1.2, 2.0)
SMALL_GOALS = [(re.compile(r"transpose (4096|16384)(?: x \1)?"), 0.93, 0.98)]
STREAMED_GOALS = (0.85, 0.95), (1.35, 1.5)


@dataclass
class Bar:
    name: str
    ratio: float
    must: float | None = None
    aim: float | None = None

    def verdict(self) -> str:
        if self.must is None:
            return "-"
        return "MISS" if self.ratio < self.must else "PASS, aim met" if self.ratio >= self.aim else "PASS"


def shape_name(m: str, n: str, k: str) -> str:
    return f"{m}³" if m == n == k else f"{m} × {n} × {k}"


def read_bars(text: str) -> list[Bar]:
    """Every ratio in the order of the output, a mean behind the products that it is of."""
    bars: list[Bar] = []
    means: dict[str, list[float]] = {}
    for line in text.splitlines():
        if found := PRODUCT.match(line):
            compute, m, n, k, ratio = found.groups()[:5]
            name = f"{compute} {shape_name(m, n, k)}"
            if found[6]:
                bars.append(Bar(name, float(ratio), float(found[6]), float(found[7])))
            elif compute in OF_A_MEAN:
                bars.append(Bar(name, float(ratio)))
                means.setdefault(compute, []).append(float(ratio))
        elif found := SMALL.match(line):
            goal = next((numbers for name, *numbers in SMALL_GOALS if name.fullmatch(found[1])), ())
            bars.append(Bar(f"{found[1]} (device copy)", float(found[2]), *goal))
        elif found := STREAMED.match(line):
            bars.append(Bar("streamed f32 16384³ (in-core)", float(found[1]), *STREAMED_GOALS[0]))
            bars.append(Bar("streamed f32 16384³ (cuBLASXt)", float(found[2]), *STREAMED_GOALS[1]))
    for compute, ratios in means.items():
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        last = max(i for i, bar in enumerate(bars) if bar.must is None and bar.name.startswith(compute + " "))
        bars.insert(last + 1, Bar(f"{OF_A_MEAN[compute]}, mean of {len(ratios)}", mean, *MEAN))
    return bars


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    bars = [bar for bar in read_bars(Path(sys.argv[1]).read_text(encoding="utf-8")) if bar.must is not None]
    if not bars:
        print(f"{sys.argv[1]} has no goals: is it the output of run_all.sh?", file=sys.stderr)
        return 1
    print(f"{'goal':36} {'ratio':>6} {'must':>6} {'aim':>6}  verdict")
    for bar in bars:
        print(f"{bar.name:36} {bar.ratio:6.3f} {bar.must:6.2f} {bar.aim:6.2f}  {bar.verdict()}")
    print(f"{sum(bar.ratio >= bar.must for bar in bars)} of {len(bars)} goals met")
    return 0


if __name__ == "__main__":
    sys.exit(main())
