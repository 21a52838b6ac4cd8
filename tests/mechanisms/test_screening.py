"""Screening told plainly: arms handed in, infiltrators sent after others, suspects held or expelled."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import (
    ABROAD,
    EV_DISARMED,
    EV_EXPELLED,
    EV_HELD,
    EV_LET_GO,
    EV_REGISTERED,
    EV_SENT,
    IMPRISONED,
    REGISTERED,
    SERVING,
)
from breakrank.mechanisms.guest_table import EXPELLED, HELD, NOT_PLACED, SETTLED, Guests
from breakrank.mechanisms.screening import Screening, _in_days
from tests.engine.stage import Stage
from tests.mechanisms.plain import tier
from tests.mechanisms.plain_guests import Host, just_come, some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def in_days(draw: float, chance: float) -> int:
    """Return the first day, from tomorrow on, on which something of this daily chance happens; -1 never."""
    if chance == 1 or 1 - chance == 1:
        return 1 if chance == 1 else -1
    days = 1 + math.floor(math.log(draw) / math.log(1 - chance))
    return days if days < 16_383 else -1


class PlainScreening:
    """The day of those who register, send, and screen."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.host = stage, Host(stage)
        self.found = self.wrong = self.expelled = self.sent = 0
        self.agents = {
            int(stage.force.identity[i]): i for i in range(stage.n) if tier(stage, i) < 2
        }  # the made-up country has no service of its own

    def value(self, name: str) -> float:
        return self.stage.world[f"screening.{name}"]

    def suspected(self, h: SimpleNamespace, draw: float, chance: float) -> None:
        wait = in_days(draw, chance)
        h.suspect = self.host.day + wait if wait > 0 else -1

    def live(self) -> None:
        day, host = self.host.day, self.host
        today = [h for h in host.here if h.registered == day and not h.spy]
        for h in today:
            if h.stay <= SETTLED:
                brings, holds, draw, _ = host.four("screening.arms", h)
                self.suspected(h, draw, self.value("wrong"))
                if brings < self.value("armed"):
                    h.armed = holds < self.value("keeps_arms")
                    if not h.armed:
                        host.record(h, EV_DISARMED)
        for h in today:
            self.send_after(h)
        for h in list(host.here):
            self.screen(h)
        host.town.incidents[0] += self.expelled > 0

    def send_after(self, h: SimpleNamespace) -> None:
        chance, which, draw, _ = self.host.four("screening.send", h)
        if chance >= self.value("sent"):
            return
        point = int(which * self.stage.world["force.strength"])
        names = sorted(self.agents)
        agent = self.agents[next((name for name in names if name >= point), names[-1])]
        if self.host.records.fate[agent] != SERVING:
            return
        way, records, day = int(column_of_routes(self.stage)[h.who]), self.host.records, self.host.day
        scheme = float(self.stage.world.daily("registration")[day] >= 0.5)
        records.move(day, agent, ABROAD, EV_SENT, way)
        records.move(day, agent, REGISTERED, EV_REGISTERED, way, agent, scheme)
        spy = next((row for row in self.host.all if row.who == agent), SimpleNamespace())
        if not vars(spy):
            self.host.all.append(spy)
        name, morale = int(self.stage.force.identity[agent]), self.stage.world["exile.morale"]
        vars(spy).update(just_come(agent, name, day, 0, 0, True, morale), registered=day)
        self.suspected(spy, draw, self.value("found"))
        self.host.here.append(spy)
        self.sent += 1

    def screen(self, h: SimpleNamespace) -> None:
        host, day = self.host, self.host.day
        over = h.stay == HELD and h.until <= day
        if over and not h.spy:
            h.stay, h.since = NOT_PLACED, day
            host.record(h, EV_LET_GO)
        elif over or (h.suspect == day and h.stay <= SETTLED):
            outcome, taken, _, _ = host.four("screening.suspect", h)
            h.since = day
            if not over:
                self.found += h.spy
                self.wrong += not h.spy
                host.leave_site(h)
                if outcome >= self.value("expels"):
                    h.stay, h.until = HELD, day + int(self.value("held_days"))
                    host.record(h, EV_HELD, value=h.spy)
                    return
            self.expelled += 1
            h.stay, h.lost = EXPELLED, True
            at_home = taken < self.stage.world["exile.back_caught"]
            fate, value = (SERVING, 1) if h.spy else (IMPRISONED, 2) if at_home else (ABROAD, 0)
            host.move(h, fate, EV_EXPELLED, value)


def column_of_routes(stage: Stage) -> np.ndarray:
    return np.asarray(stage.play["ways_out"].journeys.route)


def staged(seed: int, n: int | None = None, **values: float) -> Stage:
    stage = Stage(
        seed,
        {f"screening.{k}": v for k, v in values.items()} | {"force.strength": 200},
        {"registration": np.arange(30) % 2},
        n=n,
    )
    stage.play["ways_out"].journeys.route[:] = stage.rng.integers(0, 4, stage.n)
    g = some_guests(stage)
    spies_at_home(stage, g)
    stage.play["reception"].town.registered[0] = (g.registered[: g.used[0]] == stage.run.day).sum()
    return stage


