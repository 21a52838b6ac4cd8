"""Outputs that mechanisms add, and soldiers counted by state, rank and branch where targets ask for it."""

import datetime as dt
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank import load_case, model
from breakrank.case import Case, Target
from breakrank.engine.codes import OPTIONS
from breakrank.engine.day import Days
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moment, Moments
from breakrank.engine.observe import Observer, Witness, counted
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.errors import CaseError, UsageError
from breakrank.force import Force
from breakrank.kernel import lean
from breakrank.lives.trace import moment_of
from breakrank.outputs import daily
from breakrank.results.measures import find, measure
from breakrank.results.result import Result
from breakrank.spec import Added, Parameter, switch
from breakrank.table import Table

TARGET = """
- id: heard
  measure: rumour_heard
  unit: soldiers
  date: {date}
  value: 100
  label: Heard the rumour
  assumed: made up
"""


def test_an_output_is_declared_once(rumour: type[Mechanism], tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "montara", full=True)
    case = breakrank.load_case(folder, mechanisms=[rumour])
    result = breakrank.simulate(case, 3, 5, workers=1, log_runs=3)
    heard = result.data["rumour_heard"]
    assert heard.attrs == {"label": "Heard the rumour", "unit": "soldiers per day", "aggregation": "sum"}
    told = result.events.filter(np.array(result.events["event"]) == "heard the rumour")
    runs = np.array(told["run"])
    assert len(runs) > 100, "the rumour spreads"
    np.testing.assert_array_equal(heard.sum("day"), [(runs == run).sum() for run in range(3)])
    total = measure(result.data, "rumour_heard")
    np.testing.assert_array_equal(total, heard.sum("day"))
    assert (find("rumour_heard").unit, find("rumour_heard").kind) == ("soldiers", "total")
    other = case.set({"rumour.on": 0})
    found = breakrank.compare(case, other, runs=3, seed=5, outcomes=["rumour_heard"], workers=1)
    assert "rumour_heard" in found.table().index
    result.save(tmp_path / "kept")
    again = breakrank.load_result(tmp_path / "kept")
    assert again.data["rumour_heard"].identical(heard)


def test_a_target_can_count_it_where_the_mechanism_is(rumour: type[Mechanism], tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "montara", full=True)
    end = breakrank.load_case(folder).calendar.end
    targets = folder / "targets.yaml"
    targets.write_text(targets.read_text("utf-8") + TARGET.format(date=end), "utf-8")
    with pytest.raises(CaseError, match="unknown measure 'rumour_heard'"):
        breakrank.load_case(folder)
    case = breakrank.load_case(folder, mechanisms=[rumour])
    assert case.targets.named("heard").measure == "rumour_heard"


def test_an_event_that_nobody_declares_is_refused() -> None:
    with pytest.raises(UsageError, match="songs counts an event 'sang' that no mechanism declares"):
        counted([daily("songs", "Songs", "sang")], ["left"])


def test_an_event_may_count_for_several_outputs() -> None:
    outputs = [daily("a", "A", "left"), daily("b", "B", 0, "died", below=3)]
    found, rules = counted(outputs, ["left", "died", "lost"])
    assert found.start.tolist() == [0, 2, 3, 3]
    assert rules == [("a", 0), ("b", 0), ("b", 0)]
    assert found.below.tolist() == [np.inf, 3, 3]


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


DAY = dt.date(2012, 2, 20)
STATES = ("SY-DI", "SY-HI")
ASKED = (
    {"measure": "left", "by": {"state": ["SY-HI"], "rank": ["conscript"]}},
    {"measure": "went_over", "by": {"state": ["SY-HI"], "branch": ["army"]}},
    {"measure": "left_abroad", "by": {"state": ["SY-HI"], "route": ["turkey"]}},
    {"measure": "serving", "by": {"state": list(STATES), "rank": ["conscript"]}},
    {"measure": "serving", "by": {"rank": ["conscript"]}},
    {"measure": "share_left", "by": {"state": ["SY-HI"]}, "unit": "share"},
    {"measure": "arrested", "by": {"state": ["SY-DI"]}},
)


@cache
def whole() -> Case:
    return breakrank.load_case("syria-2011", "point").set({"force.strength": 6000}).until("2012-03-15")


def target(k: int) -> Target:
    way = whole().crossings[0].id
    asked = dict(ASKED[k])
    rank = whole().force.ranks[0].id
    by = {d: [{"turkey": way, "conscript": rank}.get(i, i) for i in ids] for d, ids in asked["by"].items()}
    plain = {"id": f"t{k}", "label": f"Target {k}", "unit": "soldiers", "date": DAY, "at_least": 0}
    return Target.model_validate(plain | asked | {"by": by, "assumed": "A trial."})


@cache
def result() -> Result:
    case = whole()
    asking = Case(replace(case.content, targets=tuple(map(target, range(len(ASKED))))), case.catalogue)
    return breakrank.simulate(asking, runs=1, seed=5, workers=1)


def test_a_case_that_asks_for_nothing_counts_nothing_more() -> None:
    assert dict(whole().outputs) == dict(whole().catalogue.outputs)
    assert not [name for name in breakrank.load_case("venezuela-2019").outputs if "_by_" in name]


def test_parts_add_up_to_what_every_run_counts() -> None:
    data = result().data
    left = data["left_by_state_rank"]
    np.testing.assert_array_equal(left.sum("state"), data["exits_rank"].sum("outcome"))
    np.testing.assert_array_equal(data["went_over_by_state_branch"].sum("state"), data["went_over_branch"])
    np.testing.assert_array_equal(data["left_abroad_by_state_route"].sum("state"), data["exits_route"])
    np.testing.assert_array_equal(data["arrested_by_state"].sum("state"), data["arrested"])
    np.testing.assert_array_equal(data["serving_by_state_rank"].sum(["state", "rank"]), data["fates"])
    last = data["serving_by_state_rank"].isel(day=-1).sum("state")
    np.testing.assert_array_equal(last.transpose("run", "fate", "rank"), data["fate_rank"])
    assert int(left.sum()) > 0
    assert (data["serving_by_rank"].sum("rank") == data["fates"]).all()


def test_a_soldier_is_counted_where_his_post_is() -> None:
    from breakrank.model import force_of

    found, log = result(), result().events
    force = force_of(found.case, 5, 0)
    names = np.array(log["event"].to_pylist())
    who, day = np.array(log["soldier"]), np.array(log["day"])
    held = names == "arrested"
    at = np.searchsorted(force.identity, who[held])
    expected = np.zeros((found.data.sizes["day"], len(found.case.force.states)), int)
    np.add.at(expected, (day[held], force.state[at]), 1)
    np.testing.assert_array_equal(found.data["arrested_by_state"].values[0], expected)
