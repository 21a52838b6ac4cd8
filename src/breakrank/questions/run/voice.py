"""What charts of risings, commands and a war share: colours, logs, channels, and an empty state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from breakrank import model
from breakrank.case import Case
from breakrank.results.conspiracies import Log, log_of
from breakrank.show import vegalite as vl
from breakrank.show.sheet import Drawn, Sheet, Width
from breakrank.show.style import SMALL, Theme

if TYPE_CHECKING:
    from breakrank.force import Force
    from breakrank.results import Result

OUTCOMES: dict[str, tuple[str, str]] = {
    "collapsed": ("caught", "Collapsed"),
    "stalemate": ("hidden", "Held out, then ended"),
    "won": ("voice", "Succeeded"),
}
"""Role and name of each outcome of a rising."""


def logged(result: Result) -> list[int]:
    """Return the runs whose event log was kept."""
    if result.events is None:
        return []
    import pyarrow.compute as pc

    return sorted(int(r) for r in pc.unique(result.events["run"]).to_pylist())


def logs(result: Result) -> dict[int, Log]:
    """Return the event logs that were kept, by run."""
    return {} if result.events is None else {run: log_of(result.events, run) for run in logged(result)}


def force_of(result: Result, run: int) -> Force | None:
    """Return the force that lived in a run of a result; ``None`` where its case cannot build one."""
    case: object = result.case
    if not isinstance(case, Case):
        return None

    return model.force_of(case, result.seed, run)


def key(items: Sequence[tuple[str, str]], theme: Theme, width: Width) -> Drawn:
    """Return a key in one line: text and role of each colour."""
    sheet = Sheet()
    rows, x = [], 5.0
    for text, role in items:
        rows.append({"x": x, "text": text, "fill": getattr(theme, role)})
        x += 24 + 5.9 * len(text)
    base = sheet.on(rows)
    swatch = base.mark("square", size=90, opacity=1).encode(x=across("x"), y=vl.value(8), color=fill())
    words = base.mark(
        "text", align="left", dx=9, fontSize=SMALL, color=theme.muted, baseline="middle"
    ).encode(x=across("x"), y=vl.value(8), text="text:N")
    return sheet.drawn([swatch, words], width=width, height=16)


def nothing(text: str, theme: Theme, width: Width) -> Drawn:
    """Return a chart that says in words that there is nothing to draw."""
    sheet = Sheet()
    mark = sheet.on([{"text": text}]).mark("text", align="left", color=theme.muted, fontSize=SMALL + 1)
    where: dict[str, Any] = {"x": vl.value(0), "y": vl.value(12), "text": "text:N"}
    return sheet.drawn([mark.encode(**where)], width=width, height=24)


def across(name: str) -> vl.Channel:
    """Return the encoding of a field that already holds px from the left."""
    return vl.field(f"{name}:Q", scale=None, axis=None)


def down(name: str) -> vl.Channel:
    """Return the encoding of a field that already holds px from the top."""
    return vl.field(f"{name}:Q", scale=None, axis=None)


def fill(name: str = "fill") -> vl.Channel:
    """Return the encoding of a field that already holds a colour."""
    return vl.field(f"{name}:N", scale=None)


def tip() -> list[vl.Channel]:
    """Return the tooltip of rows that say in a field what they are."""
    return [vl.field("said:N", title=" ")]


def opaque() -> vl.Channel:
    """Return the encoding of a field that already holds an opacity."""
    return vl.field("opacity:Q", scale=None)


def boxes(drawn: vl.Chart, **other: str | vl.Channel) -> vl.Chart:
    """Return rows as boxes from ``x`` to ``x2`` and ``top`` to ``end``, px, with colour, opacity and tooltip.

    Parameters
    ----------
    drawn : rows with their mark. other : channels in place of these.
    """
    where: dict[str, Any] = {"x": across("x"), "x2": "x2:Q", "y": down("top"), "y2": "end:Q"}
    look = {"color": fill(), "opacity": opaque(), "tooltip": tip()}
    placed: vl.Chart = drawn.encode(**where | look | other)
    return placed
