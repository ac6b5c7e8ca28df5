#!/usr/bin/env python3
"""Draws what run_all.sh printed: one bar per goal, its ratio to cuBLAS, its "must" as a line.

usage: plot.py RESULTS.txt PLOT.svg

Goals that are means or ratios to something else come from the same lines: the geometric mean over the odd fp32 shapes,
the transposes and small kernels against a device copy, streamed products against in-core ones and cuBLASXt.
"""

import math
import re
import sys
from pathlib import Path

GOAL = re.compile(r"^(\w+)\s+(\d+)x(\d+)x(\d+)\s+\S+.*ratio ([\d.]+)\s+must ([\d.]+) aim ([\d.]+)")
SMALL = re.compile(r"^(transpose \d+|add 2\^27|reduce 2\^27|convolve2d \d x \d|stencil 512\^3)\s.*ratio ([\d.]+)")
STREAMED = re.compile(r"^streamed .*\(ratio ([\d.]+)\), cuBLASXt [\d.]+ \(ratio ([\d.]+)\)")
MUST_OF_SMALL = {"transpose 4096": 0.93, "transpose 16384": 0.93}
WIDTH, LABELS, ROW, TOP = 860, 270, 22, 64
MET, MISSED, NO_GOAL, LINE, TEXT = "#2b7a78", "#c0504d", "#9aa5b1", "#222222", "#333333"


def shape_name(m: str, n: str, k: str) -> str:
    return f"{m}³" if m == n == k else f"{m} × {n} × {k}"


def read_bars(text: str) -> list[tuple[str, float, float | None]]:
    """Name, ratio and must of every goal, in the order of the output."""
    bars, odd = [], []
    for line in text.splitlines():
        if found := GOAL.match(line):
            compute, m, n, k = found.groups()[:4]
            ratio, must = float(found[5]), float(found[6])
            if compute == "f32" and must == 1.2:  # one of the six that have a goal together
                odd.append(ratio)
                bars.append((f"f32 {shape_name(m, n, k)}", ratio, None))
            else:
                bars.append((f"{compute} {shape_name(m, n, k)}", ratio, must))
        elif found := SMALL.match(line):
            bars.append((f"{found[1]} (device copy)", float(found[2]), MUST_OF_SMALL.get(found[1])))
        elif found := STREAMED.match(line):
            bars.append(("streamed f32 16384³ (in-core)", float(found[1]), 0.85))
            bars.append(("streamed f32 16384³ (cuBLASXt)", float(found[2]), 1.35))
    if odd:
        mean = math.exp(sum(map(math.log, odd)) / len(odd))
        last = max(i for i, bar in enumerate(bars) if bar[0].startswith("f32 "))
        bars.insert(last + 1, ("f32, mean of the six above", mean, 1.2))
    return bars


def draw(bars: list[tuple[str, float, float | None]], title: str) -> str:
    most = max(max(ratio, must or 0) for _, ratio, must in bars)
    scale = (WIDTH - LABELS - 70) / most
    height = TOP + ROW * len(bars) + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="16" y="24" font-size="15" fill="{TEXT}">{title}</text>',
        f'<text x="16" y="44" fill="{TEXT}">Black line: must. Green: met. Red: missed. Grey: no must of its own.</text>',
    ]
    one = LABELS + scale
    out.append(f'<line x1="{one:.1f}" x2="{one:.1f}" y1="{TOP - 8}" y2="{height - 12}" stroke="#cccccc"/>')
    for i, (name, ratio, must) in enumerate(bars):
        y = TOP + ROW * i
        colour = NO_GOAL if must is None else MET if ratio >= must else MISSED
        out.append(f'<text x="{LABELS - 8}" y="{y + 12}" text-anchor="end" fill="{TEXT}">{name}</text>')
        out.append(f'<rect x="{LABELS}" y="{y}" width="{ratio * scale:.1f}" height="{ROW - 6}" fill="{colour}"/>')
        end = LABELS + max(ratio, must or 0) * scale
        out.append(f'<text x="{end + 6:.1f}" y="{y + 12}" fill="{TEXT}">{ratio:.2f}</text>')
        if must is not None:
            x = LABELS + must * scale
            out.append(f'<path d="M{x:.1f} {y - 2}V{y + ROW - 4}" stroke="{LINE}" stroke-width="2"/>')
    return "\n".join(out + ["</svg>", ""])


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    bars = read_bars(text)
    if not bars:
        print(f"{sys.argv[1]} has no goals: is it the output of run_all.sh?", file=sys.stderr)
        return 1
    lines = text.splitlines()
    card = lines[1].split(",")[0] if len(lines) > 1 else ""
    Path(sys.argv[2]).write_text(draw(bars, f"tiles against cuBLAS, {card}, {lines[0]}"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
