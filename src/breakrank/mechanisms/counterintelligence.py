"""Counter-intelligence as far as it meets single soldiers.

Some soldiers inform; denunciation is rewarded, and whoever was confided in may report it. A report
leads to an arrest by the effort of the service; the arrested may be ill-treated, are released
when a patron steps in, go to prison, or die in custody. Deserters in hiding are hunted, and the
relatives of those who left are pressed (coup-proofing: Quinlivan 1999; Greitens 2016, "Dictators
and their secret police"; collective punishment: Talmadge 2015).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, exponential, uniform, uniform_each, uniforms
from breakrank.engine.codes import (
    DEAD,
    DETAINED,
    DISCHARGED,
    DUE_ARREST,
    DUE_CAUGHT,
    DUE_FREED,
    DUE_VERDICT,
    EV_ARRESTED,
    EV_CAPTURED,
    EV_CAUGHT_HIDING,
    EV_DESERTED,
    EV_DIED,
    EV_DISMISSED,
    EV_ILL_TREATED,
    EV_IMPRISONED,
    EV_LEFT,
    EV_REFUSED_ORDER,
    EV_RELEASED,
    EV_REPORTED,
    EV_REPRISAL,
    EV_RESIGNED,
    EV_SET_FREE,
    EV_SHOT,
    EV_SURRENDERED,
    HAD_RESIGNED,
    HIDING,
    IMPRISONED,
    REPORT,
    RESIGNED,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments, Soldiers
from breakrank.engine.records import RunRecords, due, move, record, schedule_after
from breakrank.engine.run import Now, Run
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.decision import Service
from breakrank.mechanisms.regime import Watch
from breakrank.outputs import daily, stock
from breakrank.spec import parameters_of
from breakrank.table import Table, array, number
from breakrank.units import DAYS_A_YEAR

_NOBODY = int(NOBODY)
_CUSTODY = int(decision("counterintelligence.custody"))
_HUNT = int(decision("counterintelligence.hunt"))
_SENTENCE = int(decision("counterintelligence.sentence"))
_REPRISAL = int(decision("counterintelligence.reprisal"))


class Custody(Table):
    """Soldiers held or sought, and acts of the service.

    ``fugitive``, ``political`` (soldier,): whether who is taken had run, and is held for what they think,
    plots or rises for and not for leaving; ``plotter`` (soldier,); ``rose`` (soldier,) in the last uprising;
    ``held`` (2,) political, and for leaving. ``days`` in custody; ``ill``, ``patron``, ``death`` chances,
    ``patron_tier`` a tier more; ``hunt`` a day, ``reprisals`` a departure at usual surveillance; ``sentence``
    days. ``tier`` (rank,). ``prisoners`` that there were at the start; ``counted`` (2,) all who are held this
    evening.
    """

    fugitive: NDArray[np.bool_]
    rose: NDArray[np.bool_]
    political: NDArray[np.bool_]
    plotter: NDArray[np.bool_] = array("soldier", strided=True)
    held: NDArray[np.int64]
    counted: NDArray[np.int32]
    tier: NDArray[np.float64]
    days: float = number("counterintelligence.custody_days")
    ill: float = number("counterintelligence.ill_treatment")
    hunt: float
    prisoners: float
    reprisals: float = number("counterintelligence.reprisals")
    sentence: float = number("counterintelligence.sentence_days")
    patron: float = number("counterintelligence.patron")
    patron_tier: float = number("counterintelligence.patron_tier")
    death: float = number("counterintelligence.death_in_custody")


@lean
def detain(
    now: Now,
    soldiers: Soldiers,
    c: Custody,
    service: Service,
    records: RunRecords,
    who: NDArray[np.int32],
    suspects: NDArray[np.int32],
) -> None:
    """Arrest the suspects who still serve, and pass sentence on those in `who`.

    Who could have resigned is dismissed instead, the likelier the less resigning is punished.
    """
    key, day = now.key, now.day
    for i in suspects:
        if records.fate[i] == SERVING:
            c.fugitive[i] = False
            move(records, day, i, DETAINED, EV_ARRESTED, -1, -1, 0.0)
    for i in who:
        if records.fate[i] != DETAINED:
            continue
        dies, freed, spared, _ = uniforms(key, _CUSTODY, records.identity[i], _NOBODY, day * 2)
        chance = c.patron + c.patron_tier * c.tier[records.rank[i]]
        if dies < c.death:
            move(records, day, i, DEAD, EV_DIED, -1, -1, 0.0)
        elif freed < chance and not c.fugitive[i]:
            move(records, day, i, SERVING, EV_RELEASED, -1, -1, 0.0)
        elif (
            service.resigns[soldiers.unit[i], records.rank[i]]
            and spared < 1.0 - service.open_risk
            and not (c.fugitive[i] or c.plotter[i])
        ):
            move(records, day, i, RESIGNED, EV_DISMISSED, -1, -1, 0.0)
        else:
            move(records, day, i, IMPRISONED, EV_IMPRISONED, -1, -1, 0.0)


INFORMER_ZEAL = 4.0
"""Utility of reporting for an informer beside the reward: with it most report, as they have agreed to."""

INFORMER_DRAW = int(decision("counterintelligence.informer"))
"""Name of the draw by which soldiers are made informers; whoever tells lives draws again."""
_ARREST = int(decision("counterintelligence.arrest"))


class Informing(Table):
    """Informers, and the weights of reporting.

    ``informer`` (soldier,); ``confidant`` (soldier,) position of who confided in them, -1 nobody;
    ``reluctance``, ``reward`` in utility units; ``effort`` chance that a report leads to an arrest, ``days``
    until then.
    """

    informer: NDArray[np.bool_]
    confidant: NDArray[np.int32] = array("soldier", strided=True)
    reluctance: float = number("counterintelligence.reluctance")
    reward: float = number("counterintelligence.reward_weight")
    effort: float = number("counterintelligence.effort")
    days: float = number("counterintelligence.days_to_arrest")


@lean
def _knows_one(at: Moment, c: Informing, records: RunRecords) -> bool:
    """Whether somebody who still serves confided in them."""
    friend = c.confidant[at.who]
    return friend >= 0 and records.fate[friend] == SERVING


@lean
def _reluctance(c: Informing) -> float:
    """One does not report a comrade."""
    return -c.reluctance


@lean
def _reward(at: Moment, c: Informing) -> float:
    """A report is rewarded, an informer's more."""
    return c.reward + (INFORMER_ZEAL if c.informer[at.who] else 0.0)


