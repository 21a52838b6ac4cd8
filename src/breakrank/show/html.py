"""Pages that hold everything and load nothing: their templates, their font and their policy.

A content security policy written into the page lets no script run and no request leave it.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from breakrank.show.style import DARK, FONT, LIGHT, css


def packed(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return rows by column; dates that follow each other evenly as the first and the step in days.

    >>> packed([{"date": "2019-01-01", "n": 1}, {"date": "2019-01-08", "n": 2}])
    {'n': 2, 'columns': {'date': {'from': '2019-01-01', 'step': 7}, 'n': [1, 2]}}
    """
    keys = dict.fromkeys(k for row in rows for k in row)
    columns: dict[str, Any] = {key: [row.get(key) for row in rows] for key in keys}
    if "date" in columns:
        columns["date"] = _even(columns["date"])
    return {"n": len(rows), "columns": columns}


def _even(dates: list[str]) -> list[str] | dict[str, Any]:
    days = [dt.date.fromisoformat(d).toordinal() for d in dates]
    steps = {b - a for a, b in pairwise(days)}
    return {"from": dates[0], "step": steps.pop()} if len(steps) == 1 else dates


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart as SVG, for wide and for narrow pages where it differs, and the sentence that tells it."""

    wide: str
    narrow: str
    sentence: str


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
    return (
        f"default-src 'none'; script-src 'none'; style-src {_hash(style)}; "
        "font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def asset(name: str) -> str:
    """Return a text of the package's folder of assets."""
    return (resources.files("breakrank.show") / "assets" / name).read_text("utf-8")


@cache
def _font() -> str:
    """Return the font of pages, base64."""
    file = resources.files("breakrank.show") / "assets" / "inter-latin.woff2"
    return base64.b64encode(file.read_bytes()).decode()
