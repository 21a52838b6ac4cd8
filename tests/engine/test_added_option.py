"""An option that a mechanism of another package brings: weighed, chosen and told like the model's own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from breakrank import Case, load_case, model
from breakrank.engine.codes import OPTIONS
from breakrank.engine.day import Days
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.observe import Observer, Witness
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.errors import UsageError
from breakrank.force import Force
from breakrank.kernel import lean
from breakrank.lives.trace import moment_of
from breakrank.spec import Added, Parameter, switch
from breakrank.table import Table

SPREAD = "spread a leaflet"
WEIGHT = Parameter("leaflets.weight", "utility", -50, 50, -3, "what speaks for it", assumed="made up")


class Paper(Table):
    """What speaks for a leaflet."""

    weight: float


@lean
def at_hand(p: Paper) -> float:
    """A leaflet is at hand."""
    return p.weight


@lean
def anyone(at: Moment) -> bool:
    """Whoever decides may spread one."""
    return at.who >= 0


class Leaflets(Mechanism):
    """Soldiers may spread a leaflet."""

    name = "leaflets"
    citation = "nobody"
    parameters = (switch("leaflets", "soldiers may spread a leaflet"), WEIGHT)
    terms = (Term("leaflets.weight", "a leaflet is at hand", {SPREAD: 1}, at_hand),)
    opens = ((SPREAD, anyone),)
    options = (SPREAD,)

    def begin(self, run: Run) -> None:
        """Leaflets weigh the same for all."""
        run.share(Paper(self.world[WEIGHT.name]))

    def act(self, run: Run, moments: Moments) -> None:
        """Count the leaflets."""
        code = self.world.options.index(SPREAD)
        run.column("leaflets.spread", int)[moments.who[moments.choice == code]] += 1


ASSEMBLY = model.BUILT_IN.with_others([("leaflets", Leaflets)])


@pytest.fixture(scope="module")
def case() -> Case:
    small = load_case("venezuela-2019", "point").set({"force.strength": 2000}).until("2019-02-28")
    return Case(small.content, replace(ASSEMBLY.catalogue, added=Added()))


@pytest.fixture(scope="module")
def force(case: Case) -> Force:
    return model.build(case, 1)


def lived(case: Case, force: Force) -> tuple[Run, Days, Observer, Witness]:
    days = Days(World(case, force, ASSEMBLY.options), ASSEMBLY.mechanisms)
    run, observer = Run(days.world, 1, 0, True), Observer(days.world)
    witness = Witness(range(force.n))
    days.live(run, observer, witness)
    return run, days, observer, witness


def test_it_is_chosen_as_often_as_its_chance_says_and_told(case: Case, force: Force) -> None:
    run, days, _, witness = lived(case, force)
    assert days.world.options == (*OPTIONS, SPREAD)
    code = len(OPTIONS)
    chosen = [seen for seen in witness.seen if seen.choice == code]
    expected = sum(float(seen.chance[code]) for seen in witness.seen)
    assert run.column("leaflets.spread", int).sum() == len(chosen)
    assert abs(len(chosen) - expected) < 4 * expected**0.5, (len(chosen), expected)
    moment = moment_of(chosen[0], days)
    assert moment.chosen.name == SPREAD
    assert [(w.about, w.value) for w in moment.chosen.weights] == [("a leaflet is at hand", -3.0)]


def test_where_hardly_anything_speaks_for_it_nothing_changes(case: Case, force: Force) -> None:
    never, off = (
        lived(case.set({name: value}), force) for name, value in ((WEIGHT.name, -50), ("leaflets.on", 0))
    )
    one, other = (observer.series(run) for run, _, observer, _ in (never, off))
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name], equal_nan=True) for name in one)


def test_a_name_that_is_taken_is_refused() -> None:
    kind = type("Other", (Leaflets,), {"__module__": __name__, "__doc__": "Other.", "options": (OPTIONS[1],)})
    with pytest.raises(UsageError, match="the option 'desert quietly' is taken"):
        model.BUILT_IN.with_others([("other", kind)])