@lean
def _sympathy(at: Moment, c: Informing) -> float:
    """Who is opposed themselves and no informer holds back the more, the more they are."""
    return 0.0 if c.informer[at.who] else -max(at.margin, 0.0)


@lean
def _report(
    now: Now, moments: Moments, c: Informing, soldiers: Soldiers, records: RunRecords, watch: Watch
) -> None:
    """Reports are taken, and some lead to an arrest."""
    if moments.count[REPORT] == 0:
        return
    key, day = now.key, now.day
    who, choice, confidant = moments.who, moments.choice, c.confidant
    effort = c.effort * watch.today[0]
    for j in range(who.shape[0]):
        i = who[j]
        if choice[j] != REPORT or confidant[i] < 0:
            continue
        suspect = confidant[i]
        confidant[i] = -1
        record(records, day, i, EV_REPORTED, -1, suspect, 0.0)
        acts, wait, _, _ = uniforms(key, _ARREST, records.identity[suspect], records.identity[i], day)
        if acts < effort * watch.here[soldiers.unit[suspect]]:
            schedule_after(records, day + 1, -c.days * np.log(wait), DUE_ARREST, suspect)


@kernel
def _arrest(now: Now, soldiers: Soldiers, c: Custody, service: Service, records: RunRecords) -> None:
    """Arrest suspects, pass sentence, find those in hiding or at home after resigning; set others free."""
    day, head = now.day, records.head[now.day]
    if head[DUE_FREED] >= 0:
        for i in due(records, day, DUE_FREED):
            if records.fate[i] == IMPRISONED:
                move(records, day, i, DISCHARGED, EV_SET_FREE, -1, -1, 0.0)
    if head[DUE_ARREST] >= 0 or head[DUE_VERDICT] >= 0:
        held, suspects = due(records, day, DUE_VERDICT), due(records, day, DUE_ARREST)
        detain(now, soldiers, c, service, records, held, suspects)
    if head[DUE_CAUGHT] >= 0:
        for i in due(records, day, DUE_CAUGHT):
            if records.fate[i] == HIDING:
                move(records, day, i, DETAINED, EV_CAUGHT_HIDING, -1, -1, 0.0)
            elif records.fate[i] == RESIGNED:
                move(records, day, i, DETAINED, EV_ARRESTED, -1, -1, HAD_RESIGNED)


