"""The document of a plan as one HTML file that holds everything, loads nothing and runs nothing."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from breakrank.show.extras import require

if TYPE_CHECKING:
    from breakrank.questions.plan.result import Plan


def render(plan: Plan) -> str:
    """Return the document of a plan as an HTML page, two pages long on A4 or Letter paper.

    The same plan gives the same text.

    Raises
    ------
    UsageError
        where the optional extra ``report`` is not installed.
    """
    require("writing a plan as HTML", "jinja2", "vl_convert")
    import jinja2

    from breakrank.questions.plan.document import document
    from breakrank.questions.run.report import embedded_font, policy
    from breakrank.show.style import DARK, FONT, LIGHT, PAGE, css

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    plain = jinja2.Environment(autoescape=False, undefined=jinja2.StrictUndefined)
    style = plain.from_string(_text("plan.css")).render(
        light=css(LIGHT), dark=css(DARK), font=embedded_font(), family=FONT
    )
    page = environment.from_string(_text("plan.html.j2"))
    return page.render(d=document(plan, PAGE), style=style, policy=policy(style, ()))


@cache
def _text(name: str) -> str:
    return (resources.files("breakrank.show") / "assets" / name).read_text("utf-8")