def spies_at_home(stage: Stage, g: Guests) -> None:
    """Let some who were expelled as infiltrators serve again, as those do who are found."""
    records = stage.run.records
    listed = set(g.here[: g.used[1]].tolist())
    for k in range(int(g.used[0])):
        if g.stay[k] == EXPELLED and k not in listed:
            g.spy[k], g.relatives[k], g.children[k] = True, 0, 0
            records.fate[g.who[k]] = SERVING
    g.gone[1, EXPELLED] = 0
    records.stock[:] = 0
    np.add.at(records.stock, (records.fate, records.rank), 1)


@settings(max_examples=100, deadline=None)
@given(seeds, share, share, share, share, share, share, st.integers(1, 40))
def test_screening_agrees_with_a_plain_telling(
    seed: int, armed: float, keeps: float, sent: float, found: float, wrong: float, expels: float, held: int
) -> None:
    values = {"armed": armed, "keeps_arms": keeps, "sent": sent, "found": found, "wrong": wrong}
    stage = staged(seed, expels=expels, held_days=held, **values)
    plain = PlainScreening(stage)
    if plain.agents:
        plain.live()
    stage.play["screening"].receive(stage.run)
    plain.host.assert_same()
    day, tables = stage.run.day, stage.run.tables
    counted = (plain.found, plain.wrong, plain.expelled)
    names = ("infiltrators_found", "wrongly_suspected", "expelled")
    assert tuple(int(tables[name][day]) for name in names) == counted
    assert tables["arrived_soldiers"][day] == plain.sent


@pytest.mark.parametrize("chance", [0.002, 0.05, 0.5])
def test_days_until_something_of_a_daily_chance_happens(chance: float) -> None:
    rng = np.random.default_rng(5)
    found = np.array([_in_days(float(u), chance) for u in rng.random(40_000)])
    assert found.min() >= 1
    # geometric: the mean is 1 / chance, its deviation nearly so
    assert found.mean() == pytest.approx(1 / chance, abs=4 / chance / math.sqrt(len(found)))
    assert (found == 1).mean() == pytest.approx(chance, abs=4 * math.sqrt(chance / len(found)))
    assert _in_days(0.5, 0.0) == -1
    assert _in_days(0.5, 1.0) == 1
    assert _in_days(1e-10, 1e-9) == -1, "never within the run"


@settings(max_examples=60, deadline=None)
@given(seeds, share, share)
def test_a_higher_chance_never_finds_anybody_later(seed: int, a: float, b: float) -> None:
    few, many = (suspected(seed, found=c, wrong=c) for c in sorted((a, b)))
    for who, day in few.items():
        assert day < 0 or 0 <= many[who] <= day


def suspected(seed: int, **values: float) -> dict[int, int]:
    """Return when each who registers, or is sent, would be suspected."""
    stage = staged(seed, sent=0.5, expels=0, **values)
    stage.play["screening"].receive(stage.run)
    g = stage.run.view(Guests)
    today = np.flatnonzero(g.registered[: g.used[0]] == stage.run.day)
    return {int(g.who[k]): int(g.suspect[k]) for k in today}


def test_men_of_the_services_are_sent_and_no_officers() -> None:
    stage = Stage(3, n=40)
    stage.world.case.force.branches[0].intelligence = True
    vars(stage.world).pop("intelligence", None)
    agents = Screening(stage.world).agents
    assert len(agents)
    assert all(stage.force.branch[i] == 0 and tier(stage, i) < 2 for i in agents)
    assert len(agents) == sum(stage.force.branch[i] == 0 and tier(stage, i) < 2 for i in range(40))


def test_without_one_man_of_the_services_all_others_are_picked_as_before() -> None:
    """Whoever was to be sent is; in place of the one who is gone the next of them goes."""
    same = other = 0
    for seed in range(30):
        whole = sent_without(seed, None)
        for position in (-1, 0):
            gone = int(staged(seed, 30).play["screening"].agents[position])
            other += gone in whole
            if gone not in whole:
                same += 1
                assert sent_without(seed, position) == whole
    assert same > 20
    assert other > 5


def sent_without(seed: int, position: int | None) -> list[int]:
    """Return whom the services send, in order, without the man at a position of theirs; all of them serve."""
    stage = staged(seed, 30, sent=1, found=0, wrong=0, armed=0)
    screening = stage.play["screening"]
    stage.run.records.fate[screening.agents] = SERVING
    if position is not None:
        screening.agents = np.delete(screening.agents, position)
        screening.names = np.delete(screening.names, position)
    screening.receive(stage.run)
    return [row[1] for row in stage.records.log if row[2] == EV_SENT]
