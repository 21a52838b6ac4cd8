"""The report: one HTML file that holds everything and loads nothing.

Charts, numbers, the record and the evidence behind them stand in one page. A content security policy
written into the page lets only the page's own scripts run and no request leave it; Vega's expressions are
interpreted rather than compiled, so that the policy need not allow evaluation.
"""

from __future__ import annotations

import base64
import hashlib
import os
import tempfile
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.errors import UsageError
from breakrank.show.extras import require

if TYPE_CHECKING:
    from breakrank.results import Result


def write_report(result: Result, path: str | PathLike[str]) -> Path:
    """Write the report of a result as one HTML file, and return its path.

    The file appears whole or not at all: it is written under a temporary name beside its place and then
    renamed. The same result gives the same bytes.

    Raises
    ------
    UsageError
        when the folder does not exist or cannot be written to, `path` is a folder, or the optional extra
        ``report`` is not installed.
    """
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{target} is a folder; give the name of a file, such as {target / 'report.html'}")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}; make it first")
    text = render(result)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise UsageError(f"cannot write in {target.parent}: {error.strerror}") from error
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        part.chmod(0o644 & ~_umask())
        part.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return target


def render(result: Result) -> str:
    """Return the report of a result as one HTML page."""
    require("writing a report", "jinja2")
    import jinja2

    from breakrank.questions.run.report_content import content
    from breakrank.show.embed import embedded
    from breakrank.show.style import DARK, FONT, LIGHT, PAGE, config, css

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        loader=jinja2.DictLoader(_texts()),
    )
    plain = jinja2.Environment(autoescape=False, undefined=jinja2.StrictUndefined)
    style = plain.from_string(_texts()["report.css"]).render(
        light=css(LIGHT), dark=css(DARK), font=embedded_font(), family=FONT
    )
    page, specs = content(result)
    library, script = _texts()["vega.js"], _texts()["report.js"]
    return environment.get_template("report.html.j2").render(
        **page,
        style=style,
        specs=embedded(specs),
        config=embedded(config(PAGE)),
        library=library,
        script=script,
        policy=policy(style, (library, script)),
    )


def policy(style: str, scripts: tuple[str, ...]) -> str:
    """Return the content security policy of a page with these texts in its style and script elements."""
    allowed = " ".join(_hash(text) for text in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; "
        "font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _texts() -> dict[str, str]:
    folder = resources.files("breakrank.show") / "assets"
    names = ("report.html.j2", "report.css", "report.js", "vega.js")
    return {name: (folder / name).read_text("utf-8") for name in names}


@cache
def embedded_font() -> str:
    """Return the font of pages, base64."""
    file = resources.files("breakrank.show") / "assets" / "inter-latin.woff2"
    return base64.b64encode(file.read_bytes()).decode()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
