"""Reception as a whole: who comes in with whom, what a day is counted as, and how the town takes it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import (
    EV_CONFIDED,
    EV_CROSSED,
    EV_EMBASSY,
    EV_REGISTERED,
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    EV_SLIPPED,
)
from breakrank.engine.records import record
from breakrank.mechanisms.guest_table import NOT_PLACED, SETTLED, STREET, WITH_KIN, Guests, let_go
from breakrank.mechanisms.journeys import FAMILY
from breakrank.mechanisms.reception import Host as TownHost
from tests.engine.stage import CROSSINGS, SITES, Stage
from tests.mechanisms.plain import four, set_the_mood
from tests.mechanisms.plain_guests import EMBASSY, Host, households, some_guests
from tests.mechanisms.plain_lodging import bill, count

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def much_happens(stage: Stage) -> list[tuple[int, int, int]]:
    """Write a day's log in which each soldier does one thing at most; return who, event and crossing."""
    rng, run, told = stage.rng, stage.run, []
    journeys = stage.play["ways_out"].journeys
    journeys.mode[:] = rng.integers(0, 3, stage.n)
    inside = stage.play["reception"].town.inside
    events = [EV_CROSSED, EV_CROSSED, EV_CROSSED, EV_REGISTERED, EV_EMBASSY, EV_CONFIDED, EV_RISING_COLLAPSED]
    for i in rng.permutation(stage.n).tolist():
        event = int(rng.choice([*events, EV_RISING_STALEMATE]))
        way = int(rng.integers(len(CROSSINGS)))
        if event == EV_EMBASSY:
            way = [c.kind for c in CROSSINGS].index("embassy")
        elif event == EV_CROSSED and CROSSINGS[way].kind == "embassy" and not inside[way]:
            continue
        record(run.records, run.day, i, event, way, -1, float(rng.integers(1, 9)))
        told.append((i, event, way))
        if event == EV_CROSSED and rng.random() < 0.4:
            record(run.records, run.day, i, EV_SLIPPED, way, -1, 0.0)
            told.append((i, EV_SLIPPED, way))
    return told


@settings(max_examples=75, deadline=None)
@given(seeds, share, share)
def test_who_comes_in_agrees_with_a_plain_telling(seed: int, along: float, children: float) -> None:
    stage = Stage(seed, {"reception.relatives": along, "reception.children": children})
    set_the_mood(stage)
    reception, run = stage.play["reception"], stage.run
    inside = reception.town.inside
    inside[:] = stage.rng.integers(0, 3, len(inside))
    expected_inside = inside.tolist()
    came: dict[int, list[int]] = {}
    away: set[int] = set()
    for _ in range(3):
        told = much_happens(stage)
        slipped = {i for i, event, _ in told if event == EV_SLIPPED}
        registered, arrived, risen = 0, [0, 0, 0], 0.0
        for i, event, way in told:
            if event == EV_EMBASSY:
                expected_inside[way] += 1
            elif event == EV_CROSSED:
                expected_inside[way] -= CROSSINGS[way].kind == "embassy"
                if CROSSINGS[way].host and i not in slipped:
                    come, young, _, _ = four(stage, "reception.arrive", i, when=run.day)
                    family = int(stage.force.dependants[i])
                    family *= int(stage.play["ways_out"].journeys.mode[i] == FAMILY)
                    relatives = min(max(int(family * along + come), int(family > 0)), family)
                    away.discard(i)
                    came[i] = [run.day, relatives, min(int(relatives * children + young), relatives), -1]
                    arrived = [a + b for a, b in zip(arrived, [1, *came[i][1:3]], strict=True)]
            elif event == EV_REGISTERED and i in came and i not in away:
                came[i][3] = run.day
                registered += 1
        rose = (EV_RISING_COLLAPSED, EV_RISING_STALEMATE)
        risen = max([row[5] for row in stage.records.log[run.mark :] if row[2] in rose], default=0.0)
        reception.travel(run)
        found = {h.who: [h.came, h.relatives, h.children, h.registered] for h in households(run.view(Guests))}
        assert found == came
        assert inside.tolist() == expected_inside
        town = reception.town
        assert (town.registered[0], town.risen[0], town.incidents[0]) == (registered, risen, 0)
        assert run.view(TownHost).arrived.tolist() == arrived
        g = run.view(Guests)
        assert all(h.stay == NOT_PLACED or h.who in away for h in households(g))
        for k in stage.rng.permutation(int(g.used[0]))[:3]:
            away.add(int(g.who[k]))
            g.stay[k] = WITH_KIN
        let_go(g)
        run.open_day(run.day + 1)


