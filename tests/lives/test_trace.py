"""One soldier's year: the numbers are those of the run, and every word of the log has its sentence."""

import dataclasses
import math
import re
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.case import Case
from breakrank.engine.codes import (
    EV_ARRESTED,
    EV_CONFIDED,
    EV_DESERTED,
    EV_DIED,
    EV_FOUNDED,
    EV_LAUNCHED,
    EV_LEFT,
    EV_REGISTERED,
    EV_REPORTED,
    EV_SHOT,
    EV_WORD,
    EVENTS,
    HAD_LEFT,
)
from breakrank.engine.observe import Witness
from breakrank.engine.run import Run
from breakrank.errors import UsageError
from breakrank.lives.answer import history, told_days
from breakrank.lives.trace import (
    COUNTED,
    SHARED,
    Happening,
    Trace,
    find_soldier,
    happenings,
    informers,
    trace,
    traces,
    typical,
)
from breakrank.mechanisms.counterintelligence import Counterintelligence
from breakrank.model import Model, build, model_of
from tests.results.voices import Row, log

SEED, RUN = 3, 1


@pytest.fixture(scope="module")
def model(case: Case) -> Model:
    return Model(case, build(case, SEED))


@pytest.fixture(scope="module")
def lives(case: Case) -> tuple[Trace, ...]:
    return traces(case, range(0, 3000, 3), SEED, RUN)


def test_weights_add_up_to_the_odds_of_every_option(lives: tuple[Trace, ...]) -> None:
    options = 0
    for life in lives:
        for moment in life.moments:
            stay = moment.options[0]
            assert (stay.code, stay.weights) == (0, ())
            assert math.isclose(sum(o.chance for o in moment.options), 1, rel_tol=1e-12)
            for option in moment.options[1:]:
                assert math.isclose(option.chance / stay.chance, math.exp(option.utility), rel_tol=1e-9)
                assert [abs(w.value) for w in option.weights] == sorted(
                    (abs(w.value) for w in option.weights), reverse=True
                )
                options += 1
    assert options > 1000


def test_a_life_is_the_one_of_the_ensemble(model: Model, lives: tuple[Trace, ...]) -> None:
    plain = model.replicate(SEED, RUN, log=True)
    assert plain.events is not None
    log = plain.events
    word = log["event"] == EV_WORD
    aside, along = np.isin(log["event"], SHARED), np.isin(log["event"], COUNTED)
    for life in lives:
        me = life.soldier.identity
        mine, theirs = log["soldier"] == me, log["other"] == me
        told = [e for e in life.events if e.event != EVENTS[EV_WORD]]
        one_by_one = [e.event for e in told if e.own or EVENTS.index(e.event) not in COUNTED]
        assert one_by_one == [EVENTS[e] for e in log["event"][(mine | (theirs & aside)) & ~word]]
        others = [e for e in told if not e.own and EVENTS.index(e.event) in COUNTED]
        followed = sum(1 if e.other is not None else e.value for e in others)
        assert followed == (theirs & along & ~mine).sum()
    assert {life.fate for life in lives} > {"serving"}, "nobody's fate changed"


def test_it_reads_in_order_and_the_same_each_time(case: Case, lives: tuple[Trace, ...]) -> None:
    life = max(lives, key=lambda t: len(t.moments))
    assert trace(case, life.soldier.identity, SEED, RUN) == life
    assert [m.date for m in life.moments] == sorted(m.date for m in life.moments)


def test_the_answer_tells_every_day_and_every_reason(case: Case, lives: tuple[Trace, ...]) -> None:
    for life in sorted(lives, key=lambda t: -len(t.moments) - len(t.events))[:5]:
        answer = history(life, case)
        rows = answer["events"].records()
        assert [row["date"] for row in rows] == sorted(row["date"] for row in rows)
        assert [row["event"] for row in rows].count("decision") == len(life.moments)
        assert len(rows) == len(life.moments) + len(life.events) + 1
        terms = answer["terms"].rows["value"].to_list()
        assert terms == [w.value for m in life.moments for o in m.options for w in o.weights]
        assert answer["options"].rows["chance"].to_list() == [
            o.chance for m in life.moments for o in m.options
        ]
        (paragraph, *_) = answer.notes
        assert f"Soldier {life.soldier.identity} of the synthetic force" in paragraph


