"""Every classic draws itself, in both themes, and says its finding in the heading."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from breakrank.errors import UsageError
from breakrank.show.style import DARK, LIGHT, ROLES
from breakrank_classics.epstein import Contrast, Unrest, civil_violence, loss
from breakrank_classics.granovetter import NormalCrowd, cascade
from breakrank_classics.kuran import opposition
from breakrank_classics.morris_shin import RegimeGame
from tests.show.valid import validated

vl_convert = pytest.importorskip("vl_convert")


def unrest(over: int) -> Unrest:
    return civil_violence(loss(at=2, over=over, steps=8), size=16, vision=3, cops=0.08)


FIXED = {getattr(LIGHT, role) for role in ROLES} & {getattr(DARK, role) for role in ROLES}
"""Colours that both themes share."""
SHOWN: list[tuple[Callable[[], Any], str]] = [
    (lambda: cascade(range(100)), "100 of 100 act"),
    (lambda: cascade([0, 2, *range(2, 100)]), "1 of 100 act"),
    (lambda: cascade([5]), "0 of 1 act"),
    (lambda: NormalCrowd(25, 12), "4.02 of 100 act"),
    (lambda: NormalCrowd(60, 12), "0.00 of 100 act"),
    (opposition, "10% oppose openly"),
    (lambda: opposition().after(1, 10), "From 10% to 90% in open opposition"),
    (lambda: RegimeGame(0.3), "θ* = 0.700"),
    (lambda: RegimeGame(0.5, 10, 5, 0.4), "θ* = 0.659"),
    (lambda: RegimeGame(0.5, 10, 10, 0.5), "3 equilibria: θ* = 0.107, 0.500, 0.893"),
    (lambda: unrest(1), "in 8 steps"),
    (lambda: Contrast(unrest(1), unrest(4)), "At once: "),
]


@pytest.mark.parametrize(("made", "finding"), SHOWN)
def test_a_chart_is_valid_and_says_what_was_found(made: Callable[[], Any], finding: str) -> None:
    spec = validated(made().plot())
    svg = vl_convert.vegalite_to_svg(json.dumps(spec))
    assert finding.split(",")[0] in svg
    assert "NaN" not in svg


@pytest.mark.parametrize(("made", "finding"), SHOWN[::3])
def test_no_colour_of_the_light_theme_is_left_in_the_dark_one(made: Callable[[], Any], finding: str) -> None:
    drawn = json.dumps(made().plot(theme="dark"), ensure_ascii=False)
    assert finding in drawn
    assert DARK.paper in drawn
    assert not {colour for role in ROLES if (colour := getattr(LIGHT, role)) in drawn} - FIXED


def shown(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the rows that each layer of a specification shows."""
    return [layer["data"]["values"] for chart in spec["hconcat"] for layer in chart["layer"]]


def test_unstable_fixed_points_are_hollow() -> None:
    spec: Any = NormalCrowd(25, 12).plot()
    dots = [row for rows in shown(spec) for row in rows if "fill" in row]
    assert [row["fill"] for row in dots if row["x"] == row["y"]] == [LIGHT.record, LIGHT.paper, LIGHT.record]


def test_the_branch_between_the_turns_of_a_game_is_the_unstable_one() -> None:
    game = RegimeGame(0.5, 10, 10, 0.5)
    spec: Any = game.plot()
    branches = [
        [(row["x"], row["y"]) for row in layer["data"]["values"]]
        for layer in spec["hconcat"][0]["layer"]
        if layer["mark"].get("strokeDash") == [5, 3]
    ]
    (middle,) = branches
    for seen, strength in middle[1:-1:40]:
        found = RegimeGame(0.5, 10, 10, seen).equilibria
        near = min(found, key=lambda e: abs(e.strength - strength))
        assert near.strength == pytest.approx(strength, abs=1e-6)
        assert not near.stable


def test_the_torus_shows_everyone_who_is_not_in_jail() -> None:
    run = unrest(1)
    spec: Any = run.plot()
    squares = [row for rows in shown(spec) for row in rows if "kind" in row]
    assert len(squares) == np.count_nonzero(run.height)


def test_an_unknown_theme_is_an_error() -> None:
    with pytest.raises(UsageError, match="theme is 'blue'; it must be 'light' or 'dark'"):
        opposition().plot(theme="blue")
