"""How charts are drawn, and their drawing without a browser."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from breakrank.show import vegalite as vl
from breakrank.show.axes import GUTTER
from breakrank.show.style import LIGHT, SMALL_WIDTH, WIDE_WIDTH, Theme, config

if TYPE_CHECKING:
    from breakrank.show.vegalite import Drawn, Width

Size = Literal["wide", "half", "small"]


@dataclass(frozen=True, slots=True)
class Look:
    """How charts are drawn.

    Attributes
    ----------
    wide, small : widths, px: of a whole line, and of small multiples.
    names : room for the names of rows, px.
    still : leave out what answers to a pointer, for paper and pages without scripts.
    page : a page decides the widths of plots.
    """

    theme: Theme = LIGHT
    wide: int = WIDE_WIDTH
    small: int = SMALL_WIDTH
    names: int = 196
    still: bool = False
    page: bool = False

    def width(self, size: Size) -> Width:
        """Return the width of a plot."""
        if self.page:
            return "container"
        return {"wide": self.wide, "half": (self.wide - 74) // 2, "small": self.small}[size]


def svg(drawn: Drawn, theme: Theme, font: str = "") -> str:
    """Return a chart as one SVG element without scripts, styles or links; the same chart gives the same text.

    Parameters
    ----------
    font : named for all text; without one, text is set in the font around it.
    """
    text = vl.Chart(drawn.spec() | {"config": config(theme)}).svg()
    text = re.sub(r' (?:role|aria-[a-z]+|class|pointer-events)="[^"]*"', "", text)
    text = re.sub(r' font-family="[^"]*"', f' font-family="{font}"' if font else "", text)
    text = re.sub(r'<text [^>]*opacity="0"[^>]*>[^<]*</text>', "", text)
    text = text.replace(' xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1"', "")
    return _own_ids(text)


def _own_ids(text: str) -> str:
    """Return a drawing whose ids follow from what it shows: apart from others', and the same each time."""
    found = {name: k for k, name in enumerate(dict.fromkeys(re.findall(r'\bid="([^"]+)"', text)))}
    mark = hashlib.sha256(re.sub(r'(\bid="|url\(#)[^")]+', r"\1", text).encode()).hexdigest()[:8]
    return re.sub(
        r'(\bid="|url\(#)([^")]+)', lambda m: f"{m[1]}c{mark}-{found[m[2]]}" if m[2] in found else m[0], text
    )


def titled(text: str, lines: list[str] | str, look: Look, width: int, colour: str = "") -> vl.Title:
    """Return the heading of a chart: what it is, and below it what it says."""
    return vl.Title(
        text=text,
        subtitle=lines,
        limit=width + GUTTER,
        subtitleColor=colour or look.theme.muted,
        subtitleFontWeight=500,
    )
