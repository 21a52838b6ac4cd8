"""An answer with every kind of column, an empty table, a wide one, one of detail, and a part that failed."""

import math
from dataclasses import replace
from typing import Any

from breakrank.answer.answer import Answer, Basis, Column, Figure, Provenance, Table

KINDS = (
    Column(name="group", label="Group", kind="text"),
    Column(name="label", label="outcome", kind="text"),
    Column(name="unit", label="Unit", kind="text", shown=False),
    Column(name="day", label="day", kind="date"),
    Column(name="told", label="told", kind="flag"),
    Column(name="before", label="before", unit_in="unit", meaning="mean over runs"),
    Column(name="mean", label="difference", unit_in="unit", signed=True, low="low", high="high"),
    Column(name="low", label="from", unit_in="unit", shown=False),
    Column(name="high", label="to", unit_in="unit", shown=False),
    Column(name="sign", label="sign", kind="share"),
    Column(name="factor", label="factor", kind="factor"),
    Column(name="set", label="set to", kind="value", unit="utility"),
    Column(name="pairs", label="pairs", kind="count"),
)
ROWS: list[dict[str, Any]] = [
    {"group": "one", "label": "Left <the> country", "unit": "soldiers", "day": "2025-03-01", "told": True}
    | {"before": 1285.4, "mean": 12.0, "low": 3.0, "high": 21.0, "sign": 0.97, "factor": math.inf}
    | {"set": 1e-05, "pairs": 1200},
    {"group": "two", "label": "Regime | holds", "unit": "share", "day": "2025-03-02", "told": False}
    | {"before": 0.5, "mean": 0.031, "low": -0.02, "high": 0.082, "sign": 0.5, "factor": 2.345}
    | {"set": 6.0, "pairs": 3},
    {"group": "two", "label": "=SUM(A1)", "unit": "1 or 0", "day": "2025-03-03", "told": False}
    | {"before": math.nan, "mean": math.nan, "low": math.nan, "high": math.nan, "sign": math.nan}
    | {"factor": math.nan, "set": math.nan, "pairs": 0},
]
DAILY = (
    Column(name="label", label="Outcome", kind="text"),
    Column(name="date", label="Day", kind="date"),
    Column(name="before", label="baseline", unit="soldiers"),
    Column(name="after", label="changed", unit="soldiers"),
    Column(name="mean", label="difference", unit="soldiers", signed=True, low="low", high="high"),
    *(Column(name=name, label=name, unit="soldiers") for name in ("low", "high", "q05", "q25", "q75", "q95")),
)
EVENTS = (Column(name="date", label="Day", kind="date"), Column(name="title", label="Event", kind="text"))
POINTS = (
    Column(name="x", label="fear", unit="utility", kind="value"),
    Column(name="y", label="pay", unit="share", kind="value"),
    Column(name="median", label="median", unit="soldiers", low="q05", high="q95", interval="90% interval"),
    *(Column(name=name, label=name, unit="soldiers", shown=False) for name in ("q05", "q25", "q75", "q95")),
    Column(name="chance", label="chance", kind="share"),
)
TIPS = (
    Column(name="level", label="level", kind="share"),
    *(Column(name=name, label=name, shown=False) for name in ("at", "x", "y", "x2", "y2")),
)


