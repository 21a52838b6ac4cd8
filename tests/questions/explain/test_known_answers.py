"""Screening and shares of variance on functions whose answers are known, with luck among their arguments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from breakrank.questions.explain.screening import Screened, screen
from breakrank.questions.explain.sobol import (
    LUCK,
    OTHERS,
    TOGETHER,
    Group,
    Share,
    exchanged,
    groups,
    halves,
    shares,
    swapped,
)

Numbers = NDArray[np.float64]
MANY = 203


def ishigami(x: Numbers) -> Numbers:
    """Ishigami and Homma (1990), a = 7, b = 0.1, on [0, 1]."""
    z = np.pi * (2 * x - 1)
    return np.asarray(np.sin(z[:, 0]) + 7 * np.sin(z[:, 1]) ** 2 + 0.1 * z[:, 2] ** 4 * np.sin(z[:, 0]))


FIRST, TOTAL = (0.3139, 0.4424, 0.0), (0.5576, 0.4424, 0.2437)
VARIANCE = 13.8446
"""Of Ishigami's function; its indices are those of Sobol and Levitan (1999)."""
V = 1 / (3 * (1 + np.array([0, 1, 4.5, 9, 99.0])) ** 2)
"""Parts of the variance of the g-function (Saltelli and Sobol 1995)."""
WHOLE = np.prod(1 + V) - 1


def sobol_g(x: Numbers) -> Numbers:
    """Sobol's g-function with a = 0, 1, 4.5, 9, 99."""
    a = np.array([0, 1, 4.5, 9, 99.0])
    return np.asarray(np.prod((np.abs(4 * x[:, :5] - 2) + a) / (1 + a), axis=1))


def luck(numbers: Numbers, seed: int = 5) -> Numbers:
    """Return the luck of runs by their number, standard normal."""
    return np.random.default_rng(seed).standard_normal(100_000)[np.asarray(numbers, int)]


def design(
    f: Callable[[Numbers, Numbers], Numbers], inputs: int, own: list[Group], rows: int, seed: int = 1
) -> dict[str, Share]:
    """Return the shares of f(x, luck) as an explanation makes them: run k has luck k."""
    table = np.random.default_rng(seed).random((2 * rows, inputs))
    a, b = halves(table, rows)
    whole = np.arange(2 * rows)
    plain = f(table, luck(whole))
    f_ab = {g.name: f(exchanged(a, b, g.columns), luck(whole[:rows])) for g in own}
    told = shares(plain[:rows], plain[rows:], f_ab, f(swapped(a, b), luck(whole)), seed, 200)
    return {s.group: s for s in told}


def each(inputs: int) -> list[Group]:
    return [Group(str(k), (k,)) for k in range(inputs)]


def test_ishigami_without_luck() -> None:
    found = design(lambda x, _: ishigami(x), 3, each(3), 8192)
    for k in range(3):
        assert found[str(k)].first == pytest.approx(FIRST[k], abs=0.03)
        assert found[str(k)].total == pytest.approx(TOTAL[k], abs=0.03)
    assert found[LUCK].first == found[LUCK].total == 0
    assert found[TOGETHER].first == pytest.approx(1, abs=0.03)
    assert found[TOGETHER].total == pytest.approx(1, abs=0.03)


def test_luck_takes_its_share() -> None:
    """Noise of a quarter of the whole variance leaves three quarters of every other share."""
    noise = np.sqrt(VARIANCE / 3)
    found = design(lambda x, w: ishigami(x) + noise * w, 3, each(3), 8192)
    assert found[LUCK].first == pytest.approx(0.25, abs=0.02)
    assert found[LUCK].total == pytest.approx(0.25, abs=0.02)
    assert found[TOGETHER].total == pytest.approx(0.75, abs=0.03)
    for k in range(3):
        assert found[str(k)].first == pytest.approx(0.75 * FIRST[k], abs=0.03)
        assert found[str(k)].total == pytest.approx(0.75 * TOTAL[k], abs=0.03)


def test_luck_that_works_through_a_parameter() -> None:
    """f = x w with x around 0: neither alone explains anything, together all of it."""
    found = design(lambda x, w: (x[:, 0] - 0.5) * w, 2, each(2), 8192)
    assert found[LUCK].first == pytest.approx(0, abs=0.05)
    assert found[LUCK].total == pytest.approx(1, abs=0.05)
    assert found["0"].first == pytest.approx(0, abs=0.05)
    assert found["0"].total == pytest.approx(1, abs=0.05)
    assert found["1"].total == 0
    assert not found["1"].told


