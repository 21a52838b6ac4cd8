"""What became of everyone on the last day, in numbers: who still serves, and what the others became."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from breakrank.labels import WHERE
from breakrank.results.quantiles import FEW
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import LIGHT, SMALL, TEXT, WIDE_WIDTH, Theme
from breakrank.show.tables import Band, band, labels, plain
from breakrank.show.words import average, day, interval, people, percent, within

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.results import Result

STRIP = 26
"""Height of the strip, px."""


def fates(one: Becoming, *, theme: Theme = LIGHT, width: Width = WIDE_WIDTH, titled: bool = True) -> Drawn:
    """Return the chart of what became of everyone; without its name where a page already gives it."""
    sheet = Sheet()
    layers = strip(one, theme, "width" if width == "container" else str(width), sheet)
    said = f"{people(one.serving)} of {people(one.strength)} still serve on {one.date}"
    said += f" ({percent(one.serving / one.strength)})"
    title = vl.Title(
        text="What became of everyone" if titled else said,
        **({"subtitle": said} if titled else {}),
        fontSize=TEXT - 1,
        limit=vl.expr("width") if width == "container" else width,
        subtitleColor=theme.baseline,
        subtitleFontWeight=500,
    )
    return sheet.drawn(layers, width=width, height=STRIP, title=title)


def strip(one: Becoming, theme: Theme, wide: str, sheet: Sheet) -> list[vl.Chart]:
    """Return the strip: loyal, privately opposed, gone, in proportion; `wide` is a Vega expression."""
    parts = [("Serving", one.serving, theme.loyal, theme.ink)]
    if one.opposed is not None:
        parts = [
            ("Loyal", one.serving * (1 - one.opposed), theme.loyal, theme.ink),
            ("Privately opposed", one.serving * one.opposed, theme.opposed, theme.paper),
        ]
    parts.append(("", one.gone, theme.hidden, theme.ink))
    rows: list[dict[str, Any]] = []
    start = 0.0
    for name, size, fill, ink in parts:
        share = size / one.strength
        said = f"{name or 'No longer serving'}: {average(size)} ({percent(share)})"
        amount = people(size) if name else ""
        look = {"fill": fill, "ink": ink, "said": said, "long": f"{name} {amount}", "short": amount}
        rows.append({"from": start, "to": start + share, **look})
        start += share
    base = sheet.on([r for r in rows if r["to"] > r["from"]]).calculate(
        a=f"datum.from * {wide}",
        b=f"max(datum.to * {wide}, datum.from * {wide} + 1.5)",
        shown=f"(datum.to - datum.from) * {wide} > 6.6 * length(datum.long) + 12 ? datum.long"
        f" : (datum.to - datum.from) * {wide} > 7 * length(datum.short) + 14 ? datum.short : ''",
    )
    tip = [vl.field("said:N", title=" ")]
    x, x2 = vl.field("a:Q", scale=None, axis=None), vl.field("b:Q")
    bars = base.mark("rect", opacity=1).encode(
        x=x, x2=x2, y=vl.value(0), y2=vl.value(STRIP), color=vl.field("fill:N", scale=None), tooltip=tip
    )
    words = base.mark("text", align="left", dx=8, fontSize=SMALL + 1, fontWeight=500).encode(
        x=x,
        y=vl.value(STRIP / 2),
        text="shown:N",
        color=vl.field("ink:N", scale=None),
        tooltip=tip,
    )
    return [bars, words]


Kind = Literal["out", "hidden", "caught"]

RESERVE = "reserve"
"""The fate of those who have not been called up: they have not left."""
KINDS: dict[str, Kind] = {
    "registered": "out",
    "abroad": "out",
    "declared": "out",
    "embassy": "out",
    "opposition": "out",
    "travelling": "hidden",
    "hiding": "hidden",
    RESERVE: "hidden",
    "detained": "caught",
    "imprisoned": "caught",
    "prisoner": "caught",
    "dead": "caught",
    "discharged": "caught",
}
"""Fates of those who no longer serve, in order of drawing: got out, on the way or hiding, caught or dead."""


@dataclass(frozen=True, slots=True)
class Fate:
    """One fate on the last day: its share of the runs' average and its spread over runs."""

    id: str
    label: str
    kind: Kind
    mean: float
    band: Band