def tables() -> tuple[Table, ...]:
    """Return the tables, the one with every kind first."""
    days = [f"2025-03-{day:02}" for day in range(1, 29)]
    daily = [
        {"label": label, "date": day, "before": k, "after": 3 * k, "mean": 2 * k, "low": k, "high": 3 * k}
        | {"q05": -k, "q25": k, "q75": 3 * k, "q95": 5 * k}
        for label in ("Left", "Arrested")
        for k, day in enumerate(days)
    ]
    daily += [row | {"label": "Nothing"} | {c.name: 0 for c in DAILY[2:]} for row in daily[: len(days)]]
    points = [
        {"x": x, "y": y, "median": 10 * x + y, "q05": x, "q25": 5 * x, "q75": 15 * x, "q95": 30 * x + 1}
        | {"chance": min(1.0, (x + y) / 5)}
        for x in range(4)
        for y in (0.0, 1.0)
    ]
    wide = [{"row": f"row-{k}"} | {f"n{j}": 1000 * j + k for j in range(14)} for k in range(3)]
    columns = [Column(name="row", label="name", kind="text")]
    columns += [Column(name=f"n{j}", label=f"number {j}", unit="soldiers") for j in range(14)]
    grid = [{"m": m, "o": o, "e": e, "l": e - 1, "h": e + 1} for m, o, e in (("a", "x", 5), ("b", "x", 0.5))]
    crossed = [Column(name="m", label="without", kind="text"), Column(name="o", label="of", kind="text")]
    crossed += [Column(name="e", label="effect", signed=True, low="l", high="h", unit="soldiers")]
    crossed += [Column(name=name, label=name, shown=False) for name in ("l", "h")]
    tips = [{"level": 0.5, "at": 1.5, "x": 0, "y": 0.5, "x2": 3, "y2": 0.5}]
    return (
        Table.of("kinds", "Every kind", KINDS, ROWS, key="label", by="group", note="A note on columns."),
        Table.of("empty", "An empty table", KINDS[:2], []),
        Table.of("wide", "A wide table", columns, wide),
        Table.of("grid", "A grid", crossed, grid, across="o", cell="e"),
        Table.of("daily", "Day by day", DAILY, daily, detail=True),
        Table.of("events", "Events", EVENTS, [{"date": "2025-03-10", "title": "Appeal"}], detail=True),
        Table.of("points", "Points", POINTS, points),
        Table.of("tips", "Tips", TIPS, tips, detail=True),
    )


def figures() -> tuple[Figure, ...]:
    """Return a figure of each kind."""
    band: dict[str, Any] = {"low": "q05", "high": "q95", "inner": ("q25", "q75")}
    daily: dict[str, Any] = {"table": "daily", "x": "date", "marks": "events"}
    one, ends = (("label", "Left"),), {"low": "low", "high": "high"}
    points: dict[str, Any] = {"table": "points", "x": "x", "marks": "tips"}
    return (
        Figure(name="fan", title="Forty leave", kind="fan", y=("mean",), by="label", **daily, **band),
        Figure(name="lines", title="More leave", kind="lines", y=("before", "after"), where=one, **daily),
        Figure(name="dots", title="One effect", kind="dots", table="kinds", x="label", y=("mean",), **ends),
        Figure(name="bars", title="Counts", kind="bars", table="wide", x="row", y=("n1", "n2")),
        Figure(
            name="curve", title="Rises", kind="curve", y=("median",), where=(("y", 0.0),), **(points | band)
        ),
        Figure(name="map", title="It tips", kind="map", y=("y", "chance"), **points),
        Figure(name="nothing", title="Nothing", kind="dots", table="empty", x="group", y=("label",)),
    )


def answer(**changed: Any) -> Answer:
    """Return the answer, with other parts where they are given."""
    made = Provenance(
        case="small",
        title="Small",
        ensemble="fixed assumptions, chance only",
        runs=8,
        seed=3,
        digest="0f" * 32,
        command="breakrank ask small --seed 3",
        versions={"breakrank": "0.1.0"},
        failed=("without fear, run 4: it ended",),
        interrupted=True,
        stands_for=8.3,
    )
    whole = Answer(
        question="ask",
        title="Small & made up",
        finding="Forty more leave with the change (mean of 8 pairs).",
        doubt="Intervals include only chance.",
        tables=tables(),
        provenance=made,
        figures=figures(),
        notes=("One sentence says 3 things.",),
        evidence=(Basis(of="fear.weight = 6", says="a guard, paragraph 7"),),
    )
    return replace(whole, **changed)
