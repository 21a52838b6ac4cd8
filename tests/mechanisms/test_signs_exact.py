"""Monotone signs that hold exactly, soldier by soldier, where soldiers do not influence each other.

Comrades, units, belief, groups, plots, the high command and the regime's reactions are off here, so that each
soldier's life is his own. His draws are named by soldier, occasion and day and stay the same; staying comes
first among the options. Whatever speaks against going can then only make him go later or never, whatever
speaks for it only earlier: the first departure is monotone in each world, not just on average. Which *way*
he goes is not (who would have left the country may now desert on an earlier day), nor is anything monotone
exactly once comrades hear of each other: news fades, so that a comrade who left earlier weighs less later.
Nor do more occasions help exactly: they come on other days, with other luck. Such signs are tested in the
mean, in `test_signs_mean`.
"""

import datetime as dt
from collections.abc import Iterable

import pytest

from breakrank.case import Case
from breakrank.case.models_routes import Spell
from tests.engine.hosts import effect
from tests.engine.worlds import Row, busy, force_of, live, lively, lives, with_crossings

APART = {
    "belief__on": 0,
    "comrades__on": 0,
    "routes__joint_exit_weight": 0,
    "plots__on": 0,
    "high_command__on": 0,
    "regime__on": 0,
    "diaspora__contact": 0,
    "screening__sent": 0,
    "challenger__spent_by_neglect": 0,
    "reception__registration_desk": 10**6,
}
"""Nobody influences anybody."""
N = 4_000
GOING = ("deserted quietly", "left for the border")
EVERY_KIND = {"bridge", "road", "trail", "river", "sea", "air", "embassy"}


def apart(**values: float) -> Case:
    """Return the case with all ways open: who finds his shut waits, and neither leaves nor deserts."""
    return with_crossings(busy(N, **(APART | values)), EVERY_KIND, schedule=())


def lives_of(case: Case, seed: int = 1) -> dict[int, list[Row]]:
    return lives(live(case, force_of(apart()), seed))


def first(world: dict[int, list[Row]], *events: str) -> dict[int, int]:
    """Return the first day on which one of the events befalls each soldier whom it befalls."""
    days = {who: [row[0] for row in life if row[2] in events] for who, life in world.items()}
    return {who: min(found) for who, found in days.items() if found}


def first_day(case: Case, *events: str, seed: int = 1) -> dict[int, int]:
    return first(lives_of(case, seed), *events)


def assert_never_earlier(less: dict[int, int], more: dict[int, int]) -> None:
    """Assert that what befalls soldiers in `less` befalls them in `more`, no later; and some more besides."""
    later = [who for who, day in less.items() if more.get(who, 10**6) > day]
    assert not later
    assert len(more) > len(less)


AGAINST = [
    ("fear__risk_weight", 1, 2),
    ("fear__punishment_slope", 0.2, 1),
    ("fear__reprisal_weight", 0.1, 0.5),
    ("fear__relatives_at_home", 1, 4),
    ("decision__baseline_desert", 5, 6),
    ("decision__baseline_leave", 10, 11),
    ("decision__breadwinner", 0.1, 0.8),
    ("routes__risk_weight", 1, 8),
    ("routes__days_weight", 0.2, 1.5),
    ("routes__checkpoint_risk", 0.01, 0.3),
]
FOR = [
    ("challenger__credibility_weight", 1, 4),
    ("diaspora__weight", 0.5, 2),
    ("challenger__recognition_weight", 0.001, 0.02),
    ("preference__opposed_at_start", 0.3, 0.9),
    ("grievance__shock_weight", 1, 3),
    ("decision__head_start", 0.1, 1.5),
    ("belief__weight", 0.5, 4),
    ("belief__prior_mean", 0.1, 0.9),
]


@pytest.mark.parametrize(
    ("name", "less", "more"), [*FOR, *((name, high, low) for name, low, high in AGAINST)]
)
def test_what_speaks_for_going_only_hastens_it_and_what_speaks_against_it_delays_it(
    name: str, less: float, more: float
) -> None:
    # who is opposed is a matter of threshold: a shock counts for it too, in both worlds in the same direction
    believing = {"belief__on": 1, "belief__confide": 0} if name.startswith("belief__") else {}
    for seed in (1, 2):
        few, many = (first_day(apart(**(believing | {name: v})), *GOING, seed=seed) for v in (less, more))
        assert_never_earlier(few, many)


