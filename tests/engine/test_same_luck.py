"""The same luck in every world: take a soldier out, or end the run earlier, and nothing else changes.

What holds exactly, bit for bit:

* Without a soldier who has no ties, the log of everybody else is the same, row by row, whatever he did.
* Without a soldier, the lives of all who are not connected to him by any chain of ties are the same.
* Any connected part of a force lives alone as it lives within the whole.
* Whose life differs has a tie to somebody whose life differed that day or before, back to the one gone; or
  a comrade of his has, who as a leader asked others along that day, or was himself approached by another; or
  he was in a plot with such a one.
* A run that ends earlier is the beginning of the longer one.
* Where beds, money, desk and caseworkers are scarce, a soldier's absence is felt by many, but nobody draws
  anything else: who still crosses on the same day brings as many relatives, asks at the same hour, and so on.

The regime, the high command and uprisings act on everybody at once, units weigh as a whole, and plots ask
commanders for pledges whom nobody of theirs knows; all that is left out here, while plots to cross and what
hunts them are in. Those abroad share places, money, a desk and caseworkers; here there is enough of each.
Public news reaches nobody, so that word from comrades is what is left.
"""

import datetime as dt
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.case import Case, Draws
from breakrank.case.draws import Luck, LuckPath
from breakrank.engine.observe import Observer
from breakrank.engine.replicate import Replicate
from breakrank.engine.run import Run
from breakrank.engine.snapshot import Snapshot
from breakrank.force import Force
from breakrank.force.force import Ties
from breakrank.mechanisms.lodging import Guests
from breakrank.model import Model, catalogue, replicate
from tests.engine.by_hand import gone_on, gone_on_with, same, whole
from tests.engine.hosts import effect, hosting
from tests.engine.worlds import NO, busy, force_of, lives, pairs, record, rows, with_crossings, with_ties
from tests.force.absent import without
from tests.mechanisms.plain_guests import households

N = 600
CIRCLE = 12
LOCAL = {
    "regime__on": 0,
    "high_command__on": 0,
    "uprising__on": 0,
    "plots__from_start": 0,  # their chance is a matter of the whole force's numbers
    "plots__baseline_plan": 6,
    "plots__baseline_join": 1.5,
    "plots__approaches": 60,
    "plots__planned_strength": 6,
    "detection__wiretaps": 3,
    "reception__registration_desk": 10**6,
    "reception__places": 100,
    "reception__funding": 1000,
    "reception__relatives": 1,
    "screening__sent": 0,  # the services' men stand in nobody's ties
    "screening__wrong": 0.003,
    "asylum__first_days": 5,
    "asylum__effort": 1,
    "exile__return_rate": 0.01,
    "challenger__spent_by_neglect": 0,
    "diaspora__contact": 3,
    "diaspora__weight": 3,
    "comrades__reach": 0,
    "fear__reach": 0,
    "uprising__shown": 0,
    "diaspora__reach": 0,
}
"""Plots abound, much happens abroad, and nothing reaches further than ties do."""
ASKS, APPROACHES = "invited comrades", "approached someone for a plot"


def local(strength: int, **values: float) -> Case:
    """Return a world in which nothing reaches further than ties do; a caseworker for everybody."""
    case = busy(strength, **(LOCAL | values)).with_events(effect("asylum_staff", "set", strength))
    return with_crossings(case, {"embassy"}, capture=1.0)  # those inside one would leave together


def live(case: Case, force: Force, seed: int = 1) -> Replicate:
    """Run a case once with its log; plots do without commanders, which are a matter of all in a unit."""
    model = Model(case, force)
    (plotting,) = next(m for m in model.days.mechanisms if m.name == "plots").given
    plotting.full[:] = 0.0
    plotting.leader[:] = -1
    return model.replicate(seed, 0, log=True)