@dataclass(frozen=True, eq=False, slots=True)
class Becoming:
    """Where everyone stands on the last day.

    Averages over runs, not medians, because only averages add up over ranks and fates.

    Attributes
    ----------
    strength, serving : soldiers at the start; average still serving on the last day.
    serving_band, gone_band : spreads over runs of those who serve and of those who do not.
    opposed : median share privately opposed among those serving; ``None`` where it was not recorded.
    fates : the fates that occurred in any run.
    ranks : labels of ranks, lowest first.
    flow : average soldiers by rank and fate, shape (rank, fate).
    """

    runs: int
    date: str
    strength: int
    serving: float
    serving_band: Band
    gone_band: Band
    opposed: float | None
    fates: tuple[Fate, ...]
    ranks: tuple[str, ...]
    flow: npt.NDArray[np.float64]

    @property
    def gone(self) -> float:
        """Average who no longer serve."""
        return self.strength - self.serving


def becoming(result: Result) -> Becoming:
    """Return what became of everyone in a result."""
    data, each = result.data, result.case.stands_for
    stock = data["fates"].isel(day=-1).transpose("run", "fate").values.astype(np.float64)
    by_rank = data["fate_rank"].transpose("run", "rank", "fate").values.mean(axis=0)
    ids = [str(f) for f in data["fate"].values]
    at = ids.index("serving")
    order = sorted(
        (i for i in range(len(ids)) if i != at and stock[:, i].any()),
        key=lambda i: list(KINDS).index(ids[i]) if ids[i] in KINDS else len(KINDS),
    )
    names = labels(result, "rank")
    return Becoming(
        runs=result.runs,
        date=day(data["day"].values[-1]),
        strength=round(float(stock.sum(axis=1).mean())),
        serving=float(stock[:, at].mean()),
        serving_band=band(stock[:, at], each),
        gone_band=band(stock.sum(axis=1) - stock[:, at], each),
        opposed=min(1.0, float(data["opposed"].isel(day=-1).median())) if "opposed" in data else None,
        fates=tuple(
            Fate(
                ids[i],
                WHERE.get(ids[i], plain(ids[i])),
                KINDS.get(ids[i], "hidden"),
                float(stock[:, i].mean()),
                band(stock[:, i], each),
            )
            for i in order
        ),
        ranks=tuple(names.get(str(r), plain(str(r))) for r in data["rank"].values),
        flow=by_rank[:, order],
    )


def frame(one: Becoming) -> pd.DataFrame:
    """Return one row for each fate, serving first: average, quantiles over runs, averages of its ranks."""
    import pandas as pd

    serving = {"fate": "Serving", "mean": one.serving, **_quantiles(one.serving_band)}
    rows = [serving] + [
        {"fate": f.label, "mean": f.mean, **_quantiles(f.band)}
        | dict(zip(one.ranks, one.flow[:, i], strict=True))
        for i, f in enumerate(one.fates)
    ]
    return pd.DataFrame(rows)


def table(one: Becoming) -> GridTable:
    """Return the same as texts, for reading."""
    rows = []
    for _, row in frame(one).iterrows():
        ends = [(row["q25"], row["q75"])] if one.runs >= FEW else []
        ends += [(row["q05"], row["q95"])] if one.runs > 1 else []
        cells = [
            str(row["fate"]),
            average(float(row["mean"])),
            *(interval(float(a), float(b), "people") for a, b in ends),
        ]
        cells += ["" if row.isna().get(r, True) else average(float(row[r])) for r in one.ranks]
        rows.append(tuple(cells))
    spreads = (("50% of runs",) if one.runs >= FEW else ()) + ((within(one.runs),) if one.runs > 1 else ())
    return GridTable(
        ("Fate", "Average" if one.runs > 1 else "Soldiers", *spreads, *one.ranks), tuple(rows), 1
    )


def _quantiles(band: Band) -> dict[str, float]:
    return {"median": band.median, "q05": band.q05, "q25": band.q25, "q75": band.q75, "q95": band.q95}


def sentence(one: Becoming) -> str:
    """Return in one or two sentences what became of everyone."""
    how = f"averaged over {one.runs:,} runs, " if one.runs > 1 else "in the one run, "
    text = f"On {one.date}, {how}{people(one.serving)} of {people(one.strength)} soldiers still serve"
    text += f" ({percent(one.serving / one.strength)})"
    if one.opposed is not None:
        whose = "in the median " if one.runs > 1 else ""
        text += f", of whom {whose}{percent(one.opposed)} are privately opposed"
    if not one.fates:
        return f"{text}. Nobody left in any run." if one.runs > 1 else f"{text}. Nobody left."
    parts = "; ".join(f"{f.label.lower()} {average(f.mean)}" for f in one.fates)
    return f"{text}. Of the {average(one.gone)} who no longer serve: {parts}."
