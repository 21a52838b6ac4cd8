"""Who went over to the opposition at home: how many of each rank and branch, and of how many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from breakrank.questions.run.voice import fill, tip
from breakrank.results.whole_force import in_steps
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.tables import Band, band, labels
from breakrank.show.words import between, day, ends_of, interval, number, percent, within
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.results import Result

ROW = 24
"""Height of a row, px."""
NAMES = 190
"""Room for the names of rows, px."""
TOLD = 3
"""Most states that are named."""
BESIDE = 0.42
"""Share of the plot kept for the numbers beside the bars."""


@dataclass(frozen=True, slots=True)
class WentOver:
    """One rank or branch: its name, how many went over by the last day, and its strength."""

    name: str
    over: Band
    strength: int

    @property
    def share(self) -> float:
        """The median share of it that went over."""
        return self.over.median / self.strength if self.strength else 0.0


def parts(result: Result, by: Literal["rank", "branch"]) -> list[WentOver]:
    """Return the ranks or branches of a result, in the order of the case."""
    data, names = result.data, labels(result, by)
    over = data[f"went_over_{by}"].sum("day").transpose("run", by).values.astype(np.float64)
    strength = data[f"fate_{by}"].sum("fate").transpose("run", by).values.mean(axis=0)
    ids, each = [str(i) for i in data[by].values], result.case.stands_for
    return [WentOver(names[i], band(over[:, k], each), round(float(strength[k]))) for k, i in enumerate(ids)]


def sentence(result: Result, ranks: list[WentOver]) -> str:
    """Return how many went over by the last day, and of which ranks most and fewest."""
    every = result.data["went_over_rank"].sum(["day", "rank"]).values.astype(np.float64)
    whole = band(every, result.case.stands_for)
    end = day(result.data["day"].values[-1])
    if whole.q95 <= 0:
        return f"Nobody goes over to the opposition by {end}."
    runs = result.runs
    ends = f" ({ends_of(runs)} {interval(whole.q05, whole.q95)})" if runs > 1 else ""
    over = f"In the median of {runs:,} runs" if runs > 1 else "In the one run"
    some = sorted((p for p in ranks if p.strength), key=lambda p: -p.share)
    shares = [f"{percent(p.share)} of {p.name}" for p in (some[0], some[-1])] if len(some) > 1 else []
    most = f": from {listed(shares, 'to')}" if shares else ""
    return f"{over} {number(whole.median)} go over by {end}{ends}{most}.{_by_unit(result)}"


def _by_unit(result: Result) -> str:
    """Return how many units went over whole, with how many soldiers, and in which states most."""
    if "units_over_state" not in result.data:
        return ""
    by_state, soldiers = result.data["units_over_state"].sum("day"), result.data["went_over_with_unit"]
    units = float(np.median(by_state.sum("state").values))
    if units < 1:
        return ""
    names = {s.id: s.label for s in result.case.force.states}
    mean = by_state.mean("run")
    most = [names[str(s)] for s in mean["state"].values[np.argsort(-mean.values)] if mean.sel(state=s) >= 1]
    middle = float(np.median(soldiers.sum("day").values))
    many = number(in_steps(middle, result.case.stands_for))
    where = f", in {listed(most[:TOLD])}" if most else ""
    go = "unit goes" if units == 1 else "units go"
    return f" {number(units)} {go} over whole, with {many} soldiers{where}."


def table(ranks: list[WentOver], branches: list[WentOver], runs: int) -> GridTable:
    """Return the same numbers as texts."""
    heads = ("Of", "Strength", "Median", *((within(runs),) if runs > 1 else ()), "Share")
    if runs < 2:
        heads = tuple("Value" if h == "Median" else h for h in heads)
    rows = tuple(
        (
            p.name,
            number(p.strength),
            between(p.over.median, p.over.q05, p.over.q95),
            *((interval(p.over.q05, p.over.q95),) if runs > 1 else ()),
            percent(p.share),
        )
        for p in (*ranks, *branches)
    )
    return GridTable(heads, rows, 1)


def chart(found: list[WentOver], head: str, theme: Theme, width: Width, top: float, lines: int) -> Drawn:
    """Return the share of each part that went over as bars, with its number beside.

    `top` ends the scale; the plot has room for `lines` parts, so that plots side by side are of one height.
    """
    sheet, full = Sheet(), top or 1.0
    across = f"{'width' if width == 'container' else width} * {1 - BESIDE} / {full}"
    rows: list[dict[str, Any]] = [
        {
            "part": p.name,
            "share": round(p.share, 5),
            "text": f"{between(p.over.median, p.over.q05, p.over.q95)}\u2002{percent(p.share)}",
            "fill": theme.out,
            "said": f"{p.name}: {between(p.over.median, p.over.q05, p.over.q95)} of {number(p.strength)}",
        }
        for p in found
    ]
    names = vl.Axis(
        title=None,
        minExtent=NAMES,
        maxExtent=NAMES,
        labelLimit=NAMES - 6,
        labelFontSize=SMALL,
        grid=False,
    )
    rows_at = vl.Scale(paddingInner=0.35, paddingOuter=0.2, range=[0, ROW * len(found)])
    y = vl.field("part:N", sort=None, scale=rows_at, axis=names)
    base = sheet.on(rows).calculate(x="0", x2=f"datum.share * {across}", beside=f"datum.share * {across} + 6")
    place: dict[str, Any] = {"x": vl.field("x:Q", scale=None, axis=None), "x2": "x2:Q", "y": y}
    bars = base.mark("bar").encode(**place, color=fill(), tooltip=tip())
    words = base.mark("text", align="left", baseline="middle", fontSize=SMALL, color=theme.ink)
    text = words.encode(x=vl.field("beside:Q", scale=None, axis=None), y=y, text="text:N")
    title = vl.Title(text=head, subtitle="soldiers, and as a share of all of theirs")
    return sheet.drawn([bars, text], width=width, height=ROW * lines, title=title)
