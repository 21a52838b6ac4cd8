"""Series, plots and moments of a run against its log: what has to agree whatever the world."""

from __future__ import annotations

from typing import Any

import numpy as np

from breakrank.engine.codes import DEFEATED, FATES, INVITED, SERVING, STAY
from breakrank.force import Force
from breakrank.outputs import LogRows
from breakrank.results.variables import VARIABLES
from tests.engine.replay import Replay
from tests.engine.worlds import Replicate, Spy, rows

NAMED = {
    "arrested": ("arrested",),
    "released": ("released by a patron",),
    "captured": ("captured on the way", "caught in hiding"),
    "shot": ("shot on the way",),
    "died_in_custody": ("died in custody",),
    "reprisals": ("reprisal on relatives",),
    "shocks": ("family shock",),
    "confided": ("confided",),
    "reported": ("reported",),
    "left_abroad": ("crossed",),
    "founded": ("founded a plot",),
    "approached": ("approached someone for a plot",),
    "joined": ("joined a plot",),
    "declined": ("declined to join",),
    "pledged": ("pledged to a plot",),
    "tapped": ("overheard by a tap",),
    "named": ("named under interrogation",),
    "warned": ("warned of a leak",),
    "risings": ("rising collapsed", "rising held out, then ended", "rising succeeded"),
    "rose": ("joined a rising with his unit",),
    "followed": ("followed into a rising",),
    "reneged": ("did not keep a pledge",),
    "refused": ("refused to march against a rising",),
    "surrendered": ("surrendered after a rising",),
    "discharged": ("discharged in a purge",),
    "fell": ("regime fell",),
    "infiltrators_sent": ("sent across as an infiltrator",),
    "asylum_filed": ("asked for asylum",),
    "asylum_granted": ("granted asylum",),
    "asylum_refused": ("refused asylum",),
    "permits": ("got a permit",),
    "status_lost": ("lost his status",),
    "moved_on": ("moved on",),
    "settled": ("settled and works",),
    "enlisted": ("enlisted abroad",),
    "stood_down": ("stood down by the host",),
    "ran_to_border": ("ran to the border",),
    "went_back": ("went back",),
    "put_out": ("put out of a site",),
    "relocated": ("moved elsewhere by the authorities",),
    "took_offer": ("left a site for an offer",),
    "disarmed": ("handed in a weapon",),
    "word_sent": ("sent word home",),
}
"""Series that count events of the log."""
ENDED = {
    "collapsed": "rising collapsed",
    "stalemates": "rising held out, then ended",
    "won": "rising succeeded",
    "launched_crossing": "plot launched",
}
"""Series that count again, apart, what is counted above, and the plots that set out."""
LOST = {"plot broken by arrests": 0, "plot scattered": 1, "plot dissolved": 2, "plot launched": 3}
ALIVE = 4


def assert_series_agree(replicate: Replicate, told: Replay, force: Force, days: int) -> None:
    """Assert that every series is what the log adds up to."""
    series: dict[str, Any] = dict(replicate.series)
    for name, expected in told.exits.items():
        np.testing.assert_array_equal(series[name][..., : expected.shape[-1]], expected)
        assert not series[name][..., expected.shape[-1] :].any()
    np.testing.assert_array_equal(series["fates"], told.fates)
    assert {*NAMED, *ENDED} == {
        name
        for name, one in VARIABLES.items()
        if one.events and one.dims == ("run", "day") and not any(isinstance(e, LogRows) for e in one.events)
    }
    for name, events in NAMED.items():
        expected = [sum(told.counts.get((day, e), 0) for e in events) for day in range(days)]
        assert series[name].tolist() == expected, name
    for name, event in ENDED.items():
        expected = [0] * days
        for day, _, what, _, _, value in rows(replicate):
            expected[day] += what == event and (event != "plot launched" or value < 1000)
        assert series[name].tolist() == expected, name
    at_end = np.array([FATES.index(told.at_end[int(who)]) for who in force.identity])
    for name, code in (("fate_rank", force.rank), ("fate_branch", force.branch)):
        expected = np.zeros_like(series[name])
        np.add.at(expected, (at_end, code), 1)
        np.testing.assert_array_equal(series[name], expected)
    states = len(force.state_ids)
    position = {int(who): i for i, who in enumerate(force.identity)}
    by_state, by_route = np.zeros_like(series["exits_state"]), np.zeros_like(series["exits_route"])
    registered, crossed = np.zeros_like(series["registered_rank"]), np.zeros_like(series["crossed_rank"])
    for day, who, event, place, _, value in rows(replicate):
        i = position[who]
        if event == "deserted quietly" or (event == "left for the border" and value >= 0):
            by_state[day, force.state[i]] += 1
        elif event == "crossed":
            by_route[day, place - states] += 1
            crossed[day, force.rank[i]] += 1
        elif event == "registered" and value > 0:
            registered[day, force.rank[i]] += 1
    np.testing.assert_array_equal(series["exits_state"], by_state)
    np.testing.assert_array_equal(series["exits_route"], by_route)
    np.testing.assert_array_equal(series["crossed_rank"], crossed)
    np.testing.assert_array_equal(series["registered_rank"], registered)
    for whole, part in (("registered", "registered_branch"), ("left_abroad", "crossed_branch")):
        np.testing.assert_array_equal(series[whole], series[part].sum(axis=1))
    assert series["registered"].tolist() == registered.sum(axis=1).tolist()