def lived(
    case: Case, model: Model, made: dict[str, Any], who: int = 7, spies: tuple[int, ...] = ()
) -> tuple[Happening, ...]:
    """Return what happened to a soldier by a log made by hand, where some are informers."""
    force = model.world.force
    mask = np.zeros(force.n, np.bool_)
    mask[list(spies)] = True
    return happenings(case, force, made, force.position(who), mask)


@pytest.mark.parametrize("event", range(len(EVENTS)))
def test_every_event_of_the_log_is_told(case: Case, model: Model, event: int) -> None:
    states = len(case.force.states)
    for value, route, other in product((-1.0, 0.0, 1.0, 2.0), range(len(case.crossings)), (None, 5)):
        made = log((9, EVENTS[event], 7, other, value), places=[states + route])
        found = lived(case, model, made)
        if (event, value) == (EV_DESERTED, HAD_LEFT):
            assert not found, "that they were turned away is told"
            continue
        (told,) = found
        assert (told.event, told.place) == (EVENTS[event], case.crossings[route].id)
        assert (told.other, bool(told.who)) == (other, other is not None)


def test_those_who_came_along_are_counted_once(case: Case, model: Model) -> None:
    rows: list[Row] = [(9, EVENTS[EV_LEFT], who, leader, 0.0) for who, leader in ((7, None), (8, 7), (9, 7))]
    told = lived(case, model, log(*rows, places=[len(case.force.states)] * 3))
    assert [(e.event, e.who) for e in told] == [(EVENTS[EV_LEFT], ""), (EVENTS[EV_LEFT], "by 2 soldiers")]
    assert told[1].value == 2


def test_others_fates_are_not_his(case: Case, model: Model) -> None:
    rows: list[Row] = [(9, EVENTS[EV_SHOT], 8, 7, 1.0), (9, EVENTS[EV_REGISTERED], 8, 8, 1.0)]
    assert lived(case, model, log(*rows, places=[len(case.force.states)] * 2)) == ()


