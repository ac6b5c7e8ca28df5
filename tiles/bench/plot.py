#!/usr/bin/env python3
"""Draws what run_all.sh printed: one bar per goal, its ratio to cuBLAS, its "must" as a line.

usage: plot.py RESULTS.txt PLOT.svg

goals.py reads the file and says which goals there are.
"""

import sys
from pathlib import Path

from goals import Bar, read_bars

WIDTH, LABELS, ROW, TOP = 860, 270, 22, 64
MET, MISSED, NO_GOAL, LINE, TEXT = "#2b7a78", "#c0504d", "#9aa5b1", "#222222", "#333333"


def draw(bars: list[Bar], title: str) -> str:
    top = max(max(bar.ratio, bar.must or 0) for bar in bars)
    scale = (WIDTH - LABELS - 70) / top
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
    for i, bar in enumerate(bars):
        y, ratio, must = TOP + ROW * i, bar.ratio, bar.must
        colour = NO_GOAL if must is None else MET if ratio >= must else MISSED
        out.append(f'<text x="{LABELS - 8}" y="{y + 12}" text-anchor="end" fill="{TEXT}">{bar.name}</text>')
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