def assert_plots_agree(replicate: Replicate, days: int) -> None:
    """Assert that plots and plotters by day and by end are what the log adds up to."""
    series: dict[str, Any] = dict(replicate.series)
    alive, ended, founded, launched = (np.zeros(k, int) for k in (days, 5, 2, 2))
    open_: dict[int, int] = {}
    fell = [row[0] for row in rows(replicate) if row[2] == "regime fell"]
    for day, who, event, _, _, value in rows(replicate):
        if event == "founded a plot":
            open_[who] = open_.get(who, 0) + 1
            founded[int(value)] += 1
            alive[day:] += 1
        elif event in LOST:
            open_[who] -= 1
            ended[LOST[event]] += 1
            alive[day:] -= 1
            launched[int(value) // 1000] += event == "plot launched"
    assert all(k >= 0 for k in open_.values()), "a plot ends once"
    ended[ALIVE] = sum(open_.values())
    ends = series["plot_ends"].sum(axis=1)
    np.testing.assert_array_equal(series["plots"].sum(axis=1), alive)
    np.testing.assert_array_equal(ends.sum(axis=1), ended)
    np.testing.assert_array_equal(ends.sum(axis=0), founded)
    np.testing.assert_array_equal(ends[LOST["plot launched"]], launched)
    np.testing.assert_array_equal(ends[ALIVE], series["plots"][-1])
    assert (series["plotters"] >= series["plots"]).all()
    holds = np.arange(days) < fell[0] if fell else np.ones(days, bool)
    np.testing.assert_array_equal(series["regime_holds"].astype(bool), holds)
    assert len(fell) <= 1
    for name in [n for n, v in VARIABLES.items() if "day" in v.dims and v.aggregation == "sum"]:
        if fell and name in series:
            assert not np.asarray(series[name])[fell[0] + 1 :].any(), f"{name} after the regime fell"


def assert_sound(spy: Spy, replicate: Replicate, force: Force) -> None:
    """Assert that those who decided could, and chose among what was open with chances that add up to 1."""
    units, identity = force.unit, force.identity.tolist()
    log = rows(replicate)
    set_out = {(row[0], row[1]) for row in log if row[2] == "plot launched" and row[5] < 1000}
    joined = {row[1]: row[0] for row in reversed(log) if row[2] == "joined a plot" and row[5] == 0}
    for seen in spy.all:
        moments, n = seen.moments, seen.moments.n
        assert (seen.fate == SERVING).all()
        assert (np.diff(moments.who) > 0).all()
        assert np.isfinite(moments.terms).all()
        assert np.isfinite(moments.margin).all()
        assert (moments.chance >= 0).all()
        assert (moments.chance <= 1).all()
        np.testing.assert_allclose(moments.chance.sum(axis=0), 1, atol=1e-12)
        assert moments.open[STAY].all()
        assert not moments.chance[~moments.open].any()
        assert moments.open[moments.choice, np.arange(n)].all()
        assert moments.count.tolist() == np.bincount(moments.choice, minlength=len(moments.count)).tolist()
        invited = moments.occasion == INVITED
        called = invited | (moments.occasion == DEFEATED)
        assert called.all() or not called.any()
        assert (moments.leader[~invited] == -1).all()
        for i, leader in zip(moments.who[invited], moments.leader[invited], strict=True):
            if (seen.day, identity[leader]) in set_out:
                assert joined[identity[i]] <= seen.day, "a plot leads out its own members"
            else:
                assert leader in force.ties.of(i)
                assert units[leader] == units[i]
