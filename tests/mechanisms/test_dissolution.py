"""Units that come apart: what must hold, the signs, and the essence of Iraq in June 2014.

Two divisions in one governorate, and an army that stood elsewhere. General knowledge, a tenth of the force.
No event acts on anything: only where was fought, and who held what.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from breakrank import Case, load_case
from breakrank.engine.codes import EV_DESERTED, EV_LEFT
from breakrank.mechanisms.civil_war.dissolution import REJOINED
from breakrank.mechanisms.civil_war.war import BROKE_OUT, SURRENDERED
from breakrank.model import Model, build
from tests.mechanisms import files
from tests.new_cases import without_priors

NINEVEH, SALAHUDDIN, BAGHDAD, SOUTH = "XX-A", "XX-B", "XX-C", "XX-D"
FORCE = """
strength: {value: 19000, unit: persons, range: [15000, 25000],
  assumed: A tenth., stands_for: 190000}
branches:
  - {id: army, label: Army, strength: 15000, repression: 1.0, opportunity: 1.0, assumed: Known.}
  - {id: police, label: Federal police, strength: 4000, repression: 1.0, opportunity: 1.0, assumed: The same.}
regions:
  - {id: north, label: North, states: [XX-A, XX-B]}
  - {id: rest, label: Rest, states: [XX-C, XX-D]}
regions_basis: {assumed: Known.}
states:
  - {id: XX-A, label: Nineveh}
  - {id: XX-B, label: Salahuddin}
  - {id: XX-C, label: Baghdad}
  - {id: XX-D, label: South}
stations: {file: stations.csv, assumed: Known.}
formations: {size: 1000, unit: 100, assumed: Companies.}
"""
STATIONS = """state,branch,share
XX-A,army,0.14
XX-A,police,0.2
XX-B,army,0.16
XX-B,police,0.1
XX-C,army,0.4
XX-C,police,0.4
XX-D,army,0.3
XX-D,police,0.3
"""
CONTACT = """date,state,value
2014-04-30,*,0
2014-06-06,XX-A,0.3
2014-06-11,XX-A,0
2014-06-11,XX-B,0.3
2014-06-20,XX-B,0.1
"""
HELD = """date,state,value
2014-04-30,*,0
2014-06-06,XX-A,0.3
2014-06-09,XX-A,0.6
2014-06-10,XX-A,1
2014-06-11,XX-B,0.5
"""
ROUTES = """
roads:
  - {from: XX-A, to: XX-B, days: 0.5, checkpoints: 3}
  - {from: XX-B, to: XX-C, days: 0.4, checkpoints: 3}
  - {from: XX-C, to: XX-D, days: 0.6, checkpoints: 3}
roads_basis: {assumed: Known.}
crossings:
  - {id: khazir, label: Road to the next region, kind: road, state: XX-A, country: Neighbour, host: true,
     days: 0.3, capture: 0.02, violence: 0.01, hardship: 0.3, family: true, posted: false, assumed: Known.}
  - {id: groups, label: Armed groups, kind: group, state: XX-A, country: Montara, days: 0.2, capture: 0.05,
     violence: 0.05, hardship: 0.5, family: false, posted: false, assumed: Known.}
