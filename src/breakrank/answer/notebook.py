"""An answer in a notebook: a fragment of HTML in the notebook's own colours and type."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from breakrank.answer.html import content
from breakrank.show.style import LIGHT

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.show.grid import GridTable


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
        lines += [
            f'<figure style="{place}" role="img" aria-label="{escape(one.sentence)}">{one.wide}</figure>'
            for one in figure["pictures"]
        ]
    for table in d["tables"]:
        lines += [_table(part["heading"] or table["title"], part["grid"]) for part in table["parts"]]
    lines += ["<ul>", *(f"<li>{escape(note)}</li>" for note in (*d["said"], *d["notes"])), "</ul>"]
    return "\n".join(lines)


def _table(caption: str, grid: GridTable) -> str:
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in grid.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in grid.rows)
    body = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
    return f"<table><caption>{escape(caption)}</caption>{body}</table>"
