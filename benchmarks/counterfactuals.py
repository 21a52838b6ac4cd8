"""The tables of docs/explanation/counterfactuals.md, from what ``breakrank compare --json`` prints.

``breakrank compare venezuela-2019 --with no-taps --with no-rewards ... --json > made.json``, then
``python -m benchmarks.counterfactuals made.json``.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

GROUPS: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        ("registered", "registered at the host"),
        ("left_abroad", "crossed out of the country"),
        ("quiet_desertion", "deserted quietly"),
        ("serving", "serve at the end"),
    ),
    (
        ("arrived", "came to the host"),
        ("put_out", "put out of a site"),
        ("asylum_decided", "asylum decided"),
        ("enlisted", "signed up abroad"),
        ("cost", "cost, dollars"),
    ),
    (
        ("reported", "reported by someone"),
        ("arrested", "arrested"),
    ),
    (
        ("plots_founded", "plots founded"),
        ("plots_leaked", "found out"),
        ("plots_launched", "launched"),
        ("pledges", "pledges"),
    ),
    (
        ("risings", "risings"),
        ("rising_size", "soldiers in risings"),
        ("risings_won", "risings won"),
        ("regime_holds", "regime holds (% of runs)"),
    ),
)
FACTORS = (
    "registered",
    "left_abroad",
    "quiet_desertion",
    "plots_founded",
    "plots_leaked",
    "risings",
    "rising_size",
)
PER_CENT = frozenset({"regime_holds"})
FOUND = {
    "agrees": "as expected",
    "opposite": "**the other way**",
    "unclear": "not told from zero",
    "open": "",
}

Row = Mapping[str, Any]


def tables(made: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of every table."""
    comparisons: Mapping[str, Row] = made["comparisons"]
    for group in GROUPS:
        yield from _head("", *(label for _, label in group))
        first: Mapping[str, Row] = next(iter(comparisons.values()))["differences"]
        yield _line("*the case*", *(_number(first[name]["before"], name) for name, _ in group))
        for ident, one in comparisons.items():
            yield _line(f"`{ident}`", *(_cell(one["differences"][name], name) for name, _ in group))
        yield ""
    yield from _head("", "measure", "expected", "by", "found", "runs of that sign")
    for ident, one in comparisons.items():
        for name, expected in one.get("expected", {}).items():
            if name in one["differences"]:
                d = one["differences"][name]
                sign = f"{100 * (d['more'] if d['mean'] > 0 else d['less']):.0f}%"
                verdict = FOUND[expected["found"]]
                yield _line(f"`{ident}`", d["label"], expected["direction"], one["literature"], verdict, sign)
    yield ""
    label = {name: text for group in GROUPS for name, text in group}
    yield from _head("", *(label[name] for name in FACTORS))
    for ident, one in comparisons.items():
        yield _line(f"`{ident}`", *(_factor(one["differences"][name]) for name in FACTORS))


def _head(*cells: str) -> Iterator[str]:
    yield _line(*cells)
    yield "|" + "---|" * len(cells)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(d: Row, name: str) -> str:
    low, high = d["interval95"]
    mean = _signed(d["mean"], name)
    if low is None:
        return mean
    told = low > 0 or high < 0
    return f"{f'**{mean}**' if told else mean} ({_signed(low, name)} to {_signed(high, name)})"


def _number(value: float, name: str) -> str:
    value = 100 * value if name in PER_CENT else value
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _signed(value: float, name: str) -> str:
    text = _number(abs(value), name)
    return f"{'+' if value > 0 else '−'}{text}" if text.strip("0.,") else "0"


def _factor(d: Row) -> str:
    factor = d["variance_reduction"]
    if factor is None or not math.isfinite(factor):
        return "none"
    return f"{factor:.1f}" if factor < 10 else f"{factor:.0f}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(tables(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))) + "\n")