@lean
def _pursue(
    now: Now, soldiers: Soldiers, c: Custody, service: Service, watch: Watch, records: RunRecords
) -> None:
    """Ill-treatment and verdicts for the arrested, a hunt for deserters, reprisals on relatives.

    Reprisals grow with the surveillance in force where the soldier served, and so does the hunt for them, by
    that of the day on which they deserted, where a case tells places apart.
    """
    key, day = now.key, now.day
    fugitive, rose, political, held = c.fugitive, c.rose, c.political, c.held
    reprisals = c.reprisals * watch.today[0]
    for k in range(now.first, records.cursor[0]):
        event, i = records.event[k], records.who[k]
        who = records.identity[i]
        if event in (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED):
            resigned = event == EV_ARRESTED and records.value[k] == HAD_RESIGNED
            fugitive[i] = event in (EV_CAPTURED, EV_CAUGHT_HIDING) or resigned or rose[i]
            hurt, wait, _, _ = uniforms(key, _CUSTODY, who, _NOBODY, day * 2 + 1)
            if hurt < c.ill:
                record(records, day, i, EV_ILL_TREATED, -1, -1, 0.0)
            political[i] = rose[i] or event in (EV_ARRESTED, EV_SURRENDERED)
            held[0 if political[i] else 1] += 1
            schedule_after(records, day + 1, -np.log(wait) * c.days, DUE_VERDICT, i)
        elif event in (EV_RELEASED, EV_DIED, EV_SET_FREE, EV_DISMISSED):
            held[0 if political[i] else 1] -= 1
        elif event == EV_IMPRISONED:
            wait_days = exponential(key, _SENTENCE, who, _NOBODY, day) * c.sentence
            schedule_after(records, day + 1, wait_days, DUE_FREED, i)
        elif event in (EV_DESERTED, EV_RESIGNED, EV_REFUSED_ORDER):
            hunt = c.hunt * watch.hunt[soldiers.unit[i]]
            hunt *= service.open_risk if event == EV_RESIGNED else 1.0
            if hunt > 0.0:
                wait_days = exponential(key, _HUNT, who, _NOBODY, day) / hunt
                schedule_after(records, day + 1, wait_days, DUE_CAUGHT, i)
        openly = event in (EV_RESIGNED, EV_REFUSED_ORDER)
        if openly or (event in (EV_DESERTED, EV_LEFT) and records.value[k] >= 0.0):
            behind = soldiers.dependants[i] if not (event == EV_LEFT and records.value[k] == 1) else 0
            here = reprisals * watch.here[soldiers.unit[i]] * (service.exposure[day] if openly else 1.0)
            if uniform(key, _REPRISAL, who, _NOBODY, day) < here * (1 + behind):
                record(records, day, i, EV_REPRISAL, -1, -1, float(behind))
    before = c.prisoners * np.exp(-(day + 1) / c.sentence)
    c.counted[0], c.counted[1] = held[0] + round(before), held[1]


class Counterintelligence(Mechanism):
    """Informers, arrests, custody, hunts and reprisals. Off: nobody informs; the captured go to prison."""

    name = "counterintelligence"
    subsystem = 5
    parameters = parameters_of(name, "informers, arrests, custody, hunts and reprisals")
    outputs = (
        daily("arrested", "Arrested", EV_ARRESTED, primary=5),
        daily("released", "Released by a patron", EV_RELEASED),
        daily("dismissed", "Dismissed for disloyalty", EV_DISMISSED),
        daily("captured", "Captured on the way or in hiding", EV_CAPTURED, EV_CAUGHT_HIDING),
        daily("shot", "Shot", EV_SHOT),
        daily("died_in_custody", "Died in custody", EV_DIED),
        daily("reprisals", "Reprisals on relatives", EV_REPRISAL),
        daily("reported", "Reported by someone", EV_REPORTED),
        stock("political_prisoners", "Soldiers held as political prisoners"),
        stock("held_for_leaving", "Soldiers held for leaving"),
    )
    terms = (
        Term("counterintelligence.reluctance", "one does not report a comrade", {REPORT: 1}, _reluctance),
        Term("counterintelligence.reward", "a report is rewarded", {REPORT: 1}, _reward),
        Term("counterintelligence.sympathy", "one is opposed oneself", {REPORT: 1}, _sympathy),
    )
    opens = ((REPORT, _knows_one),)
    steps = (Step("dawn", _arrest), Step("act", _report), Step("dusk", _pursue))

    def begin(self, run: Run) -> None:
        """Recruit informers."""
        informer = run.column("counterintelligence.informer", np.bool_)
        world, force = self.world, self.world.force
        run.share(Informing(informer=informer, confidant=run.hot("belief.confidant", np.int32, -1)))
        self.custody = Custody(
            fugitive=run.column("counterintelligence.fugitive", np.bool_),
            rose=run.column("uprising.rose", np.bool_),
            political=run.column("counterintelligence.political", np.bool_),
            plotter=run.hot("plots.plotter", np.bool_),
            held=np.zeros(2, np.int64),
            counted=np.zeros(2, np.int32),
            tier=world.tier,
            hunt=world["counterintelligence.capture_rate"] / DAYS_A_YEAR,
            prisoners=world["counterintelligence.prisoners_at_start"] * world.scale,
        )
        for k, name in enumerate(("political_prisoners", "held_for_leaving")):
            run.stocks[name] = self.custody.counted[k : k + 1].reshape(())
        run.share(self.custody)
        if self.on:
            draws = uniform_each(run.key, INFORMER_DRAW, force.identity, np.zeros(force.n, np.int64))
            informer[:] = draws < world["counterintelligence.informers"]
