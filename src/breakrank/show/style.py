"""The look of every chart: one meaning per hue, one type scale, light and dark.

A colour never changes its meaning between charts. Hues are told apart by luminance or by dash as well, so
that no chart needs colour vision. Three themes carry the same roles: :data:`LIGHT` and :data:`DARK` hold
hex colours for notebooks and images; :data:`PAGE` holds CSS variables, so that one drawn chart follows the
reader's light or dark setting and turns light on paper.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

FONT = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

TEXT = 13
"""Size of running text, px."""
SMALL = 11
"""Size of axis labels and notes, px."""

GONE = ("#f6f1e7", "#f5dcb4", "#f3b877", "#e78c45", "#c9602a", "#943a17", "#571b07")
"""Share gone, from none to most; luminance falls at every step."""
OPPOSED = ("#f4f0f6", "#e2d3e8", "#c9abd3", "#a97fba", "#86559c", "#623478", "#3c1650")
"""Share privately opposed, in the same steps as :data:`GONE`."""

SMALL_WIDTH, WIDE_WIDTH = 230, 838
"""Widths of the plot where the page does not decide, px."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role.

    Attributes
    ----------
    name : ``"light"``, ``"dark"`` or ``"page"``.
    paper, ink, muted, hairline, axis : ground, text, secondary text, grid, axis line.
    baseline : what the model gives (lines at full strength, bands as tints of it).
    counterfactual, difference : kept for comparisons; the first is always dashed.
    opposed : private opposition.
    believed : what soldiers believe of each other; always dashed.
    loyal : those who stay and are not opposed.
    out, hidden, caught : who left and got out, who is on the way or hiding, who was caught or died.
    voice : who plots and rises.
    given : dated series that go into the model rather than come out of it.
    record : what was counted in the world.
    outlined : draw bands with dashed edges and no fill, since they hold chance alone.
    """

    name: str
    paper: str
    ink: str
    muted: str
    hairline: str
    axis: str
    baseline: str
    counterfactual: str
    difference: str
    opposed: str
    believed: str
    loyal: str
    out: str
    hidden: str
    caught: str
    voice: str
    given: str
    record: str
    outlined: bool = field(default=False, kw_only=True)


LIGHT = Theme(
    name="light",
    paper="#ffffff",
    ink="#18212b",
    muted="#5a6572",
    hairline="#e3e7ec",
    axis="#aab3bd",
    baseline="#1f5f99",
    counterfactual="#b0500b",
    difference="#4d4378",
    opposed=OPPOSED[4],
    believed="#3f4b57",
    loyal="#d5dde6",
    out=GONE[2],
    hidden=GONE[4],
    caught=GONE[6],
    voice="#2a8c82",
    given="#3f4b57",
    record="#18212b",
)

DARK = Theme(
    name="dark",
    paper="#13171c",
    ink="#e7ebf0",
    muted="#9aa6b3",
    hairline="#28303a",
    axis="#56616d",
    baseline="#6db1ea",
    counterfactual="#f29b5a",
    difference="#a99fe0",
    opposed="#b689ca",
    believed="#c3ccd6",
    loyal="#3a4653",
    out="#a5562c",
    hidden="#e78c45",
    caught="#f8e2c0",
    voice="#3fae9f",
    given="#c3ccd6",
    record="#f4f6f9",
)

ROLES = tuple(f.name for f in fields(Theme) if f.type == "str" and f.name != "name")
"""The roles of :class:`Theme`, in order."""

PAGE = Theme("page", *(f"var(--{role.replace('_', '-')})" for role in ROLES))


def css(theme: Theme) -> str:
    """Return the CSS declarations that give :data:`PAGE` the colours of `theme`."""
    return " ".join(f"--{role.replace('_', '-')}: {getattr(theme, role)};" for role in ROLES)


def config(theme: Theme) -> dict[str, Any]:
    """Return the Vega-Lite ``config`` of `theme`: hairline grid, no frame, no tick marks, quiet labels."""
    return {
        "background": None if theme.name == "page" else theme.paper,
        "font": FONT,
        "aria": False,  # the holder of a chart carries one sentence; hundreds of marks must not be read out
        "padding": {"left": 2, "top": 4, "right": 6, "bottom": 4},
        "view": {"stroke": None, "discreteWidth": SMALL_WIDTH, "continuousWidth": SMALL_WIDTH},
        "axis": {
            "labelFont": FONT,
            "titleFont": FONT,
            "labelFontSize": SMALL,
            "titleFontSize": SMALL,
            "titleFontWeight": "normal",
            "labelColor": theme.muted,
            "titleColor": theme.muted,
            "gridColor": theme.hairline,
            "domainColor": theme.axis,
            "ticks": False,
            "labelPadding": 6,
        },
        "axisX": {"grid": False, "domain": True, "labelOverlap": "greedy", "labelSeparation": 8},
        "axisY": {"grid": True, "domain": False, "tickCount": 4},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "font": FONT,
            "subtitleFont": FONT,
            "fontSize": TEXT - 1,
            "fontWeight": 600,
            "color": theme.ink,
            "subtitleFontSize": SMALL + 1,
            "subtitleColor": theme.muted,
            "subtitlePadding": 3,
            "offset": 8,
        },
        "text": {"font": FONT, "fontSize": SMALL, "color": theme.ink},
        "line": {"strokeJoin": "round"},
        "concat": {"spacing": 28},
    }
