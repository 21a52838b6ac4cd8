"""Designs and tipping lines: where a sweep looks, and where an outcome tips."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import breakrank
from breakrank.errors import UsageError
from breakrank.questions.sweep import Axis, axes, contour, points, steep, tips, triangles

X = Axis("a.x", "utility", 0.0, 2.0, 5)
Y = Axis("b.y", "share", 10.0, 20.0, 3)


@pytest.fixture(scope="module")
def case() -> breakrank.Case:
    return breakrank.load_case("venezuela-2019", "point")


def test_a_grid_is_every_value_with_every_other() -> None:
    assert [p[0] for p in points([X])] == [0, 0.5, 1, 1.5, 2]
    assert len(points([X, Y])) == 15
    assert points([X, Y])[:4] == [(0, 10), (0, 15), (0, 20), (0.5, 10)]


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ([], "one or two parameters, not 0"),
        (["fear.risk_wait=0:1"], "did you mean 'fear.risk_weight'"),
        (["fear.risk_weight=2:1"], "rising numbers from 0"),
        (["fear.on=0:1:3"], "a switch is swept as 0:1:2"),
    ],
)
def test_ranges_that_are_none(case: breakrank.Case, texts: list[str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        axes(texts, case)


def held(chances: list[float], runs: int = 100) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return outcomes with exactly these shares, in nested sets of runs."""
    return np.array([np.arange(runs) < round(c * runs) for c in chances])


def test_a_chance_tips_where_a_straight_line_passes_the_level() -> None:
    found = tips([2.0, 0.0, 1.0], held([1.0, 0.0, 0.4]), (0.05, 0.5, 0.95))
    assert [(t.level, t.rises) for t in found] == [(0.05, True), (0.5, True), (0.95, True)]
    assert [t.value for t in found] == pytest.approx([0.125, 1 + 1 / 6, 1 + 0.55 / 0.6])
    assert all(t.low <= t.value <= t.high for t in found)
    assert found[1].high - found[1].low < 0.5
    assert not tips([0.0, 1.0], held([0.0, 0.0]))
    down, up = tips([0.0, 1.0, 2.0], held([1.0, 0.0, 1.0]), (0.5,))
    assert (down.rises, up.rises) == (False, True)


def test_a_place_that_few_runs_show_may_lie_beyond_the_range() -> None:
    x = [0.0, 6.0, 8.0, 10.0]
    once, never = held([0.1, 0.1, 0.1, 0.0], 10), held([0.0, 0.0, 0.0, 0.1], 10)
    (fall,), (rise,) = (tips(x, some, (0.05,)) for some in (once, never))
    assert (fall.value, fall.low) == (9.0, 0.0), "a third of the draws again have no run that falls at all"
    assert (rise.value, rise.high) == (9.0, 10.0)
    often = tips(x, held([1.0, 1.0, 1.0, 0.9], 10), (0.95,))[0]
    assert (often.high, often.rises) == (10.0, False)


def test_runs_of_one_draw_are_drawn_again_together() -> None:
    alike = np.repeat(held([0.0, 0.5, 1.0], 50), 2, axis=1)  # the two runs of a draw always end alike
    draw = np.repeat(np.arange(50), 2)
    (one,) = tips([0.0, 1.0, 2.0], held([0.0, 0.5, 1.0], 50), (0.4,))
    (pairs,) = tips([0.0, 1.0, 2.0], alike, (0.4,), draw)
    (single,) = tips([0.0, 1.0, 2.0], alike, (0.4,))
    assert (pairs.value, pairs.low, pairs.high) == (one.value, one.low, one.high), (
        "a second run tells nothing"
    )
    assert pairs.high - pairs.low > 1.2 * (single.high - single.low)


def test_intervals_of_a_place_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(8)
    draw = np.repeat(np.arange(40), 2)
    x = np.linspace(-2.5, 2.5, 11)
    counts = {"together": 0, "one by one": 0}
    for _ in range(100):
        sunk = 0.95**0.5 * rng.standard_normal(40)[draw] + 0.05**0.5 * rng.standard_normal(80)
        have = x[:, None] > sunk  # passes one half at 0
        for name, rows in (("together", draw), ("one by one", None)):
            (found,) = tips(x, have, (0.5,), rows)
            counts[name] += found.low <= 0 <= found.high
    assert 0.9 <= counts["together"] / 100 <= 0.99
    assert counts["one by one"] / 100 < 0.88


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=8), st.floats(0.01, 0.99))
def test_a_line_tips_as_often_as_it_passes(chances: list[float], level: float) -> None:
    found = tips(list(range(len(chances))), held(chances, 20), (level,))
    above = held(chances, 20).mean(1) >= level
    assert len(found) == int((above[1:] != above[:-1]).sum())
    assert all(a.rises != b.rises for a, b in itertools.pairwise(found)), "up and down in turns"


def test_a_contour_of_a_plane_is_a_straight_line() -> None:
    at = np.array([(x, y) for x in np.linspace(0, 1, 6) for y in np.linspace(0, 1, 5)])
    pieces = contour(at, at @ (1.0, 1.0), triangles(at), 0.77)
    for x, y, x2, y2 in pieces:
        assert x + y == pytest.approx(0.77)
        assert x2 + y2 == pytest.approx(0.77)
    length = sum(np.hypot(x2 - x, y2 - y) for x, y, x2, y2 in pieces)
    assert length == pytest.approx(0.77 * 2**0.5)
    assert contour(at, at @ (1.0, 1.0), triangles(at), 2.5) == []


def test_it_looks_more_closely_where_it_is_steep() -> None:
    x = np.linspace(0, 1, 6)[:, None]
    between = steep(x, [np.array([0, 0, 0, 1.0, 1, 1])], 3)
    assert [b.tolist() for b in between] == [[pytest.approx(0.5)]]
    assert steep(x, [np.linspace(0, 0.5, 6)], 3) == [], "an even slope needs no closer look"
    at = np.array([(x, y) for x in np.linspace(0, 1, 4) for y in np.linspace(0, 1, 4)])
    for place in steep(at, [(at[:, 0] > 0.5).astype(float)], 5):
        assert place[0] == pytest.approx(0.5)
