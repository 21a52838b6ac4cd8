"""An answer as one HTML page, and on paper: PDF set without a browser, readable by screen readers."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

from breakrank.answer.cells import made, pages, parts, split
from breakrank.answer.charts import drawn_figures
from breakrank.errors import BreakrankError
from breakrank.show.axes import Look, svg
from breakrank.show.extras import require
from breakrank.show.style import DARK, FONT, LIGHT, PAGE, Theme, css

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.answer.cells import GridTable
    from breakrank.answer.charts import Panel


DIGEST = 16
"""Characters of a digest that are printed; files have it whole."""
WIDE, SMALL, PHONE = 740, 200, 330
"""Widths of plots, px: across a page, of small multiples, and on a phone."""


def content(answer: Answer, theme: Theme, font: str = "", narrow: int = 0) -> dict[str, Any]:
    """Return the content of an answer's pages: texts, tables of texts, and pictures in a theme's colours.

    A picture is SVG, for wide and for narrow pages where it differs, and the sentence that tells it.

    Parameters
    ----------
    font : see :func:`~breakrank.show.axes.svg`.
    narrow : width of plots on a phone, px; 0 for none.
    """
    of = answer.provenance
    look = Look(theme, wide=WIDE, small=SMALL, still=True)
    phone: dict[str, tuple[Panel, ...]] = {}
    if narrow:
        slim = Look(theme, wide=narrow, small=SMALL, names=narrow // 3, still=True)
        phone = {one.name: plots for one, plots in drawn_figures(answer, slim) if not one.by}
    figures = [
        {
            "name": figure.name,
            "title": "" if answer.finding.startswith(figure.title.rstrip(".")) else figure.title,
            "note": figure.note,
            "many": bool(figure.by) and len(plots) > 1,
            "pictures": [
                {
                    "wide": svg(one.drawn, theme, font),
                    "narrow": svg(phone[figure.name][k].drawn, theme, font) if figure.name in phone else "",
                    "sentence": one.sentence,
                }
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
        "said": [note.replace("`", "") for note in answer.notes],
        "evidence": [(one.of, one.says, one.refs) for one in answer.evidence],
        "notes": list(made(of)),
        "remade": [f"Made by: {of.command}"] * bool(of.command)
        + [f"Digest: {of.digest[:DIGEST]}. {versions}."],
    }


def page(answer: Answer) -> str:
    """Return an answer as a page; it follows the reader's light or dark setting, and is light on paper."""
    return rendered("answer.html.j2", "answer.css", {"d": content(answer, PAGE, narrow=PHONE)})


def rendered(template: str, style: str, values: Mapping[str, object]) -> str:
    """Return a page from a template and a style sheet of the package; the same values give the same text.

    Parameters
    ----------
    template, style : names of files in ``assets``; what all pages share is in ``page.css``.
    """
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        loader=jinja2.FunctionLoader(asset),
    )
    plain = jinja2.Environment(autoescape=False, undefined=jinja2.StrictUndefined)
    rules = plain.from_string(asset("page.css") + asset(style)).render(
        light=css(LIGHT), dark=css(DARK), font=_font(), family=FONT
    )
    return environment.get_template(template).render(**values, style=rules, policy=_policy(rules))


def _policy(style: str) -> str:
    """Return the content security policy of a page with this text in its style element, and no script."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'none'; style-src 'sha256-{digest}'; "
        "font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def asset(name: str) -> str:
    """Return a text of the package's folder of assets."""
    return (resources.files("breakrank.show") / "assets" / name).read_text("utf-8")


@cache
def _font() -> str:
    """Return the font of pages, base64."""
    file = resources.files("breakrank.show") / "assets" / "inter-latin.woff2"
    return base64.b64encode(file.read_bytes()).decode()


def fragment(answer: Answer) -> str:
    """Return finding, charts, tables and notes as HTML, in the type of the notebook."""
    d = content(answer, LIGHT)
    lines = [
        f"<h3>{escape(d['title'])}</h3><p><strong>{escape(answer.finding)}</strong> {escape(d['doubt'])}</p>"
    ]
    lines += [f"<p><strong>{escape(name)}</strong> {escape(text)}</p>" for name, text in d["notices"]]
    for figure in d["figures"]:
        lines += [f"<h4>{escape(figure['title'])}</h4>"] if figure["title"] else []
        place = "display: inline-block; margin: 0 20px 12px 0" if figure["many"] else "margin: 0"
        for one in figure["pictures"]:
            told = escape(one["sentence"])
            lines.append(f'<figure style="{place}" role="img" aria-label="{told}">{one["wide"]}</figure>')
    for table in d["tables"]:
        lines += [_table(part["heading"] or table["title"], part["grid"]) for part in table["parts"]]
    lines += ["<ul>", *(f"<li>{escape(note)}</li>" for note in (*d["said"], *d["notes"])), "</ul>"]
    return "\n".join(lines)


def _table(caption: str, grid: GridTable) -> str:
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in grid.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in grid.rows)
    body = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
    return f"<table><caption>{escape(caption)}</caption>{body}</table>"


ACROSS = 118
"""Characters that stand side by side on a page."""
PAGES = 12
"""Pages that an answer may take at most."""
SCALES = (1.12, 1.06, 1.0, 0.95, 0.9, 0.85, 0.8, 0.74, 0.68, 0.62)
"""By what text is scaled, until the pages hold it all."""
OWN = {"plan": ("plan.typ", 3)}
"""Questions whose answers have a template of their own, and the pages that it may take."""


def pdf(answer: Answer) -> bytes:
    """Return an answer as PDF, tagged for screen readers (PDF/UA-1), in the largest type that fits its pages.

    The same answer gives the same bytes.

    Raises
    ------
    UsageError
        where the optional extra ``plan`` is not installed.
    BreakrankError
        if it cannot be set on so many pages.
    """
    told = content(answer, LIGHT, "Inter")
    del told["folded"]
    for table in told["tables"]:
        table["parts"] = [
            {"heading": "" if k else one["heading"], "grid": asdict(piece)}
            for one in table["parts"]
            for k, piece in enumerate(split(one["grid"], ACROSS))
        ]
    template, pages = OWN.get(answer.question, ("answer.typ", PAGES))
    require("writing a PDF", "typst", extra="plan")
    import typst

    document = json.dumps({**told, "theme": asdict(LIGHT)}, ensure_ascii=False)
    inputs = {"document": document, "paper": "a4"}
    with resources.as_file(resources.files("breakrank.show") / "assets") as assets:
        compiler = typst.Compiler(
            str(assets / template), root=str(assets), font_paths=[str(assets)], ignore_system_fonts=True
        )
        for scale in SCALES:
            inputs["scale"] = str(scale)
            try:
                made = compiler.compile(sys_inputs=inputs, format="pdf", timestamp=0, pdf_standards="ua-1")
            except typst.TypstError as error:
                said = str(error).partition("\n")[0]
                raise BreakrankError(
                    f"this cannot be set on paper: {said}\n  Where a letter is in none of the fonts that "
                    "come with Breakrank, take the HTML and print it, or the workbook."
                ) from error
            taken = json.loads(compiler.query("<pages>", field="value", one=True))
            if taken <= pages and isinstance(made, bytes):
                return made
    raise BreakrankError(f"this has too much to say for {pages} pages of PDF; take the tables or a workbook")
