"""The figures of a war: the maps, what it costs, and who went over to the opposition."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.run import went_over as over
from breakrank.questions.run.ground_map import on_the_map
from breakrank.questions.run.recorded import empty, recorded
from breakrank.results.quantiles import FEW
from breakrank.show.fan import FanSize, fan
from breakrank.show.figure import Builder, Figure, Panel
from breakrank.show.grid import band_table, group_sentence
from breakrank.show.look import Look
from breakrank.show.marks import dated
from breakrank.show.style import SMALL_HEIGHT
from breakrank.show.tables import SpreadSeries, series
from breakrank.show.words import day, number, sentence

if TYPE_CHECKING:
    from breakrank.results import Result

WEEK = 7
"""Days over which units that fight are averaged."""
COSTS = (
    "posts_lost",
    "killed_in_field",
    "surrendered_in_field",
    "broke_out",
    "left_as_units_came_apart",
    "rejoined",
    "called_up",
    "evaded",
)
"""What a war does to a force, counted from the first day; what a result does not hold is left out."""


def fighting(result: Result) -> SpreadSeries:
    """Return how many units fight on a day, as the mean of the last week."""
    daily = _whole(result, "units_fighting").astype(np.float64)
    total = np.cumsum(np.pad(daily, ((0, 0), (1, 0))), axis=1)
    first = np.maximum(np.arange(1, daily.shape[1] + 1) - WEEK, 0)
    mean = (total[:, 1:] - total[:, first]) / (np.arange(1, daily.shape[1] + 1) - first)
    label = "Units that fight on a day, mean of the last week"
    return series(mean, result.data["day"].values, "units_fighting", label, "stock", "units")


def costs(result: Result) -> list[SpreadSeries]:
    """Return what the war does to the force from the first day on."""
    days, found = result.data["day"].values, []
    for name in COSTS:
        if name in result.data:
            label = str(result.data[name].attrs["label"])
            unit = "posts" if name == "posts_lost" else "soldiers"
            values, each = _whole(result, name), result.case.stands_for
            found.append(series(values, days, name, label, "cumulative", unit, stands_for=each))
    return found


def _whole(result: Result, name: str) -> NDArray[np.generic]:
    """Return a variable over all its parts (run, day)."""
    array = result.data[name].transpose("run", "day", ...)
    return np.asarray(array.sum([d for d in array.dims if d not in ("run", "day")]).values)


def war(result: Result, look: Look) -> Figure:
    """Return the figure of units that fight, and of posts and soldiers that are lost and replaced."""
    title = "What the war costs the force"
    if not recorded(result, "war"):
        return empty("war", "War", title, "The case has no war.", look)
    units, group = fighting(result), [s for s in costs(result) if not s.empty]
    drawn = [s for s in (units, *group) if s.top >= 1 or not look.page]
    calendar, marks = result.case.calendar, dated(result)
    size = FanSize(theme=look.theme, width=look.width("small"), height=SMALL_HEIGHT)
    spread = "the middle 50% and 90%" if result.runs >= FEW else f"the range of all {result.runs}"
    return Figure(
        id="war",
        short="War",
        title=title,
        note=f"median of the runs with {spread}" if result.runs > 1 else "the one run",
        sentence=f"{_most(units)} {group_sentence(group)}" if group else _most(units),
        panels=tuple(Panel(f"war-{s.id}", fan(s, calendar, size, events=marks), sentence(s)) for s in drawn),
        table=band_table([units, *group]),
        rests_on=(1, 2, 3),
    )


def _most(units: SpreadSeries) -> str:
    """Return when most units fight."""
    if units.empty:
        return "No unit fights."
    at = int(units.frame["median"].to_numpy().argmax())
    many = number(float(units.frame["median"].iloc[at]))
    return f"At most {many} units fight on a day, in the week to {day(units.frame['date'].iloc[at])}."


def went_over(result: Result, look: Look) -> Figure:
    """Return the figure of who went over to the opposition, by rank and by branch."""
    title = "Who went over to the opposition at home"
    if not recorded(result, "went-over"):
        return empty("went-over", "Went over", title, "The case has no opposition at home.", look)
    ranks, branches = over.parts(result, "rank"), over.parts(result, "branch")
    said, top = over.sentence(result, ranks), max(p.share for p in (*ranks, *branches))
    if top <= 0:
        return empty("went-over", "Went over", title, said, look)
    width, lines = look.width("half"), max(len(ranks), len(branches))
    return Figure(
        id="went-over",
        short="Went over",
        title=title,
        note="median of the runs; by destination: By which way" if result.runs > 1 else "the one run",
        sentence=said,
        panels=tuple(
            Panel(f"went-over-{name}", over.chart(found, head, look.theme, width, top, lines), said)
            for name, head, found in (("rank", "By rank", ranks), ("branch", "By branch", branches))
        ),
        table=over.table(ranks, branches, result.runs),
        size="half",
        rests_on=(6, 7, 12),
    )


WAR: Mapping[str, Builder] = MappingProxyType({"map": on_the_map, "war": war, "went-over": went_over})
"""The figures by name, in the order of the report."""
