"""A day abroad told plainly: how people are treated, hope, moving on, work, going back, taking up arms."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import (
    EV_ENLISTED,
    EV_MOVED_ON,
    EV_RAN,
    EV_SENT_BACK,
    EV_SETTLED,
    EV_STOOD_DOWN,
    EV_WENT_BACK,
    HIDING,
    IMPRISONED,
)
from breakrank.mechanisms.guest_table import (
    BACK,
    ELSEWHERE,
    GRANTED,
    IN_SITE,
    PRIVATE_HOME,
    SETTLED,
    STAYS,
    STREET,
    WITH_KIN,
)
from breakrank.mechanisms.reception_quality import Treatment, quality_of, treatment_weights
from tests.engine.stage import SITES, Stage
from tests.mechanisms.plain_guests import Host, some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
HOURS = np.array([s.rules.hours_out for s in SITES])
RATIONS = np.array([s.rations_per_day for s in SITES], float)


def treated(stage: Stage, h: SimpleNamespace, works: bool) -> tuple[float, float]:
    """Return how someone is treated and fed where he lives, 0 to 1 each."""
    bread, free = stage.world["word_home.bread"], stage.world["word_home.freedom"]
    w = (1.0, bread, free, free)
    total = sum(w)
    if h.stay == SETTLED:
        return 1.0, 1.0
    roof, bread, freedom = {PRIVATE_HOME: (0.5, 0.5, 1.0), IN_SITE: (1.0, 0.0, 0.0)}.get(
        h.stay, (0.0, 0.0, 1.0)
    )
    if h.stay == IN_SITE:
        bread, freedom = min(RATIONS[h.site] / 3, 1.0), min(HOURS[h.site] / 8, 1.0)
    bread = 1.0 if works else bread
    parts = (roof, bread, freedom, float(works))
    return sum(k / total * part for k, part in zip(w, parts, strict=True)), bread


def live(host: Host, credit: float) -> None:
    """Let a day pass for everybody."""
    stage, day = host.stage, host.day
    world = stage.world
    x = {name: world[f"exile.{name}"] for name in ("idle", "food", "news", "settle", "back")}
    helped = 1 + world["exile.onward_helped"] * float(world.daily("onward_help")[day])
    for h in host.here:
        if h.stay > SETTLED or h.spy:
            continue
        allowed = bool(world.daily("right_to_work")[day] >= 0.5)
        allowed |= h.permit or h.double or h.decided == GRANTED
        works = allowed
        if h.stay == IN_SITE:
            works &= SITES[h.site].rules.hours_out >= 8 or SITES[h.site].rules.work
        h.quality, fed = treated(stage, h, works)
        h.idle = 0 if works else h.idle + 1
        lost = x["idle"] * min(h.idle / 60, 1) + x["food"] * (1 - fed) + x["news"] * (1 - credit)
        aim = world["exile.morale"] - lost
        ease = 1 - math.exp(-1 / world["exile.morale_days"])
        h.morale += (min(max(aim, 0.0), 1.0) - h.morale) * ease
        if h.stay == SETTLED or h.registered < 0:
            continue
        kin = bool(stage.force.kin_abroad[h.who])
        onward = helped * world["exile.onward_kin"] if kin else helped * world["exile.onward_other"]
        onward *= 1 if kin else 1 - h.morale
        settle, back = x["settle"] if allowed else 0.0, x["back"] * (1 - h.morale)
        total = onward + settle + back
        goes, which, unlucky, _ = host.four("exile.live", h)
        if total > 0 and goes < 1 - math.exp(-total):
            where = which * total
            way = "onward" if where < onward else "settle" if where < onward + settle else "back"
            leave(host, h, way, kin, unlucky < world["exile.back_caught"])


def leave(host: Host, h: SimpleNamespace, way: str, kin: bool, unlucky: bool) -> None:
    """Let a household go where it goes."""
    host.leave_site(h)
    h.since = host.day
    if way == "onward":
        h.stay = WITH_KIN if kin else ELSEWHERE
        host.record(h, EV_MOVED_ON, value=not kin)
    elif way == "settle":
        h.stay = SETTLED
        host.record(h, EV_SETTLED)
    else:
        h.stay, h.enlisted = BACK, False
        host.move(h, IMPRISONED if unlucky else HIDING, EV_WENT_BACK, unlucky)


def fight(host: Host, heard: float) -> int:
    """Let those who would fight sign up and run; return how many are signed up."""
    world, day = host.stage.world, host.day
    enlists, arming = float(world.daily("enlistment")[day]), bool(world.daily("arming")[day] >= 0.5)
    ran = 0
    for h in host.here:
        fit = h.stay <= STREET and not h.spy
        if not fit and h.stay != SETTLED:
            h.enlisted = False
        if h.enlisted and not arming and not enlists:
            h.enlisted = False
            host.record(h, EV_STOOD_DOWN)
        if not fit:
            continue
        would = host.one("exile.fight", h, 0) < world["exile.willing"] * h.morale
        signs, goes, taken, _ = host.four("exile.fight", h, 1 + day)
        if would and not h.enlisted and signs < enlists:
            h.enlisted = True
            host.record(h, EV_ENLISTED)
        if would and goes < world["exile.runs"] * heard:
            ran = 1
            host.record(h, EV_RAN, value=h.morale)
            if not arming:
                host.record(h, EV_SENT_BACK)
            elif taken < world["exile.back_caught"]:
                host.leave_site(h)
                h.stay, h.since, h.enlisted = BACK, day, False
                host.move(h, IMPRISONED, EV_WENT_BACK, 2)
    host.town.incidents[0] += ran
    return sum(h.enlisted for h in host.here)


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.tuples(share, share, share, share, share, share),
    st.tuples(st.sampled_from([0, 1]), st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([0, 1])),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([0.0, 40.0, 5000.0]),
    share,
)
def test_a_day_abroad_agrees_with_a_plain_telling(
    seed: int,
    chances: tuple[float, ...],
    allowed: tuple[int, float, int],
    call: float,
    risen: float,
    credit: float,
) -> None:
    names = ("onward_kin", "onward_other", "settle", "back", "runs", "back_caught")
    values = {f"exile.{k}": v for k, v in zip(names, chances, strict=True)}
    work, enlistment, arming = allowed
    fields = {"right_to_work": work, "enlistment": enlistment, "arming": arming, "call": call}
    stage = Stage(seed, values | {"exile.back_caught": 0.5}, fields | {"onward_help": 0.5})
    some_guests(stage)
    exile, run = stage.play["exile"], stage.run
    stage.play["challenger"].credit.today[0] = credit
    stage.play["reception"].town.risen[0] = risen
    host = Host(stage)
    exile.exiles.enlisted[0] = sum(h.enlisted for h in host.here)
    live(host, credit)
    heard = max(call, risen / (stage.world["rising.noticed"] + risen) if risen else 0)
    if enlistment or heard or any(exile.exiles.enlisted):
        expected = fight(host, heard)
        exile.receive(run)
        assert exile.exiles.enlisted[0] == expected
    else:
        exile.receive(run)
    host.assert_same()


@settings(max_examples=60, deadline=None)
@given(st.tuples(share, share), st.sampled_from(range(-1, 4)), st.booleans(), seeds)
def test_treatment_is_a_share_and_no_worse_for_more(
    weights: tuple[float, ...], stay: int, works: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    stage = Stage(
        1,
        {f"word_home.{k}": w for k, w in zip(("bread", "freedom"), weights, strict=True)},
        n=3,
    )
    t = treatment_weights(stage.world)
    assert t.roof + t.bread + 2 * t.freedom == pytest.approx(1)
    hours, rations = rng.uniform(0, 24, 3), rng.uniform(0, 5, 3)
    quality, fed = quality_of(t, stay, 1, works, hours, rations)
    assert -1e-12 <= quality <= 1 + 1e-12
    assert 0 <= fed <= 1
    for more in (
        quality_of(t, stay, 1, True, hours, rations),
        quality_of(t, stay, 1, works, hours + 1, rations),
        quality_of(t, stay, 1, works, hours, rations + 1),
    ):
        assert more[0] >= quality - 1e-12
        assert more[1] >= fed


def test_a_roof_is_better_than_none_and_settling_is_best() -> None:
    t = Treatment(0.4, 0.3, 0.15, 0.5, 12.0)
    hours, rations = np.array([24.0]), np.array([3.0])
    ranked = [quality_of(t, stay, 0, False, hours, rations)[0] for stay in (STREET, PRIVATE_HOME, IN_SITE)]
    assert ranked == sorted(ranked)
    assert quality_of(t, SETTLED, -1, False, hours, rations) == (1.0, 1.0)
    assert ranked[-1] == pytest.approx(0.85)


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from(["idle", "food", "news"]), share, share)
def test_what_wears_down_hope_never_lifts_it(seed: int, name: str, a: float, b: float) -> None:
    light, heavy = (morale_after(seed, **{name: x}) for x in sorted((a, b)))
    assert (heavy <= light + 1e-12).all()


@settings(max_examples=60, deadline=None)
@given(seeds, share, share)
def test_credit_lifts_hope(seed: int, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert (morale_after(seed, low) <= morale_after(seed, high) + 1e-12).all()


def morale_after(seed: int, credit: float = 0.5, **values: float) -> np.ndarray:
    """Return everybody's morale after a day on which nobody goes anywhere."""
    still = dict.fromkeys(("onward_kin", "onward_other", "settle", "back"), 0.0)
    stage = Stage(seed, {f"exile.{k}": v for k, v in (still | values).items()})
    g = some_guests(stage)
    stage.play["challenger"].credit.today[0] = credit
    stage.play["exile"].receive(stage.run)
    morale = g.morale[: g.used[0]].copy()
    assert ((morale >= 0) & (morale <= 1)).all()
    return morale


