"""Who holds what, and where units fight: one row a state, as the case gives it by date."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.questions.run.voice import fill, opaque, tip
from breakrank.show import vegalite as vl
from breakrank.show.grid import GridTable
from breakrank.show.sheet import Drawn, Width
from breakrank.show.style import SMALL, Theme
from breakrank.show.time_axes import Plane, milliseconds
from breakrank.show.words import day, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.results import Result

ROW = 17
"""Height of a row, px."""
NAMES = 118
"""Room for the names of rows, px."""
CELLS = 40
"""Most cells of a row."""
FAINTEST = 0.06
"""Opacity of the least that is drawn."""
DATES = 5
"""Dates of the table."""
TOLD = 3
"""States that the sentence names."""


@dataclass(frozen=True, eq=False, slots=True)
class Land:
    """What a case says of its land, states in the order of how much of them is held at most.

    `held` and `contact`, shape (state, day): the share that the opposition holds, and the share of units
    there that fight on a day. States where neither is ever above zero are left out; `quiet` are their names.
    """

    names: tuple[str, ...]
    dates: tuple[dt.date, ...]
    held: npt.NDArray[np.float64]
    contact: npt.NDArray[np.float64]
    quiet: tuple[str, ...]


def land(result: Result) -> Land:
    """Return the land of a result's case."""
    days = result.data["day"].values
    held, contact = (
        result.data[f"field_{name}"].transpose("state", "day").values.astype(np.float64)
        for name in ("held", "contact")
    )
    order = np.lexsort((-contact.max(axis=1), -held.max(axis=1)))
    kept = [int(s) for s in order if max(held[s].max(), contact[s].max()) > 0]
    names = [s.label for s in result.case.force.states]
    return Land(
        tuple(names[s] for s in kept),
        tuple(d.astype("datetime64[D]").astype(dt.date) for d in days),
        held[kept],
        contact[kept],
        tuple(name for s, name in enumerate(names) if s not in kept),
    )


def sentence(one: Land) -> str:
    """Return where the opposition holds most on the last day, and where it is fought most."""
    if not one.names:
        return "There is no fighting, and the opposition holds nothing."
    parts = [_held(one)]
    if one.contact.any():
        s, at = np.unravel_index(int(one.contact.argmax()), one.contact.shape)
        share = percent(float(one.contact[s, at]))
        parts.append(f"It is fought most in {one.names[s]} on {day(one.dates[at])}: {share} of units there.")
    if one.quiet:
        few = len(one.quiet) <= TOLD
        states = listed(one.quiet, "or") if few else f"the {len(one.quiet)} other states"
        parts.append(f"Neither happens in {states}.")
    return " ".join(parts)


def _held(one: Land) -> str:
    last = one.held[:, -1]
    if not one.held.any():
        return "The opposition holds no part of a state."
    if not last.any():
        s, at = np.unravel_index(int(one.held.argmax()), one.held.shape)
        most = f"{percent(float(one.held[s, at]))} of {one.names[s]} on {day(one.dates[at])}"
        return f"At the end the opposition holds nothing; at most it held {most}."
    fullest = int((last == last.max()).sum())
    alike = fullest > TOLD
    first = [f"{percent(float(last[s]))} of {one.names[s]}" for s in np.argsort(-last)[:TOLD] if last[s] > 0]
    held = f"{percent(float(last.max()))} of {fullest} states" if alike else listed(first)
    more = int((last > 0).sum()) - (fullest if alike else len(first))
    rest = f", and part of {more} more" if more else ""
    return f"On {day(one.dates[-1])} the opposition holds {held}{rest}."


def table(one: Land) -> GridTable:
    """Return the share held and the share fighting of a few dates as texts."""
    picked = np.unique(np.linspace(0, len(one.dates) - 1, DATES).astype(int))
    heads = [f"{word}, {day(one.dates[k])}" for k in picked for word in ("Held", "Fighting")]
    rows = tuple(
        (
            name,
            *(percent(float(of[s, k])) for k in picked for of in (one.held, one.contact)),
        )
        for s, name in enumerate(one.names)
    )
    return GridTable(("State", *heads), rows, 1)


def chart(one: Land, of: str, theme: Theme, width: Width) -> Drawn:
    """Return one row a state over time, the fuller the larger the share of `of`: ``held`` or ``contact``."""
    values = one.held if of == "held" else one.contact
    top = float(values.max()) or 1.0
    height = ROW * len(one.names)
    plane = Plane(one.dates[0], one.dates[-1], 1, "share", theme, height)
    ends = [{"date": d.isoformat(), "state": n} for n in one.names for d in (one.dates[0], one.dates[-1])]
    names = vl.Axis(
        title=None, minExtent=NAMES, maxExtent=NAMES, labelLimit=NAMES - 8, grid=False, labelFontSize=SMALL
    )
    rows = vl.field("state:N", sort=None, scale=vl.Scale(paddingInner=0.12, paddingOuter=0.06), axis=names)
    frame = plane.sheet.on(ends).mark("point", opacity=0).encode(x=plane.x(spans=True), y=rows)
    layers = [frame]
    cells = [
        cell for s, name in enumerate(one.names) for cell in _cells(one, values[s], name, of, top, theme)
    ]
    if cells:
        drawn = plane.sheet.on(cells).mark("rect", stroke=theme.paper, strokeWidth=0.6, clip=True)
        where: dict[str, Any] = {"x": plane.x("since"), "x2": "to:T", "y": vl.field("state:N", sort=None)}
        layers.append(drawn.encode(**where, color=fill(), opacity=opaque(), tooltip=tip()))
    title = vl.Title(
        text="Land that the opposition holds" if of == "held" else "Units that fight on a day",
        subtitle=f"share of the state; fullest: {percent(top)}"
        if of == "held"
        else f"share of those in the state; fullest: {percent(top)}",
    )
    return plane.sheet.drawn(layers, width=width, height=height, title=title)


def _cells(
    one: Land, values: npt.NDArray[np.float64], name: str, of: str, top: float, theme: Theme
) -> list[dict[str, Any]]:
    """Return a row as cells of equal value; those of nothing are left out."""
    step = -(-len(one.dates) // CELLS)
    cells: list[dict[str, Any]] = []
    for first in range(0, len(one.dates), step):
        last = min(first + step, len(one.dates)) - 1
        value = round(float(values[first : last + 1].mean()), 3)
        to = milliseconds(one.dates[last]) + 86_400_000
        if cells and cells[-1]["value"] == value:
            cells[-1] |= {"to": to, "until": day(one.dates[last])}
            continue
        cells.append(
            {
                "state": name,
                "since": milliseconds(one.dates[first]),
                "to": to,
                "from": day(one.dates[first]),
                "until": day(one.dates[last]),
                "value": value,
                "fill": theme.given,
                "opacity": round(FAINTEST + (1 - FAINTEST) * value / top, 3),
            }
        )
    what = "held" if of == "held" else "of units fight on a day"
    return [
        {k: v for k, v in c.items() if k not in ("value", "from", "until")}
        | {"said": f"{name}, {_days(c)}: {percent(c['value'])} {what}"}
        for c in cells
        if c["value"] > 0
    ]


def _days(cell: dict[str, Any]) -> str:
    return cell["from"] if cell["from"] == cell["until"] else f"{cell['from']} to {cell['until']}"
