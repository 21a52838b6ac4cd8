"""Every classic prints itself as a tree, draws itself, and says its finding in the heading."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from breakrank_classics.epstein import Contrast, Unrest, civil_violence, loss
from breakrank_classics.granovetter import NormalCrowd, cascade
from breakrank_classics.kuran import opposition
from breakrank_classics.morris_shin import RegimeGame
from tests.show.valid import validated

vl_convert = pytest.importorskip("vl_convert")


def unrest(over: int) -> Unrest:
    return civil_violence(loss(at=2, over=over, steps=8), size=16, vision=3, cops=0.08)


SHOWN: list[tuple[Callable[[], Any], str]] = [
    (lambda: cascade(range(100)), "100 of 100 act"),
    (lambda: cascade([5]), "0 of 1 act"),
    (lambda: NormalCrowd(25, 12), "4.02 of 100 act"),
    (opposition, "10% oppose openly"),
    (lambda: opposition().after(1, 10), "From 10% to 90% in open opposition"),
    (lambda: RegimeGame(0.3), "θ* = 0.700"),
    (lambda: RegimeGame(0.5, 10, 10, 0.5), "3 equilibria: θ* = 0.107, 0.500, 0.893"),
    (lambda: unrest(1), "in 8 steps"),
    (lambda: Contrast(unrest(1), unrest(4)), "At once: "),
]


@pytest.mark.parametrize(("made", "finding"), SHOWN)
def test_a_chart_is_valid_and_says_what_was_found(made: Callable[[], Any], finding: str) -> None:
    classic = made()
    assert all(line.startswith(("├── ", "│   ", "└── ", "    ")) for line in repr(classic).splitlines()[1:])
    spec = validated(classic.plot())
    svg = vl_convert.vegalite_to_svg(json.dumps(spec))
    assert finding.split(",")[0] in svg
    assert "NaN" not in svg
