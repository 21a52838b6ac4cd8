"""An answer as one HTML page that holds everything and loads nothing, without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.answer.cells import pages, parts
from breakrank.answer.charts import drawn_figures
from breakrank.answer.terminal import made
from breakrank.show.html import Picture, rendered
from breakrank.show.look import Look, svg
from breakrank.show.style import LIGHT, PAGE, Theme

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.show.figure import Panel

DIGEST = 16
"""Characters of a digest that are printed; files have it whole."""
PHONE = 330
"""Width of plots on a phone, px."""


def content(
    answer: Answer, theme: Theme, font: str = "", wide: int = 740, small: int = 200, narrow: int = 0
) -> dict[str, Any]:
    """Return what the pages of an answer say: texts, tables of texts, and pictures in a theme's colours.

    Parameters
    ----------
    font : see :func:`~breakrank.show.look.svg`.
    wide, small, narrow : widths of plots, px: of a line, of small multiples, of a line on a phone (0: none).
    """
    of = answer.provenance
    look = Look(theme, wide=wide, small=small, still=True)
    phone: dict[str, tuple[Panel, ...]] = {}
    if narrow:
        slim = Look(theme, wide=narrow, small=small, names=narrow // 3, still=True)
        phone = {one.name: plots for one, plots in drawn_figures(answer, slim) if not one.by}
    figures = [
        {
            "name": figure.name,
            "title": "" if answer.finding.startswith(figure.title.rstrip(".")) else figure.title,
            "note": figure.note,
            "many": bool(figure.by) and len(plots) > 1,
            "pictures": [
                Picture(
                    svg(one.drawn, theme, font),
                    svg(phone[figure.name][k].drawn, theme, font) if figure.name in phone else "",
                    one.sentence,
                )
                for k, one in enumerate(plots)
            ],
        }
        for figure, plots in drawn_figures(answer, look)
    ]
    tables = [
        {
            "name": table.name,
            "title": table.title,
            "note": note,
            "parts": [{"heading": heading, "grid": grid} for heading, grid in some],
        }
        for table, some, note in pages(answer)
    ]
    folded = [(t.title, t.note, list(parts(t))) for t in answer.tables if t.folded and len(t.rows)]
    versions = ", ".join(f"{name} {text}" for name, text in of.versions.items())
    notices = [("Changed case", of.changed)] if of.changed else []
    if of.missing:
        notices += [("Not all runs", of.missing)]
    else:
        notices += [("Not all runs", f"{len(of.failed):,} runs failed and are left out")] if of.failed else []
        notices += [("Interrupted", "this is of the runs that had finished")] if of.interrupted else []
    return {
        "title": answer.title,
        "subtitle": "" if answer.title.startswith(of.title) else of.title,
        "made": of.runs_said,
        "notices": notices,
        "finding": [(answer.finding, True)],
        "doubt": answer.doubt,
        "figures": figures,
        "tables": tables,
        "folded": folded,
        "said": list(answer.notes),
        "evidence": [(one.of, one.says, one.refs) for one in answer.evidence],
        "notes": list(made(of)),
        "remade": [f"Made by: {of.command}"] * bool(of.command)
        + [f"Digest: {of.digest[:DIGEST]}. {versions}."],
    }


def page(answer: Answer) -> str:
    """Return an answer as a page; it follows the reader's light or dark setting, and is light on paper."""
    return rendered("answer.html.j2", "answer.css", {"d": content(answer, PAGE, narrow=PHONE)})


def light(answer: Answer) -> dict[str, Any]:
    """Return what a page says with its pictures in light colours and the font of the package, for paper."""
    return content(answer, LIGHT, "Inter")
