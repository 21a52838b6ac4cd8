"""The rumour alone: its kernel against a plain reference, its sign, and that switched off it is not there."""

from __future__ import annotations

import numpy as np
from breakrank_rumour import HEARD, NOT_HEARD, SILENT, TELLS, Rumour, Rumours, spread

from breakrank import Case, Result, load_case, simulate
from breakrank.draws import decision, fraction, luck_key, words
from breakrank.engine.codes import DEAD, INVITED, LEAVE_PASS
from breakrank.engine.moments import Moments, TrustTies
from breakrank.engine.records import NOBODY, open_records
from breakrank.engine.run import Now
from breakrank.lives.answer import history
from breakrank.lives.trace import trace

NAME, DAY, OUTSIDE, TELL, EVENT = int(decision("rumour.tell")), 3, 0.2, 0.7, 200


def test_the_kernel_agrees_with_a_plain_reference() -> None:
    rng = np.random.default_rng(1)
    n = 300
    identity = rng.permutation(n).astype(np.uint32)
    records = open_records(identity, np.zeros(n, np.uint8), 1, 10, n)
    records.fate[rng.random(n) < 0.1] = DEAD
    friends = [rng.choice(n, int(rng.integers(0, 4)), replace=False) for _ in range(n)]
    start = np.cumsum([0, *map(len, friends)])
    state = rng.integers(0, 3, n).astype(np.uint8)
    who = np.sort(rng.choice(n, 200, replace=False)).astype(np.int32)
    occasion = rng.choice([LEAVE_PASS, INVITED], len(who)).astype(np.uint8)
    key = luck_key(7, "run")
    expected = plain(key, identity, records.fate, friends, who, occasion, state)
    ties = TrustTies(start, np.concatenate(friends).astype(np.int32))
    before = state == NOT_HEARD
    rumours = Rumours(state=state, outside=np.full(10, OUTSIDE), tell=TELL, weight=0.0, heard=EVENT)
    spread(Now(key, DAY, 0, False), deciding(who, identity[who], occasion), records, ties, rumours)
    assert state.tolist() == expected
    assert set(expected) == {NOT_HEARD, TELLS, SILENT}
    heard = records.who[: records.cursor[0]]
    assert sorted(heard) == np.flatnonzero(before & (state != NOT_HEARD)).tolist()
    assert set(records.event[: len(heard)]) == {EVENT}


def deciding(who, identity, occasion):  # type: ignore[no-untyped-def]
    """Return the day's moments of decision before anyone has weighed anything."""
    nobody, nothing = np.full(len(who), -1, np.int32), np.zeros(len(who))
    none, each = np.zeros((0, 0)), np.zeros(len(who), np.uint8)
    return Moments(
        *(who, identity, occasion, nobody, nothing, nothing, each),
        *(np.zeros(0, np.int64), none, none.astype(np.bool_), none, none),
    )


def plain(key, identity, fate, friends, who, occasion, state):  # type: ignore[no-untyped-def]
    """Do what the docstring of the module says, soldier by soldier."""
    state = state.tolist()
    for i, why in zip(who.tolist(), occasion.tolist(), strict=True):
        if why >= INVITED:
            continue
        hears, tells, whom, _ = (fraction(w) for w in words(key, NAME, identity[i], NOBODY, DAY))
        if state[i] == NOT_HEARD and hears < OUTSIDE:
            state[i] = TELLS
        if state[i] == TELLS and len(friends[i]) and tells < TELL:
            comrade = int(friends[i][int(whom * len(friends[i]))])
            if fate[comrade] == 0:
                state[i if state[comrade] != NOT_HEARD else comrade] = (
                    TELLS if state[comrade] == NOT_HEARD else SILENT
                )
    return state


EVERYWHERE = {
    "id": "rumour-everywhere",
    "date": "2019-01-01",
    "title": "Everyone hears the rumour",
    "effects": [{"field": "rumour", "op": "set", "value": 1}],
    "assumed": "made up, to see what the rumour does",
}


def small(*mechanisms: type) -> Case:
    case = load_case("venezuela-2019", "point", mechanisms=mechanisms)
    return case.set({"force.strength": 4000}).until("2019-03-31")


def lived(case: Case) -> Result:
    return simulate(case, runs=4, seed=1, workers=1, log_runs=0)


def test_where_everyone_has_heard_it_more_leave() -> None:
    """Odds of leaving rise by a factor of exp(2) = 7.4: more than twice as many go."""

    def left(weight: float) -> int:
        case = small(Rumour).with_events(EVERYWHERE).set({"rumour.weight": weight})
        return int(lived(case).data["exits_rank"].sum())

    assert left(2) > 2 * left(0)


def test_those_who_hear_it_are_counted_and_stand_in_the_log() -> None:
    case = small(Rumour).with_events(EVERYWHERE)
    result = simulate(case, runs=1, seed=1, workers=1, log_runs=1)
    heard = result.data["rumour_heard"].sum().item()
    assert result.events is not None
    rows = [k for k, event in enumerate(result.events["event"].to_pylist()) if event == HEARD]
    assert heard == len(rows) > 1000
    assert 0 < result.data["rumour_tellers"].isel(run=0, day=-1).item() < heard
    who = result.events["soldier"][rows[0]].as_py()
    told = history(trace(case, who, seed=1, run=0), case).table("events")["event"]
    assert HEARD in list(told)


def test_switched_off_it_is_not_there() -> None:
    off, without = lived(small(Rumour).set({"rumour.on": 0})).data, lived(small()).data
    assert all(without[name].equals(off[name]) for name in without)
