"""One soldier's year: the numbers are those of the run, and every word of the log has its sentence."""

from __future__ import annotations

import dataclasses
import math
import pickle
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
    EV_CROSSED,
    EV_DESERTED,
    EV_DIED,
    EV_FOUNDED,
    EV_LAUNCHED,
    EV_LEFT,
    EV_REGISTERED,
    EV_REPORTED,
    EV_SHOT,
    EVENTS,
    HAD_LEFT,
)
from breakrank.engine.observe import Witness
from breakrank.engine.run import Run
from breakrank.errors import UsageError
from breakrank.lives.answer import history, told_days
from breakrank.lives.happening import CAME_ALONG, SHARED, SUMMED, happenings
from breakrank.lives.trace import Trace, find_soldier, informers, trace, traces, typical
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
    aside = np.isin(log["event"], SHARED)
    for life in lives:
        me = life.soldier.identity
        one_by_one = ~np.isin(log["event"], SUMMED)
        rows = np.flatnonzero(((log["soldier"] == me) | ((log["other"] == me) & aside)) & one_by_one)
        told = [e.event for e in life.events if e.event in EVENTS and EVENTS.index(e.event) not in SUMMED]
        assert told == [EVENTS[e] for e in log["event"][rows]]
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
        assert len(paragraph.split()) < 250
        assert " +" not in paragraph, "numbers stand in the table"


def test_comrades_gone_are_those_of_the_log(case: Case, model: Model, lives: tuple[Trace, ...]) -> None:
    log = model.replicate(SEED, RUN, log=True).events
    force = model.world.force
    counted = 0
    for life in lives:
        position = force.position(life.soldier.identity)
        trusted = set(force.identity[force.ties.of(position)].tolist())
        for moment in life.moments:
            rows = (log["day"] < case.calendar.day(moment.date)) & np.isin(
                log["event"], (EV_DESERTED, EV_CROSSED)
            )
            gone = trusted & set(log["soldier"][rows].tolist())
            assert len(gone) == moment.gone
            counted += moment.gone
    assert counted > 0


def test_a_trace_survives_a_trip_to_another_process(lives: tuple[Trace, ...]) -> None:
    assert pickle.loads(pickle.dumps(lives[0])) == lives[0]


@pytest.mark.parametrize("event", range(len(EVENTS)))
def test_every_event_of_the_log_has_words(case: Case, model: Model, event: int) -> None:
    states, force = len(case.force.states), model.world.force
    for value, route, other in product((-1.0, 0.0, 1.0, 2.0), range(len(case.crossings)), (None, 5)):
        if other is None and EVENTS[event] in ("confided", "reported", "sent word home"):
            continue
        made = log((9, EVENTS[event], 7, other, value), places=[states + route])
        found = happenings(case, force, made, force.position(7))
        if (event, value) == (EV_DESERTED, HAD_LEFT):
            assert not found, "that they were turned away is told"
            continue
        (told,) = found
        assert told.event == EVENTS[event]
        assert told.text[0].islower()
        assert not told.text.endswith(".")


def test_those_who_came_along_are_counted_once(case: Case, model: Model) -> None:
    force = model.world.force
    rows: list[Row] = [(9, EVENTS[EV_LEFT], who, leader, 0.0) for who, leader in ((7, None), (8, 7), (9, 7))]
    made = log(*rows, places=[len(case.force.states)] * 3)
    told = happenings(case, force, made, force.position(7))
    assert [e.event for e in told] == [EVENTS[EV_LEFT], CAME_ALONG]
    assert "2 comrades" in told[1].text
    assert told[1].value == 2


def test_others_fates_are_not_his(case: Case, model: Model) -> None:
    force = model.world.force
    rows: list[Row] = [(9, EVENTS[EV_SHOT], 8, 7, 1.0), (9, EVENTS[EV_REGISTERED], 8, 8, 1.0)]
    made = log(*rows, places=[len(case.force.states)] * 2)
    assert happenings(case, force, made, force.position(7)) == ()


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
    with pytest.raises(UsageError, match="serving"):
        find_soldier(case.set({"decision.on": 0, "belief.on": 0}), "registered")


