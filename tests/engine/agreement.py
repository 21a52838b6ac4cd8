"""Series, plots and moments of a run against its log: what has to agree whatever the world."""

from __future__ import annotations

from typing import Any

import numpy as np

from breakrank.engine.codes import DEFEATED, FATES, INVITED, ORDERED, SERVING, STAY
from breakrank.force import Force
from breakrank.model import catalogue
from breakrank.outputs import Output
from tests.engine.replay import Replay
from tests.engine.worlds import NO, Replicate, Spy, rows

LOST = {"plot broken by arrests": 0, "plot scattered": 1, "plot dissolved": 2, "plot launched": 3}
ALIVE = 4


def assert_series_agree(replicate: Replicate, told: Replay, force: Force, days: int) -> None:
    """Assert that every series is what the log adds up to."""
    series: dict[str, Any] = dict(replicate.series)
    for name, expected in told.exits.items():
        np.testing.assert_array_equal(series[name][..., : expected.shape[-1]], expected)
        assert not series[name][..., expected.shape[-1] :].any()
    np.testing.assert_array_equal(series["fates"], told.fates)
    for name, one in catalogue().outputs.items():
        if one.events and name in series:
            expected = counted(one, replicate, force, series[name].shape)
            np.testing.assert_array_equal(series[name], expected, err_msg=name)
    at_end = np.array([FATES.index(told.at_end[int(who)]) for who in force.identity])
    for name, code in (("fate_rank", force.rank), ("fate_branch", force.branch)):
        expected = np.zeros_like(series[name])
        np.add.at(expected, (at_end, code), 1)
        np.testing.assert_array_equal(series[name], expected)


def counted(one: Output, replicate: Replicate, force: Force, shape: tuple[int, ...]) -> np.ndarray:
    """Return what the log alone says of a series that counts rows of it."""
    log: dict[str, Any] = dict(replicate.events or {})
    i, found = np.searchsorted(force.identity, log["soldier"]), np.zeros(shape, int)
    where = {"rank": force.rank[i], "branch": force.branch[i], "state": force.state[i]}
    where["route"] = log["place"] - len(force.labels.states)
    for row in one.rows:
        hit = (log["event"] == row.event) & (log["value"] >= row.low) & (log["value"] < row.below)
        hit &= (log["other"] == NO) | (not row.alone)
        where["outcome"] = np.full(len(i), row.at)
        np.add.at(found, (log["day"][hit], *(where[dim][hit] for dim in one.dims[2:])), 1)
    return found


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
    for name in [n for n, v in catalogue().outputs.items() if "day" in v.dims and v.aggregation == "sum"]:
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
        called = invited | np.isin(moments.occasion, (DEFEATED, ORDERED))
        assert called.all() or not called.any()
        assert (moments.leader[~invited] == -1).all()
        for i, leader in zip(moments.who[invited], moments.leader[invited], strict=True):
            if (seen.day, identity[leader]) in set_out:
                assert joined[identity[i]] <= seen.day, "a plot leads out its own members"
            else:
                assert leader in force.ties.of(i)
                assert units[leader] == units[i]