@pytest.mark.parametrize(
    ("field", "op", "value", "more_go"),
    [("pay", "multiply", 3, False), ("basket", "multiply", 3, True), ("surveillance", "multiply", 2, False)],
)
def test_dated_fields_work_in_their_direction(field: str, op: str, value: float, more_go: bool) -> None:
    # without a challenger: hardship moves who counts as opposed, and the challenger pulls the opposed
    before = apart(challenger__on=0)
    worlds = [first_day(case, *GOING) for case in (before, before.with_events(effect(field, op, value)))]
    assert_never_earlier(*(worlds if more_go else worlds[::-1]))


@pytest.mark.parametrize("field", ["credibility", "recognition", "host_reputation"])
def test_signals_from_outside_hasten_going(field: str) -> None:
    add = 100 if field == "recognition" else 0.4
    few, many = apart(), apart().with_events(effect(field, "add", add))
    assert_never_earlier(first_day(few, *GOING), first_day(many, *GOING))


def closed(case: Case, kinds: Iterable[str]) -> Case:
    """Return the case with all crossings of some kinds closed throughout."""
    spell = {"from": dt.date(2019, 1, 1), "to": dt.date(2019, 12, 31), "open": False, "assumed": "A test."}
    return with_crossings(case, kinds, schedule=(Spell.model_validate(spell),))


def test_with_all_crossings_closed_only_the_posted_force_their_way() -> None:
    case = busy(N, "2019-03-31")
    shut = closed(case, EVERY_KIND)
    left = [row for life in lives(live(shut)).values() for row in life if row[2] == "left for the border"]
    assert left
    assert all(row[5] == 2 for row in left), "posted at a crossing, or led by somebody who was"
    posted = {c.id for c in lively().crossings if c.posted}
    ids = [c.id for c in lively().crossings]
    assert {ids[row[3] - len(case.force.states)] for row in left} <= posted
    quiet = shut.with_events(effect("posting", "set", 0)).until("2019-02-15")  # until troops are sent
    nobody = lives(live(quiet))
    gone: list[Row] = [row for life in nobody.values() for row in life if row[2] in GOING[1:]]
    assert all(row[0] == 0 for row in gone)  # the event comes on the second day
    assert any(row[2] == "deserted quietly" for life in nobody.values() for row in life)


def test_closing_ways_only_delays_going() -> None:
    case = apart()
    for kinds in ({"trail"}, {"river", "sea"}, EVERY_KIND):
        assert_never_earlier(first_day(closed(case, kinds), *GOING), first_day(case, *GOING))


AFTERWARDS = [
    ("counterintelligence__ill_treatment", 0.1, 0.6, "ill-treated"),
    ("counterintelligence__death_in_custody", 0.02, 0.4, "died in custody"),
    ("counterintelligence__capture_rate", 0.5, 4, "caught in hiding"),
    ("counterintelligence__reprisals", 0.02, 0.2, "reprisal on relatives"),
    ("routes__slip_abroad", 0.1, 0.8, "left for the border"),
    ("routes__unregistered", 0.1, 0.7, "slipped abroad unregistered"),
    ("routes__kin_slip", 0.1, 0.9, "slipped abroad unregistered"),
]


@pytest.mark.parametrize(("name", "low", "high", "event"), AFTERWARDS)
def test_what_follows_departure_is_monotone_too(name: str, low: float, high: float, event: str) -> None:
    rough = {"violence": 0.3, "schedule": ()}
    few, many = (lives_of(with_crossings(apart(**{name: v}), EVERY_KIND, **rough)) for v in (low, high))
    assert first(few, *GOING) == first(many, *GOING)  # nobody knows beforehand what will become of him
    assert_never_earlier(first(few, event), first(many, event))


def test_nobody_is_registered_who_does_not_present_himself() -> None:
    case = with_crossings(busy(N, routes__unregistered=1, routes__kin_slip=1), {"embassy"}, schedule=())
    for life in lives(live(case)).values():
        events = [row[2] for row in life]
        assert "registered" not in events or "entered an embassy" in events