def test_the_g_function_alone_and_in_groups() -> None:
    found = design(lambda x, _: sobol_g(x), 5, each(5), 8192)
    for k in range(5):
        assert found[str(k)].first == pytest.approx(V[k] / WHOLE, abs=0.03)
        assert found[str(k)].total == pytest.approx(V[k] * np.prod(1 + V) / (1 + V[k]) / WHOLE, abs=0.03)
    # the closed index of a group is what its members do alone and among themselves
    group = design(lambda x, _: sobol_g(x), 5, [Group("both", (0, 1)), Group("rest", (2, 3, 4))], 8192)
    closed = (np.prod(1 + V[:2]) - 1) / WHOLE
    assert group["both"].first == pytest.approx(closed, abs=0.03)
    assert group["rest"].total == pytest.approx(1 - closed, abs=0.03)


def test_the_indices_are_scipys() -> None:
    table = np.random.default_rng(3).random((512, 3))
    a, b = halves(table, 256)
    f_ab = {str(k): ishigami(exchanged(a, b, (k,))) for k in range(3)}
    told = shares(ishigami(a), ishigami(b), f_ab, ishigami(swapped(a, b)), 0, 10)[2:]
    given = {"f_A": ishigami(a)[None], "f_B": ishigami(b)[None], "f_AB": np.stack([*f_ab.values()])[:, None]}
    known = stats.sobol_indices(func=given, n=256)
    assert [s.first for s in told] == pytest.approx(known.first_order.ravel().tolist())
    assert [s.total for s in told] == pytest.approx(known.total_order.ravel().tolist())


def test_intervals_cover() -> None:
    """95% intervals hold the known answer about as often as they say."""
    inside = []
    for seed in range(40):
        found = design(lambda x, _: ishigami(x), 3, each(3), 256, seed)
        told = [found[str(k)] for k in range(3)]
        inside += [s.first_low <= known <= s.first_high for s, known in zip(told, FIRST, strict=True)]
        inside += [s.total_low <= known <= s.total_high for s, known in zip(told, TOTAL, strict=True)]
    assert 0.88 <= np.mean(inside) <= 0.99


def test_the_same_seed_gives_the_same_and_lost_runs_are_left_out() -> None:
    def f(x: Numbers, w: Numbers) -> Numbers:
        out = ishigami(x) + w
        out[7] = np.nan
        return out

    assert design(f, 3, each(3), 64) == design(f, 3, each(3), 64)
    assert np.isfinite(design(f, 3, each(3), 64)["1"].total)
    flat = design(lambda x, _: np.ones(len(x)), 3, each(3), 64)
    assert all(np.isnan(s.first) and np.isnan(s.total) and not s.told for s in flat.values())


@pytest.mark.parametrize("noise", [0.33, 0.8])
def test_screening_finds_the_three_among_two_hundred(noise: float) -> None:
    """The third acts only through the first: it is found by the spread."""
    rng = np.random.default_rng(11)
    x = rng.random((1024, MANY))
    y = ishigami(x) + noise * np.sqrt(VARIANCE) * rng.standard_normal(1024)
    found = screen([f"m.{k}" for k in range(MANY)], x, y, 0)
    assert {s.name for s in found[:3]} == {"m.0", "m.1", "m.2"}
    assert all(s.told for s in found[:3])
    third = next(s for s in found if s.name == "m.2")
    assert third.spread > third.share
    assert sum(s.told for s in found) <= 4


def test_screening_passes_by_chance_as_seldom_as_it_says() -> None:
    rng = np.random.default_rng(2)
    names = [f"m.{k}" for k in range(40)]
    passed = [
        any(s.told for s in screen(names, rng.random((200, 40)), rng.lognormal(size=200), seed))
        for seed in range(40)
    ]
    assert np.mean(passed) <= 0.2


def test_screening_tells_the_share_and_the_way() -> None:
    rng = np.random.default_rng(4)
    x = rng.random((4000, 3))
    found = {s.name: s for s in screen(["a.up", "a.down", "b.none"], x, 2 * x[:, 0] - x[:, 1], 0)}
    assert found["a.up"].share == pytest.approx(0.8, abs=0.05)
    assert found["a.down"].share == pytest.approx(0.2, abs=0.05)
    assert found["a.up"].sign > 0.8
    assert found["a.down"].sign < 0
    assert found["a.up"].told
    assert not found["b.none"].told
    flat = screen(["a"], x[:, :1], np.zeros(4000), 0)
    assert np.isnan(flat[0].share)
    assert not flat[0].told


def test_groups_hold_every_parameter_once() -> None:
    names = ["a.x", "b.x", "a.y", "c.x", "d.x", "e.x"]

    def one(name: str, share: float) -> Screened:
        return Screened(name, share, 0.0, 0.0, 10 * share, 1.0)

    told = [[one("c.x", 0.4), one("a.x", 0.2), one("a.y", 0.3), one("b.x", 0.01), one("d.x", 0.0)]]
    found = groups(names, told, 2)
    assert [g.name for g in found] == ["a", "c", OTHERS]
    assert sorted(k for g in found for k in g.columns) == list(range(6))
    assert found[0].columns == (0, 2)
    assert [g.name for g in groups(names, told, 4)] == ["a", "c", "b", "d", "e"]  # a rest of one is no rest
    assert len(groups(names, told, 9)) == 5