def test_who_would_fight_at_low_hope_would_at_high() -> None:
    for seed in range(20):
        fighters = []
        for hope in (0.3, 0.6, 0.95):
            stage = Stage(seed, {"exile.willing": 0.8, "exile.morale": hope}, {"enlistment": 1}, n=40)
            g = some_guests(stage)
            g.morale[:], g.enlisted[:], g.spy[:] = hope, False, False
            g.registered[:] = -1  # nobody moves on
            stage.play["exile"].receive(stage.run)
            fighters.append({int(g.who[k]) for k in range(int(g.used[0])) if g.enlisted[k]})
        assert fighters[0] <= fighters[1] <= fighters[2]


def test_who_waits_to_be_registered_goes_nowhere() -> None:
    chances = dict.fromkeys(("onward_kin", "onward_other", "settle", "back"), 1.0)
    stage = Stage(2, {f"exile.{k}": v for k, v in chances.items()}, {"right_to_work": 1}, n=40)
    g = some_guests(stage)
    before = g.stay[: g.used[0]].copy()
    waits = g.registered[: g.used[0]] < 0
    stage.play["exile"].receive(stage.run)
    after = g.stay[: g.used[0]]
    assert (after[waits] == before[waits]).all()
    assert (after[~waits] != before[~waits]).sum() > 5


def test_only_those_with_the_host_change() -> None:
    seen = set()
    for seed in range(24):  # so many that every stay occurs, infiltrators' included
        stage = Stage(seed, {"exile.back": 1}, {"enlistment": 1, "call": 1}, n=40)
        g = some_guests(stage)
        used = int(g.used[0])
        still = (g.stay[:used] > SETTLED) | g.spy[:used]
        seen |= {STAYS[s] for s in g.stay[:used][still] if s >= 0}
        before = [getattr(g, name)[:used][still].tolist() for name in ("morale", "quality", "stay", "site")]
        stage.play["exile"].receive(stage.run)
        after = [getattr(g, name)[:used][still].tolist() for name in ("morale", "quality", "stay", "site")]
        assert after == before
    assert seen == set(STAYS)