def test_a_typical_soldier_is_found_who_ended_so(case: Case) -> None:
    told = np.array([9, 1, 3, 3, 2, 50])
    assert typical(np.arange(6), told) == 2
    assert typical(np.array([5]), told) == 5
    for fate in ("registered", "serving"):
        assert trace(case, find_soldier(case, fate, SEED, RUN), SEED, RUN).fate == fate
    force = model_of(case, SEED, RUN).world.force
    rank = force.rank[force.position(find_soldier(case, "serving", SEED, RUN))]
    assert rank == np.bincount(force.rank).argmax(), "nearly all serve to the end"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"soldier": 3000}, "0 to 2999"),
        ({"soldier": -1}, "-1"),
        ({"soldier": 2**32}, "4294967296"),
        ({"soldier": True}, "True"),
        ({"soldier": "7"}, "'7'"),
        ({"soldier": 7, "seed": -1}, "seed"),
        ({"soldier": 7, "run": -1}, "run"),
        ({"soldier": 7, "run": 1.5}, "run"),
    ],
)
def test_what_does_not_exist_is_one_clear_error(case: Case, arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(UsageError, match=re.escape(named)):
        breakrank.trace(case, **arguments)


def test_someone_is_found_by_rank_and_branch(case: Case) -> None:
    rank, branch = case.force.ranks[1], case.force.branches[0]
    found = trace(case, find_soldier(case, "serving", SEED, RUN, rank=rank.id, branch=branch.id), SEED, RUN)
    assert (found.fate, found.soldier.rank, found.soldier.branch) == ("serving", rank.label, branch.label)
    with pytest.raises(UsageError, match=f"there is no rank 'x'.*{rank.id}"):
        find_soldier(case, "serving", rank="x")


def test_a_fate_that_is_none_names_the_nearest(case: Case) -> None:
    with pytest.raises(UsageError, match="'registered'"):
        find_soldier(case, "registred")
    with pytest.raises(UsageError, match="'deserted': that is hiding, travelling, abroad or registered"):
        find_soldier(case, "deserted")
    with pytest.raises(UsageError, match="serving"):
        find_soldier(case.set({"decision.on": 0, "belief.on": 0}), "registered")


def test_whoever_the_mechanisms_leave_alone_is_told_so(case: Case) -> None:
    quiet = case.set({"decision.on": 0, "belief.on": 0, "grievance.on": 0, "opportunity.on": 0})
    life = trace(quiet, 7)
    assert (life.moments, life.events, life.fate) == ((), (), "serving")
    assert "No decision opportunity came their way." in history(life, quiet).notes[0]


def test_a_plotters_life_reads_from_both_sides(case: Case, model: Model) -> None:
    rows = [
        (5, "founded a plot", 7, None, 1.0),
        (6, "approached someone for a plot", 7, 8, 1.0),
        (6, "joined a plot", 8, 7, 1.0),
        (7, "approached someone for a plot", 7, 9, 11.0),
        (7, "pledged to a plot", 9, 7, 0.0),
        (20, "followed into an uprising", 8, 7, 0.0),
        (20, "followed into an uprising", 12, 7, 0.0),
        (20, "did not keep a pledge", 9, 7, 1.0),
        (20, "uprising collapsed", 7, None, 3.0),
    ]
    told = {who: lived(case, model, log(*rows), who) for who in (7, 8, 9)}
    assert [(e.event, e.who, e.detail, e.own) for e in told[7]] == [
        ("founded a plot", "", "an uprising", True),
        ("approached someone for a plot", "soldier 8", "an uprising", True),
        ("joined a plot", "by soldier 8", "an uprising", False),
        ("approached someone for a plot", "soldier 9", "a pledge for an uprising", True),
        ("pledged to a plot", "by soldier 9", "", False),
        ("followed into an uprising", "by 2 soldiers", "", False),
        ("did not keep a pledge", "by soldier 9", "", False),
        ("uprising collapsed", "", "3 soldiers", True),
    ]
    assert [(e.who, e.own) for e in told[8]] == [
        ("by soldier 7", False),
        ("soldier 7", True),
        ("soldier 7", True),
    ]
    assert [e.own for e in told[9]] == [False, True, True]


def test_no_row_is_told_twice(case: Case) -> None:
    many = case.set({"plots.baseline_plan": 7})
    told = model_of(many, SEED, RUN).witnessed(SEED, RUN, Witness(())).events
    founders = list(dict.fromkeys(told["soldier"][told["event"] == EV_FOUNDED].tolist()))[:20]
    assert len(founders) > 5
    for life in traces(many, founders, SEED, RUN):
        rows = [str(row) for row in told_days(life)]
        assert all(a != b for a, b in pairwise(rows)), rows


def test_a_day_without_a_decision_is_told_in_its_order(case: Case, model: Model) -> None:
    rows: list[Row] = [
        (20, EVENTS[EV_LAUNCHED], 7, None, 103.0),
        (20, "followed into an uprising", 7, 9, 0.0),
        (20, EVENTS[EV_ARRESTED], 7, None, 0.0),
        (30, EVENTS[EV_DIED], 7, None, 0.0),
    ]
    plain = traces(case, (7,), SEED, RUN)[0]
    life = dataclasses.replace(plain, moments=(), events=lived(case, model, log(*rows)), fate="dead")
    assert [row["event"] for row in told_days(life)] == [*(row[1] for row in rows), "last day"]


def test_an_informer_is_named_as_one(case: Case, model: Model) -> None:
    made = log((3, EVENTS[EV_CONFIDED], 7, 8, 0.0), (4, EVENTS[EV_REPORTED], 8, 7, 0.0))
    assert [e.who for e in lived(case, model, made)] == ["soldier 8", "by soldier 8"]
    spied = [e.who for e in lived(case, model, made, spies=(8,))]
    assert spied == ["soldier 8, an informer", "by soldier 8, an informer"]
    theirs, own = lived(case, model, made, 8, spies=(8,))
    assert (own.who, own.detail) == ("soldier 7", "as an informer")
    assert "informer" not in theirs.who


def test_informers_are_those_whom_the_run_recruited(case: Case, model: Model) -> None:
    run = Run(model.world, SEED, RUN, False)
    Counterintelligence(model.world).begin(run)
    recruited = run.column("counterintelligence.informer", np.bool_)
    assert recruited.any()
    assert (informers(case, model.world.force, model.first_key(SEED, RUN)) == recruited).all()
    everyone = case.set({"counterintelligence.informers": 1})
    assert informers(everyone, model.world.force, model.first_key(SEED, RUN)).all()
    assert not informers(
        everyone.set({"counterintelligence.on": 0}), model.world.force, model.first_key(SEED, RUN)
    ).any()
