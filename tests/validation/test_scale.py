"""The same country with a smaller or larger force has the same rates per soldier, within luck.

What a case counts in heads (places, funds, caseworkers, orders at a protest, closures) is in proportion to
the force, public news counts by its share, and plots stay as small as trust allows: there are more of them
in a larger force, and more uprisings, each noticed by its share. Two things are a country's own: the dozen
who hold the high command, and its fall. Any uprising may win, and a fall ends what a run counts, so that
no uprising is strong enough here; ten times the usual force is compared without uprisings. Luck is measured:
a mean over independent runs lies within some standard errors of another. Arrests are compared without
uprisings: those after an uprising follow its size, and an uprising of few soldiers is small.
"""

from collections.abc import Collection
from functools import cache

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.engine.codes import EVENTS
from breakrank.mechanisms.plots import PlotsMechanism
from breakrank.model import Model, build

EVERY = 160_000
NEVER = 1.5
"""Strength of a regime that no uprising brings down: more than all the weight there is."""
RATES = {
    "left the country": ("crossed", "slipped abroad unregistered"),
    "deserted quietly": ("deserted quietly",),
    "presented themselves": ("registered",),
    "plots founded": ("founded a plot",),
    "joined a plot": ("joined a plot",),
    "arrested": ("arrested",),
    "word home": ("sent word home",),
}
STEADY = {
    "left the country": 0.04,
    "deserted quietly": 0.04,
    "presented themselves": 0.04,
    "plots founded": 0.08,
}
"""How large the standard error of a difference may be, as a share of the rate, for the test to bite."""
SIZES = {1_600: (16, 14), 16_000: (4, 12), 160_000: (2, 6)}
"""How many forces are drawn of a size, and how many runs are made of each."""
RARER = {("deserted quietly", 1_600): 0.15, ("left the country", 1_600): 0.1}
"""By how much a rate is lower in a small force, as a share: a limit told in the docs; its cause is open."""
LUCK = 3.5
"""Standard errors of a difference between two means that luck explains."""


@cache
def country(strength: int, uprisings: int = 1) -> Case:
    case = breakrank.load_case("venezuela-2019", "point").until("2019-06-30")
    return case.set({"force.strength": strength, "uprising.on": uprisings, "uprising.strength": NEVER})


@cache
def rates(strength: int, uprisings: int, forces: int, runs: int) -> dict[str, tuple[float, float]]:
    """Return the mean of each rate per 160,000 soldiers over runs, and its standard error."""
    found = []
    for seed in range(forces):
        model = Model(country(strength, uprisings), build(country(strength), seed))
        for run in range(runs):
            log = model.replicate(seed, run, log=True).events
            found.append(np.bincount(log["event"], minlength=len(EVENTS)))
    each = np.array(found) * EVERY / strength
    out = {}
    for name, events in RATES.items():
        of = each[:, [EVENTS.index(event) for event in events]].sum(axis=1)
        out[name] = float(of.mean()), float(of.std(ddof=1) / np.sqrt(len(of)))
    return out


def assert_same_country(
    strength: int, forces: int, runs: int, uprisings: int = 1, names: Collection[str] = tuple(RATES)
) -> None:
    usual, other = rates(EVERY, uprisings, *SIZES[EVERY]), rates(strength, uprisings, forces, runs)
    for name in names:
        (mean, error), (there, its_error) = usual[name], other[name]
        luck = float(np.hypot(error, its_error))
        assert luck <= STEADY.get(name, 0.25) * mean, f"too few runs to tell: {name}"
        assert abs(there - (1 - RARER.get((name, strength), 0)) * mean) <= LUCK * luck, (
            f"{name}: {there:.0f} in {strength:,}, {mean:.0f} in {EVERY:,}"
        )


@pytest.mark.parametrize("strength", [1_600, 16_000])
def test_a_smaller_force_is_the_same_country(strength: int) -> None:
    assert_same_country(strength, *SIZES[strength], names=set(RATES) - {"arrested"})


def test_the_services_of_a_smaller_force_arrest_as_many() -> None:
    assert_same_country(16_000, *SIZES[16_000], uprisings=0, names=("arrested",))


@pytest.mark.thorough
def test_a_force_ten_times_as_large_is_the_same_country() -> None:
    assert_same_country(10 * EVERY, 1, 4, uprisings=0)


def test_who_commands_a_handful_commands_no_unit() -> None:
    # a small force has as many garrisons as a large one, so that more of its soldiers lead one
    led = {}
    for strength in SIZES:
        model = Model(country(strength), build(country(strength), 1))
        plots = next(m for m in model.days.mechanisms if m.name == "plots")
        assert isinstance(plots, PlotsMechanism)
        full = plots.given[0].full
        assert full.max() <= 1
        led[strength] = full.sum() / strength
    assert led[1_600] == pytest.approx(led[EVERY], rel=0.05)
    assert led[16_000] == pytest.approx(led[EVERY], rel=0.05)
