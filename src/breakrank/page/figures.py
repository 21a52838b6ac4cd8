"""The figures of an answer as the page draws them: the same that the report holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from breakrank.errors import UsageError, nearest
from breakrank.questions.run.headline import rows, verdict
from breakrank.results.outcome import comparison_title
from breakrank.results.uncertainty import holds
from breakrank.show.evidence import Evidence
from breakrank.show.html import packed
from breakrank.show.look import Look
from breakrank.show.style import DARK, LIGHT, PAGE

if TYPE_CHECKING:
    from breakrank.results import Result
    from breakrank.show.figure import Figure
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
    from breakrank.questions.run.figures import FIGURES
    from breakrank.questions.run.report import made

    for name in names or ():
        if name not in FIGURES:
            raise UsageError(
                f"no figure {name!r:.60}{nearest(name[:60], FIGURES)} (known: {', '.join(FIGURES)})"
            )
    if theme not in THEMES:
        raise UsageError(f"theme must be one of {', '.join(THEMES)}, not {theme!r:.60}")
    look = Look({"page": PAGE, "light": LIGHT, "dark": DARK}[theme], page=True).of(result.case)
    evidence = Evidence(result.case)

    def head() -> dict[str, Any]:
        outcomes = result.outcomes()
        return {
            "runs": result.runs,
            "verdict": verdict(outcomes) if result.runs > 1 else "",
            "holds": holds(result.case),
            "compared": comparison_title(o.used for o in outcomes if o.record is not None),
            "outcomes": [asdict(row) for row in rows(result, outcomes, evidence)],
            "made": made(result),
        }

    def one(name: str) -> dict[str, Any]:
        return keep(result, (name, theme), lambda: drawn(FIGURES[name](result, look), evidence.bearing_on))

    found = [one(name) for name in (FIGURES if names is None else names)]
    return keep(result, "head", head) | {"figures": found}


def drawn(figure: Figure, bearing: Any = None) -> dict[str, Any]:  # noqa: ANN401 (of the evidence)
    """Return a figure ready for JSON: specifications whose rows stand by column, sentences and the table."""
    panels = [panel_of(panel.drawn, panel.id, panel.sentence) for panel in figure.panels]
    rests: list[dict[str, Any]] = []
    if bearing is not None:
        rests = [{"on": name, "said": [ref.said for ref in refs]} for name, refs in bearing(figure.rests_on)]
    return {
        "id": figure.id,
        "short": figure.short,
        "title": figure.title,
        "note": figure.note,
        "sentence": figure.sentence,
        "size": figure.size,
        "panels": panels,
        "table": asdict(figure.table),
        "rests_on": rests,
    }


def panel_of(drawn: Drawn, name: str, sentence: str) -> dict[str, Any]:
    """Return one chart ready for JSON: its specification, whose rows stand by column, and what it shows."""
    spec = unlinked(drawn.spec())
    spec["datasets"] = {name: packed(found) for name, found in spec["datasets"].items()}
    return {"id": name, "spec": spec, "alt": sentence}


def unlinked(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a specification whose marks are no links: a report leads to an anchor, the page answers."""
    for part in _parts(spec):
        part.pop("href", None)
    return spec


def _parts(part: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 (a piece of JSON)
    if isinstance(part, dict):
        yield part
        for name, inner in part.items():
            if name != "datasets":
                yield from _parts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _parts(inner)