def test_whoever_brings_his_family_brings_somebody() -> None:
    for along in (0.0, 0.01, 0.5, 1.0):
        stage = Stage(4, {"reception.relatives": along}, n=40)
        set_the_mood(stage)
        stage.play["ways_out"].journeys.mode[:] = FAMILY
        for i in range(40):
            record(stage.run.records, stage.run.day, i, EV_CROSSED, 0, -1, 1.0)
        stage.play["reception"].travel(stage.run)
        for h in households(stage.run.view(Guests)):
            behind = int(stage.force.dependants[h.who])
            assert min(1, behind) <= h.relatives <= behind
            assert h.relatives == behind or along < 1


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0, 5), st.floats(0, 2), st.floats(1, 200))
def test_a_day_is_counted_and_felt_as_in_a_plain_telling(
    seed: int, numbers: float, incident: float, days: float
) -> None:
    names = {"numbers": numbers, "incident": incident, "days": days}
    stage = Stage(seed, {f"reception.tension_{k}": v for k, v in names.items()})
    g = some_guests(stage)
    g.stay[: g.used[0]] = np.where(g.stay[: g.used[0]] < 0, STREET, g.stay[: g.used[0]])
    reception, run = stage.play["reception"], stage.run
    run.view(TownHost).arrived[:] = (3, 5, 2)
    reception.town.incidents[:] = stage.rng.integers(0, 4)
    run.tables["arrived_soldiers"][run.day] = 2  # sent across today
    host = Host(stage)
    told = count(host)
    house = [a + b for a, b in zip(told["site_soldiers"], told["site_relatives"], strict=True)]
    embassy = EMBASSY.index(True)
    inside = host.town.inside[[c.id for c in CROSSINGS].index(SITES[embassy].crossing)]
    house[embassy] = inside if 2 <= run.day <= 24 else 0  # nobody pays outside its dates
    bill(host, [int(k) for k in house])
    persons = sum(told["soldiers"][:3] + told["relatives"][:3])
    care = told["care"][0]
    idle = told["idle"][0] / care if care else 0.0
    causes = numbers * persons / 1000 * idle
    host.town.tension[0] += (causes - host.town.tension[0]) * (1 - math.exp(-1 / days))
    host.town.tension[0] += incident * host.town.incidents[0]
    host.town.care[0] = float(persons)
    reception.dusk(run)
    host.assert_same()
    tables, stocks, day = run.tables, run.stocks, run.day
    found = [int(tables[f"arrived_{who}"][day]) for who in ("soldiers", "relatives", "children")]
    assert found == [5, 5, 2]
    assert tables["meals"][day] == round(host.town.meals[0])
    np.testing.assert_array_equal(tables["cost"][day], np.float32(host.town.due))
    owed = np.array(host.town.due) - np.array(host.town.paid)
    np.testing.assert_array_equal(tables["unpaid"][day], np.float32(owed))
    programme = [int(stocks[f"programme_{who}"]) for who in ("soldiers", "relatives")]
    assert programme == told["programme"]
    assert stocks["desk_waiting"] == told["waiting"][0]
    assert stocks["stay_soldiers"].tolist() == told["soldiers"]
    assert stocks["stay_relatives"].tolist() == told["relatives"]
    at = list(told["site_soldiers"])
    at[embassy] = inside
    assert stocks["site_soldiers"].tolist() == at
    assert stocks["site_relatives"].tolist() == told["site_relatives"]
    assert stocks["site_children"].tolist() == told["site_children"]
    morale = told["morale"][0] / care if care else math.nan
    assert run.measured["morale"][day] == pytest.approx(morale, nan_ok=True, rel=1e-6)
    assert run.measured["tension"][day] == np.float32(host.town.tension[0])
    assert all(h.stay <= SETTLED or h.stay == 6 for h in host.here)