def test_whoever_the_mechanisms_leave_alone_is_told_so(case: Case) -> None:
    quiet = case.set({"decision.on": 0, "belief.on": 0, "grievance.on": 0, "opportunity.on": 0})
    life = trace(quiet, 7)
    assert (life.moments, life.events, life.fate) == ((), (), "serving")
    assert "No decision opportunity came their way." in history(life, quiet).notes[0]


def test_a_plotters_life_reads_from_both_sides(case: Case, model: Model) -> None:
    force = model.world.force
    rows = [
        (5, "founded a plot", 7, None, 1.0),
        (6, "approached someone for a plot", 7, 8, 1.0),
        (6, "joined a plot", 8, 7, 1.0),
        (7, "approached someone for a plot", 7, 9, 11.0),
        (7, "pledged to a plot", 9, 7, 0.0),
        (8, "declined to join", 11, 7, 0.0),
        (20, "joined an uprising with his unit", 7, 7, 0.0),
        (20, "followed into an uprising", 8, 7, 0.0),
        (20, "followed into an uprising", 12, 7, 0.0),
        (20, "did not keep a pledge", 9, 7, 1.0),
        (20, "uprising collapsed", 7, None, 3.0),
    ]
    told = {who: happenings(case, force, log(*rows), force.position(who)) for who in (7, 8, 9)}
    assert told[7][0].text == "they began to plan an uprising"
    words = " / ".join(e.text for e in told[7])
    for said in (
        "sounded out",
        "joined",
        "to pledge themselves",
        "pledged them their unit",
        "would not join",
    ):
        assert said in words
    assert "2 soldiers followed them into the uprising" in words
    assert "1 commander who had pledged stayed away" in words
    assert "3 soldiers had taken part" in words
    assert "sounded them out for an uprising" in told[8][0].text
    assert "they pledged their unit to an uprising, asked by" in told[9][1].text
    assert "stayed away on the day of the uprising, though they had pledged" in told[9][-1].text
    assert [e.own for e in told[9]] == [False, True, True]


def test_no_sentence_is_told_twice(case: Case) -> None:
    many = case.set({"plots.baseline_plan": 7})
    model = model_of(many, SEED, RUN)
    told = model.witnessed(SEED, RUN, Witness(())).events
    founders = list(dict.fromkeys(told["soldier"][told["event"] == EV_FOUNDED].tolist()))[:20]
    assert len(founders) > 5
    for life in traces(many, founders, SEED, RUN):
        said = [(row["date"], row["what"]) for row in told_days(life)]
        assert all(a != b for a, b in pairwise(said)), said


def test_a_day_without_a_decision_is_told_in_its_order(case: Case, model: Model) -> None:
    rows: list[Row] = [
        (20, EVENTS[EV_LAUNCHED], 7, None, 103.0),
        (20, "followed into an uprising", 7, 9, 0.0),
    ]
    made = log(*rows, (20, EVENTS[EV_ARRESTED], 7, None, 0.0), (30, EVENTS[EV_DIED], 7, None, 0.0))
    plain = traces(case, (7,), SEED, RUN)[0]
    events = happenings(case, model.world.force, made, model.world.force.position(7))
    life = dataclasses.replace(plain, moments=(), events=events, fate="dead")
    day = " ".join(row["what"] for row in told_days(life) if row["date"] == str(events[0].date))
    assert day.index("gave the word") < day.index("followed") < day.index("were arrested")


def test_an_informer_is_named_as_one(case: Case, model: Model) -> None:
    force = model.world.force
    made = log((3, EVENTS[EV_CONFIDED], 7, 8, 0.0), (4, EVENTS[EV_REPORTED], 8, 7, 0.0))
    plain = [h.text for h in happenings(case, force, made, force.position(7))]
    assert plain[1] == "soldier 8 reported them"
    mask = np.zeros(force.n, np.bool_)
    mask[force.position(8)] = True
    told = [h.text for h in happenings(case, force, made, force.position(7), mask)]
    assert told[0] == plain[0] + ", who was an informer"
    assert told[1] == "an informer, soldier 8, reported them"
    (theirs, own) = happenings(case, force, made, force.position(8), mask)
    assert own.text == "they reported soldier 7, as an informer"
    assert "informer" not in theirs.text


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
