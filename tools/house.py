#!/usr/bin/env python3
"""Draw the packages of two commits side by side, and print their files and lines.

``python tools/house.py 3f192e4 HEAD docs/_static/house.svg``: boxes are packages, as wide as they have lines.
Arrows are imports, also those inside functions and for types, without those that others imply. All may import
the ground. Red arrows, with how many names they import, run against the order.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path

GROUND = "ground"
"""The single files that any package may import."""
BELOW = (("results",), ("model",), ("mechanisms",), ("engine",), ("force",), ("case",), (GROUND,))
BEFORE = (("cli",), ("page",), ("lives", "", ""), ("study", "show", "classics"), *BELOW)
AFTER = (("cli",), ("page",), ("questions", "lives"), ("show", "", "runs"), *BELOW)
WIDE, ROW, BOX, TOP = 540, 68, 40, 48
Edges = dict[tuple[str, str], int]


def measured(commit: str) -> tuple[Counter[str], Counter[str], Edges]:
    """Return files and lines of each package of a commit, and how many names each imports of each other."""
    packed = subprocess.check_output(["git", "archive", commit, "src/breakrank"])
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        every = [one for one in archive.getmembers() if one.name.endswith(".py")]
        texts = {one.name: archive.extractfile(one).read().decode() for one in every}  # type: ignore[union-attr]
    known = {name.split("/")[2] for name in texts if name.count("/") > 2} | {"model"}

    def package(parts: list[str]) -> str:
        return parts[0] if parts[0] in known else GROUND

    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    edges: Counter[tuple[str, str]] = Counter()
    for name, text in texts.items():
        me = package(name.removesuffix(".py").split("/")[2:])
        files[me] += 1
        lines[me] += len(text.splitlines())
        if name.endswith(("breakrank/__init__.py", "__main__.py")):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "breakrank":
                below = str(node.module).split(".")[1:]
                edges.update((me, package(below or [one.name])) for one in node.names)
    return files, lines, {pair: many for pair, many in edges.items() if pair[0] != pair[1]}


def panel(title: str, rows: tuple[tuple[str, ...], ...], commit: str, left: int) -> list[str]:
    """Return one side of the drawing."""
    files, lines, edges = measured(commit)
    total = sum(lines.values())
    row = {name: k for k, names in enumerate(rows) for name in names if name}
    boxes: dict[str, tuple[float, float, float]] = {}
    for k, names in enumerate(rows):
        widths = [max(92.0, lines[name] / 75) for name in names]
        x = left + (WIDE - sum(widths) - 26 * (len(names) - 1)) / 2
        for name, width in zip(names, widths, strict=True):
            boxes[name] = (x, TOP + ROW * k, width)
            x += width + 26
    out = [f"{title}, commit {commit}: {sum(files.values())} files, {total:,} lines"]
    out += [f"| {name} | {files[name]} | {lines[name]:,} |" for name in sorted(files, key=lambda n: row[n])]
    sys.stdout.write("\n".join(out) + "\n")
    against = {
        (a, b)
        for (a, b), many in edges.items()
        if row[a] > row[b] or (row[a] == row[b] and edges.get((b, a), 0) > many)
    }
    down = set(edges) - against
    drawn = [f'<text x="{left + 10}" y="26" class="title">{title}: {total:,} lines</text>']
    for a, b in sorted(down | against):
        if (a, b) in down and ((b == GROUND and a != "case") or implied(a, b, down)):
            continue
        (xa, ya, wa), (xb, yb, wb) = boxes[a], boxes[b]
        kind = "against" if (a, b) in against else "down"
        if row[a] == row[b]:
            right = xa < xb
            x1, x2 = (xa + wa, xb) if right else (xa, xb + wb)
            y1 = y2 = ya + (BOX * 0.3 if kind == "down" else BOX * 0.75)
            path, middle = (
                f"M{x1:.0f} {y1:.0f} L{x2:.0f} {y2:.0f}",
                ((x1 + x2) / 2, y1 + (14 if kind != "down" else -4)),
            )
        else:
            shift = 0.0 if kind == "down" else 0.3 * min(wa, wb)
            x1, x2 = xa + wa / 2 + shift, xb + wb / 2 + shift
            y1, y2 = (ya + BOX, yb) if row[a] < row[b] else (ya, yb + BOX)
            half = (y1 + y2) / 2
            begin = f"M{x1:.0f} {y1:.0f}"
            if row[b] - row[a] > 2:  # beside the boxes between
                x1 = xa + 8
                begin, half = f"M{x1:.0f} {y1:.0f} V{y2 - ROW:.0f}", y2 - ROW / 4
            path = f"{begin} C{x1:.0f} {half:.0f} {x2:.0f} {half:.0f} {x2:.0f} {y2:.0f}"
            middle = ((x1 + x2) / 2 + 12, half + 4)
        drawn.append(f'<path d="{path}" class="{kind}" marker-end="url(#{kind})"/>')
        if kind == "against":
            drawn.append(f'<text x="{middle[0]:.0f}" y="{middle[1]:.0f}" class="count">{edges[a, b]}</text>')
    for name, (x, y, width) in boxes.items():
        if not name:
            continue
        drawn.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{BOX}" rx="4"/>')
        drawn.append(f'<text x="{x + width / 2:.0f}" y="{y + 17}" class="name">{name}</text>')
        drawn.append(f'<text x="{x + width / 2:.0f}" y="{y + 32}" class="size">{lines[name]:,}</text>')
    return drawn


def implied(a: str, b: str, down: set[tuple[str, str]]) -> bool:
    """Say whether other arrows lead from `a` to `b` too."""
    todo, seen = [c for x, c in down if x == a and c != b], set()
    while todo:
        if (at := todo.pop()) == b:
            return True
        if at not in seen:
            seen.add(at)
            todo += [c for x, c in down if x == at]
    return False


STYLE = """text { font-family: sans-serif; fill: #222 }
.title { font-size: 17px; font-weight: 600 }
.name { font-size: 14px; text-anchor: middle }
.size { font-size: 11px; text-anchor: middle; fill: #666 }
.count { font-size: 12px; text-anchor: middle; fill: #b3401c }
rect { fill: #e8eef5; stroke: #5b7391 }
path { fill: none }
.down { stroke: #8a97a6; stroke-width: 1.3 }
.against { stroke: #c8501f; stroke-width: 1.8 }"""
MARKER = """<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"
orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0 L8 4 L0 8 Z" style="fill:{colour}"/></marker>"""
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img"
aria-label="The packages before and after, and their imports"><style>{style}</style><defs>{markers}</defs>
<rect width="{wide}" height="{high}" style="fill:#fff;stroke:none"/>"""


def main(before: str, after: str, file: str) -> None:
    """Write the drawing."""
    colours = {"down": "#8a97a6", "against": "#c8501f"}
    markers = "".join(MARKER.format(kind=kind, colour=colour) for kind, colour in colours.items())
    head = HEAD.format(wide=2 * WIDE, high=TOP + ROW * len(AFTER), style=STYLE, markers=markers)
    body = [*panel("Before", BEFORE, before, 0), *panel("After", AFTER, after, WIDE)]
    Path(file).write_text("\n".join([head, *body, "</svg>"]) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:4])
