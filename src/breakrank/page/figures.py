"""The figures of an answer as the page draws them: the same that the report holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from breakrank.answer.cells import grid
from breakrank.answer.charts import panels
from breakrank.answer.terminal import made
from breakrank.errors import UsageError, nearest
from breakrank.questions.run.headline import rows, verdict
from breakrank.results.outcome import comparison_title
from breakrank.results.uncertainty import holds
from breakrank.show.evidence import Evidence
from breakrank.show.figure import Figure
from breakrank.show.grid import GridTable
from breakrank.show.html import packed
from breakrank.show.look import Look
from breakrank.show.style import DARK, LIGHT, PAGE

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.answer.answer import Figure as Specified
    from breakrank.results import Result
    from breakrank.show.look import Size
    from breakrank.show.sheet import Drawn

THEMES = ("page", "light", "dark")


Keep = Callable[["Result", Hashable, Callable[[], dict[str, Any]]], dict[str, Any]]
"""Keeps what was made of a result, by what it is."""


def _afresh(_: Result, __: Hashable, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return make()


def figures(result: Result, names: Sequence[str] | None, theme: str, keep: Keep = _afresh) -> dict[str, Any]:
    """Return outcomes, provenance and the figures of these names (``None``: those of the report).

    Raises
    ------
    UsageError
        for a figure or a theme that there is not.
    """
    every = {one.name: one for one in result.answer.figures}
    for name in names or ():
        if name not in NAMES:
            raise UsageError(f"no figure {name!r:.60}{nearest(name[:60], NAMES)} (known: {', '.join(NAMES)})")
    if theme not in THEMES:
        raise UsageError(f"theme must be one of {', '.join(THEMES)}, not {theme!r:.60}")
    look = Look({"page": PAGE, "light": LIGHT, "dark": DARK}[theme], page=True).of(result.case)

    def head() -> dict[str, Any]:
        outcomes = result.outcomes()
        of = result.answer.provenance
        return {
            "runs": result.runs,
            "verdict": verdict(outcomes) if result.runs > 1 else "",
            "holds": holds(result.case),
            "compared": comparison_title(o.used for o in outcomes if o.record is not None),
            "outcomes": [asdict(row) for row in rows(result, outcomes, Evidence(result.case))],
            "made": [("Runs", line) for line in made(of)]
            + [("Digest", of.digest), ("Command", of.command)]
            + [("Versions", ", ".join(f"{name} {text}" for name, text in of.versions.items()))],
        }

    def one(name: str) -> dict[str, Any]:
        return keep(result, (name, theme), lambda: drawn(_figure(result.answer, every[name], look)))

    found = [one(name) for name in (every if names is None else names) if name in every]
    return keep(result, "head", head) | {"figures": found}


NAMES = ("outcomes", "left", "belief", "kinds", "ranks", "branches", "ways", "record", "fates", "map")
"""Figures that an answer may have."""


def _figure(answer: Answer, figure: Specified, look: Look) -> Figure:
    """Return a figure of the answer as the page draws it, with its last day as its table."""
    table = answer[figure.table]
    rows = table.rows
    for name, value in figure.where:
        rows = rows[rows[name] == value]
    if "date" in rows and figure.kind != "states":
        rows = rows[rows["date"] == rows["date"].iloc[-1]] if len(rows) else rows
    shown = GridTable(("Of",), ()) if not len(rows) else replace(grid(table, rows), numbers=1)
    plots = panels(answer, figure, look)
    size: Size = "half" if len(plots) > 1 else "wide"
    return Figure(figure.name, figure.title, figure.note, figure.title, plots, shown, size)


def drawn(figure: Figure) -> dict[str, Any]:
    """Return a figure ready for JSON: specifications whose rows stand by column, sentences and the table."""
    panels = [panel_of(panel.drawn, panel.id, panel.sentence) for panel in figure.panels]
    return {
        "id": figure.id,
        "title": figure.title,
        "note": figure.note,
        "sentence": figure.sentence,
        "size": figure.size,
        "panels": panels,
        "table": asdict(figure.table),
    }


def panel_of(drawn: Drawn, name: str, sentence: str) -> dict[str, Any]:
    """Return one chart ready for JSON: its specification, whose rows stand by column, and what it shows."""
    spec = drawn.spec()
    spec["datasets"] = {name: packed(found) for name, found in spec["datasets"].items()}
    return {"id": name, "spec": spec, "alt": sentence}