"""
PLACES = {NINEVEH: (43.1, 36.3), SALAHUDDIN: (43.7, 34.6), BAGHDAD: (44.4, 33.3), SOUTH: (47.8, 30.5)}
POINTS = {"khazir": (43.5, 36.3), "groups": (42.9, 36.0)}
FIELDS = """
contact: {unit: fraction, file: contact.csv, dims: [state], assumed: Chronology.}
held: {unit: fraction, file: held.csv, dims: [state], assumed: Chronology.}
"""
OWN = {
    **files.off_but("opposition", "war", "dissolution"),
    "war.surrender": -3.0,
    "decision.baseline_desert": 7.5,
    "dissolution.threat_weight": 6.0,
    "preference.opposed_at_start": 0.5,
    "preference.rank_loyalty": 0.1,
    "fear.punishment_slope": 0.05,
}
"""National facts, none of them a size of an event: who gave himself up was killed, officers above all; half
of the force would rather have been elsewhere; posts were bought, so that officers were not the more loyal;
nothing paid as the army did, so that who had no cause went home even more rarely than in other countries."""


def write_iraq(folder: Path) -> Path:
    """Write the case into a folder and return it."""
    without_priors(folder)
    files.change(folder, "case.yaml", "capital: XX-A", "capital: XX-C")
    files.calendar(folder, "2014-05-01", "2014-07-31")
    files.add(folder, {"case.yaml": f"mechanisms: [{files.EVERY}]\n", "fields.yaml": FIELDS})
    tables = {"stations.csv": STATIONS, "contact.csv": CONTACT, "held.csv": HELD}
    files.write(folder, {"force.yaml": FORCE + files.RANKS, "routes.yaml": ROUTES, **tables})
    files.empty(folder, "events", "sites", "payers", "targets", "counterfactuals", "command")
    files.start_on(folder, "2014-05-01", "2014-04-30")
    files.places(folder, {"state": PLACES, "crossing": POINTS}, keep=False)
    return folder


def iraq(folder: Path) -> Case:
    """Return the case."""
    return load_case(write_iraq(folder)).set(OWN)


SEED = 1
FIRST, LAST = "2014-06-06", "2014-06-17"
OFFICER = 2


class Collapse(NamedTuple):
    """Shares of those of a state, and of its officers and others, that left their posts in some days."""

    case: Case
    model: Model
    log: dict[str, np.ndarray]

    def gone(
        self, state: str, last: str = LAST, officers: bool | None = None, post_lost: bool | None = None
    ) -> float:
        force, day = self.model.world.force, self.case.calendar.day
        here = force.state == self.case.force.states.ids.index(state)
        if officers is not None:
            here &= (force.rank == OFFICER) == officers
        if post_lost is not None:
            here &= self.unit_lost()[force.unit] == post_lost
        now = np.isin(self.log["event"], (EV_DESERTED, EV_LEFT))
        now &= (self.log["day"] >= day(FIRST)) & (self.log["day"] <= day(last))
        return float(np.isin(force.identity[here], self.log["soldier"][now]).mean())

    def unit_lost(self) -> np.ndarray:
        """Return whether anyone of a unit broke out or surrendered, bool (unit,)."""
        world = self.model.world
        fell = np.isin(self.log["event"], [world.event(BROKE_OUT), world.event(SURRENDERED)])
        who = np.isin(world.force.identity, self.log["soldier"][fell])
        return np.bincount(world.force.unit[who], minlength=len(world.force.units)) > 0


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return iraq(tmp_path_factory.mktemp("cases") / "iraq")


def lived(case: Case, seed: int = SEED, **values: float) -> Collapse:
    changed = case.set({k.replace("__", "."): v for k, v in values.items()})
    model = Model(changed, build(changed, seed))
    log = model.replicate(seed, 0, log=True).events
    return Collapse(changed, model, dict(log))


@pytest.fixture(scope="module")
def collapse(case: Case) -> Collapse:
    return lived(case)


def test_two_divisions_dissolve_within_a_week_officers_first_and_the_south_stands(collapse: Collapse) -> None:
    assert 0.6 < collapse.gone(NINEVEH) < 0.97
    for last in ("2014-06-11", "2014-06-12", "2014-06-13"):
        assert collapse.gone(NINEVEH, last, True) > 1.2 * collapse.gone(NINEVEH, last, False)
    assert collapse.gone(NINEVEH, "2014-06-06") < 0.01
    assert collapse.gone(NINEVEH, "2014-06-09") < 0.3  # the share of posts that is lost until then
    assert collapse.gone(SOUTH) < 0.02


def test_half_lost_ground_loses_half_of_its_posts_and_those_still_held_feel_it(
    case: Case, collapse: Collapse
) -> None:
    here = collapse.model.world.force.units.state == collapse.case.force.states.ids.index(SALAHUDDIN)
    assert 0.3 < collapse.unit_lost()[here].mean() < 0.7
    whole = collapse.gone(NINEVEH)
    assert abs(collapse.gone(SALAHUDDIN, post_lost=True) - whole) < 0.15
    assert 0.02 < collapse.gone(SALAHUDDIN, post_lost=False) < 0.4 * whole
    # it is lost on that day, and nobody decides earlier but who would have gone anyway
    before = "2014-06-11"
    assert collapse.gone(SALAHUDDIN, before) == lived(case, dissolution__on=0).gone(SALAHUDDIN, before)


def test_the_more_of_a_state_is_held_the_more_leave(case: Case) -> None:
    more = [lived(half_held(case, value)).gone(SALAHUDDIN) for value in (0.1, 0.4, 1.0)]
    assert more[0] < 0.25 < more[2]
    assert more[0] < more[1] - 0.1 < more[2] - 0.2


def half_held(case: Case, value: float) -> Case:
    """Return the case with so much of Salahuddin held from the day on which half of it was."""
    effect = {"field": "held", "op": "set", "value": value, "states": [SALAHUDDIN]}
    event = {"id": "held", "date": "2014-06-11", "title": "Ground lost", "assumed": "Invented."}
    return case.with_events([{**event, "effects": [effect]}])


def test_without_it_those_who_lost_their_post_serve_on(case: Case) -> None:
    assert lived(case, dissolution__on=0).gone(NINEVEH) < 0.05


@pytest.mark.parametrize(
    ("parameter", "least"),
    [
        ("dissolution__rout", 0.3),
        ("dissolution__unseen", 0.15),
        ("dissolution__unbound", 0.15),
        ("dissolution__opportunities", 0.3),
        ("dissolution__comrades_weight", 0.02),
        ("dissolution__officers_weight", 0.05),
    ],
)
def test_each_cause_carries_a_part_of_it(
    case: Case, collapse: Collapse, parameter: str, least: float
) -> None:
    while_it_goes = "2014-06-12"  # later hardly anyone is left who could go
    less = lived(case, **{parameter: 0}).gone(NINEVEH, while_it_goes)
    assert less < collapse.gone(NINEVEH, while_it_goes) - least


def test_officers_who_have_less_to_fear_stay_and_their_men_with_them(case: Case, collapse: Collapse) -> None:
    spared = lived(case, dissolution__threat_weight=0)
    assert spared.gone(NINEVEH, officers=True) < 0.5 * collapse.gone(NINEVEH, officers=True)
    assert spared.gone(NINEVEH, officers=False) < collapse.gone(NINEVEH, officers=False) - 0.05


def test_who_lost_his_post_has_gone_or_rejoined_when_the_days_are_over(collapse: Collapse) -> None:
    log, world = collapse.log, collapse.model.world
    broke = log["soldier"][log["event"] == world.event(BROKE_OUT)]
    back = log["soldier"][log["event"] == world.event(REJOINED)]
    gone = log["soldier"][np.isin(log["event"], (EV_DESERTED, EV_LEFT))]
    assert len(broke) == len(set(broke.tolist()))
    assert len(back) == len(set(back.tolist()))
    assert set(back.tolist()) <= set(broke.tolist())
    away = np.isin(broke, back) | np.isin(broke, gone)
    assert away.mean() > 0.99  # the others died, were taken or cleared by then


def test_men_follow_officers_who_leave_as_their_unit_comes_apart(case: Case) -> None:
    near = lived(case, decision__baseline_leave=2)  # many rather leave than go home
    log, force = near.log, near.model.world.force
    adrift = log["soldier"][log["event"] == near.model.world.event(BROKE_OUT)]
    led = (log["event"] == EV_LEFT) & np.isin(log["other"], adrift)
    men = [force.position(int(who)) for who in log["soldier"][led]]
    heads = [force.position(int(who)) for who in log["other"][led]]
    assert len(men) > 20
    assert (force.unit[men] == force.unit[heads]).all()
    assert (force.rank[heads] > 0).all()  # the lowest rank leads nobody