def in_circles() -> Force:
    """Return a force in which soldiers have ties within circles of `CIRCLE` neighbours only."""
    force = force_of(busy(N, force__comrades=20))
    who, other = pairs(force.ties)
    return with_ties(force, who // CIRCLE == other // CIRCLE)


def components(force: Force) -> np.ndarray:
    """Return for each soldier the lowest position he is connected to."""
    part = np.arange(force.n)
    who, other = pairs(force.ties)
    while True:
        lower = part.copy()
        np.minimum.at(lower, who, part[other])
        if (lower == part).all():
            return part
        part = lower


def only(force: Force, stay: np.ndarray) -> Force:
    """Return the soldiers at `stay` (ascending), with the ties among them."""
    place = np.full(force.n, -1)
    place[stay] = np.arange(len(stay))
    who, other = pairs(force.ties)
    kept = (place[who] >= 0) & (place[other] >= 0)
    start = np.searchsorted(place[who[kept]], np.arange(len(stay) + 1)).astype(np.int64)
    ties = Ties(start, place[other[kept]].astype(np.int32), force.ties.kind[kept])
    columns = ("identity", "branch", "rank", "state", "unit", "years", "school_class")
    columns += ("dependants", "kin_abroad", "access")
    return replace(force, **{name: getattr(force, name)[stay] for name in columns}, ties=ties)


def test_nobody_notices_that_a_soldier_without_ties_is_gone() -> None:
    case = local(N)
    force = force_of(case)
    who, other = pairs(force.ties)
    loner_at = (N // 3, N // 2, N - 1, 0)
    alone = with_ties(force, ~np.isin(who, loner_at) & ~np.isin(other, loner_at))
    whole = rows(live(case, alone))
    for loner in loner_at:
        identity = int(force.identity[loner])
        rest = rows(live(case, without(alone, identity)))
        assert rest == [row for row in whole if row[1] != identity]
        assert all(row[4] != identity for row in rest)


@given(st.integers(0, N - 1), st.integers(0, 50))
def test_only_those_connected_to_a_soldier_can_notice_that_he_is_gone(gone: int, seed: int) -> None:
    case, force = local(N, force__comrades=20), in_circles()
    part = components(force)
    before = lives(live(case, force, seed))
    after = lives(live(case, without(force, int(force.identity[gone])), seed))
    for i in np.flatnonzero(part != part[gone]):
        who = int(force.identity[i])
        assert before.get(who) == after.get(who)
    assert int(force.identity[gone]) not in after


def test_it_does_matter_to_some_of_his_comrades() -> None:
    case, force = local(N, force__comrades=20), in_circles()
    before = lives(live(case, force))
    active = [who for who, life in before.items() if {"confided", "crossed"} & {row[2] for row in life}]
    changed = 0
    for gone in active[:20]:
        after = lives(live(case, without(force, gone)))
        changed += any(before.get(who) != after.get(who) for who in force.identity.tolist() if who != gone)
    assert changed > 5  # otherwise the tests above would say nothing


def test_a_circle_lives_alone_as_it_lives_within_the_force() -> None:
    case, force = local(N, force__comrades=20), in_circles()
    whole, part = lives(live(case, force)), components(force)
    for root in np.unique(part)[::7]:
        stay = np.flatnonzero(part == root)
        apart = lives(live(case, only(force, stay)))
        assert apart == {who: life for who, life in whole.items() if who in force.identity[stay]}


def first_difference(before: dict[int, list], after: dict[int, list], gone: int) -> dict[int, int]:
    """Return for everyone whose life differs the first day on which it does."""
    found = {}
    for who in before.keys() | after.keys():
        one, other = before.get(who, []), after.get(who, [])
        if who != gone and one != other:
            same = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
            k = min(len(one), len(other)) if same is None else same
            found[who] = min(life[k][0] for life in (one, other) if k < len(life))
    return found


def in_one_plot(joined: list[tuple[int, int]]) -> dict[int, set[int]]:
    """Return who was in plots with whom, from who joined through whom."""
    found: dict[int, set[int]] = {}
    for pair in joined:
        mates = set().union(*(found.get(who, {who}) for who in pair))
        found |= dict.fromkeys(mates, mates)
    return found


@given(st.integers(0, 10**6), st.integers(0, 50))
def test_differences_spread_along_ties_and_forward_in_time_only(pick: int, seed: int) -> None:
    case = local(2_000)
    force = force_of(case)
    before = lives(live(case, force, seed))
    active = sorted(who for who, life in before.items() if any(row[2] != "family shock" for row in life))
    gone = active[pick % len(active)]
    after = lives(live(case, without(force, gone), seed))
    differs = first_difference(before, after, gone)
    both = [row for log in (before, after) for life in log.values() for row in life]
    asked = {(row[1], row[0]) for row in both if row[2] == ASKS}
    asked |= {(row[4], row[0]) for row in both if row[2] == APPROACHES}
    plots = in_one_plot([(row[1], row[4]) for row in both if row[2] == "joined a plot"])
    reached, waiting = {gone: -1}, dict(differs)

    def ties(who: int) -> list[int]:
        return [*force.identity[force.ties.of(force.position(who))].tolist(), *plots.get(who, ())]

    def near_somebody(who: int, day: int) -> bool:
        asking = [k for k in ties(who) if (k, day) in asked]
        return any(reached.get(k, 10**6) <= day for near in (who, *asking) for k in ties(near))

    while waiting:
        near = {who: day for who, day in waiting.items() if near_somebody(who, day)}
        assert near, f"{len(waiting)} lives changed with nobody near them who had"
        reached |= near
        waiting = {who: day for who, day in waiting.items() if who not in near}


def guests_of(case: Case, force: Force) -> dict[int, SimpleNamespace]:
    """Return all guests of a world at its end, by identity, and how long each file takes, as it was drawn."""
    model = Model(case, force)
    run = Run(model.world, 1, 0, True)
    model.days.live(run, Observer(model.world))
    found = {h.identity: h for h in households(run.view(Guests))}
    queue = next(m for m in model.days.mechanisms if m.name == "asylum").queue
    for k, (row, asked) in enumerate(zip(queue.rows, queue.asked, strict=True)):
        guest = next(h for h in found.values() if h.who == run.view(Guests).who[row])
        # a file that lapsed before anyone took it up is no work any more
        guest.file = float(asked) % 1, None if queue.closed[k] and not queue.work[k] else float(queue.work[k])
    return found


def test_nobody_abroad_draws_anything_else_when_a_soldier_is_gone() -> None:
    case = hosting(N, "2019-03-10", exile__return_rate=0, screening__sent=0)
    force = force_of(case)
    whole = guests_of(case, force)
    same = dict.fromkeys(("came", "registered", "file"), 0)
    changed = 0
    for gone in sorted(whole)[::9]:
        rest = guests_of(case, without(force, gone))
        assert gone not in rest
        for who in whole.keys() & rest.keys():
            a, b = whole[who], rest[who]
            changed += (a.stay, a.site, a.since) != (b.stay, b.site, b.since)
            if a.came != b.came:
                continue
            same["came"] += 1
            assert (a.relatives, a.children) == (b.relatives, b.children)
            if a.registered == b.registered:
                same["registered"] += 1
                asked = [h.filed or h.double or h.permit for h in (a, b)]
                assert a.double == b.double or not all(asked)
            if hasattr(a, "file") and hasattr(b, "file"):
                same["file"] += 1
                assert a.file[0] == b.file[0]
                assert a.file[1] == b.file[1] or None in (a.file[1], b.file[1])
    assert min(same.values()) > 100
    assert changed, "beds are scarce: somebody sleeps elsewhere"


@pytest.mark.parametrize("until", ["2019-01-20", "2019-02-22", "2019-03-31"])
def test_an_earlier_end_changes_no_day_before_it(until: str) -> None:
    raises = {"regime.pay_step": 0.04}
    long, short = (one.set(raises) for one in (busy(3_000), busy(3_000, until)))
    force, days = force_of(long), short.calendar.days
    whole, start = live(long, force), live(short, force)
    assert rows(start) == [row for row in rows(whole) if row[0] < days]
    for name, values in start.series.items():
        if "day" in catalogue().outputs[name].dims:
            np.testing.assert_array_equal(values, np.asarray(whole.series[name])[:days])


def test_draws_are_named_by_identity_not_by_place() -> None:
    # everyone has moved up by one place: without the first soldier all others decide on the same days
    # (nor does anyone learn; whoever holds an office is drawn from all who might)
    off = dict.fromkeys(("belief.on", "comrades.on", "high_command.on"), 0)
    case = record().set({"force.strength": 500, **off}).until("2019-03-31")
    force = force_of(case)
    all_of_them = lives(live(case, force))
    moved_up = lives(live(case, without(force, 0)))
    assert moved_up == {who: life for who, life in all_of_them.items() if who != 0}
    assert NO not in moved_up


CASE = busy(500, "2019-03-01")


@pytest.mark.parametrize("day", [1, 20, 45])
def test_what_was_before_stays_and_what_comes_is_other(day: int) -> None:
    model = Model(CASE, force_of(CASE))
    plain, turned = whole(model), whole(model, turns=[(day, 5)])
    logs = [{k: v for k, v in one.items() if k.startswith("log")} for one in (plain, turned)]
    before = [{k: v[one["log day"] < day] for k, v in one.items()} for one in logs]
    assert day == 1 or len(before[0]["log day"]) > 0
    assert same(*before)
    for name in ("exits_rank", "fates", "registered", "exits_state"):
        assert (plain[name][:day] == turned[name][:day]).all()
    after = [{k: v[one["log day"] >= day] for k, v in one.items()} for one in logs]
    assert after[0]["log soldier"].tobytes() != after[1]["log soldier"].tobytes()


@pytest.mark.parametrize(("day", "log"), [(0, True), (19, True), (20, False), (44, True)])
def test_a_branch_of_a_snapshot_is_the_path_from_the_start(day: int, log: bool) -> None:
    model, other = Model(CASE, force_of(CASE)), Model(CASE, force_of(CASE))
    before, after = [(20, 5)] if day >= 20 else [], [(day + 1, 7)]
    expected = whole(model, log, [*before, *after])
    snapshot = Snapshot(model.days, *gone_on(model, day + 1, log, before))
    for mine in (model, other):
        assert same(gone_on_with(mine, snapshot, after), expected)


def test_a_world_is_the_same_whatever_seed_and_number_call_it() -> None:
    names, values = ("decision.baseline_leave",), np.array([[3.0], [4.0]])
    until = dt.date(2019, 2, 10)
    luck = Luck(1, (LuckPath(3).branched(dt.date(2019, 1, 20), 8), LuckPath(2)), until)
    case = CASE.with_draws(Draws(names, values, luck=luck))
    day = (until - CASE.calendar.start).days
    one, other = (replicate(case, None, seed, run, log=True) for seed, run in ((1, 0), (9, 2)))
    assert one.events is not None
    assert other.events is not None
    logs = [{k: np.asarray(v) for k, v in e.items()} for e in (one.events, other.events)]
    days = [e["day"].astype(np.int64) for e in logs]
    early = [{k: v[when <= day] for k, v in e.items()} for e, when in zip(logs, days, strict=True)]
    late = [e["soldier"][when > day].tobytes() for e, when in zip(logs, days, strict=True)]
    assert same(*early)
    assert late[0] != late[1], "from then on each run has luck of its own"


def test_a_plain_path_is_the_run_of_its_number() -> None:
    names, values = ("decision.baseline_leave",), np.array([[3.0], [4.0]])
    luck = Luck(1, (LuckPath(0), LuckPath(1)), CASE.calendar.end)
    plain, worlds = Draws(names, values), Draws(names, values, luck=luck)
    for run in (0, 1):
        one = replicate(CASE.with_draws(plain), None, 1, run, log=True).series
        other = replicate(CASE.with_draws(worlds), None, 77, run, log=True).series
        assert same({k: np.asarray(v) for k, v in one.items()}, {k: np.asarray(v) for k, v in other.items()})
