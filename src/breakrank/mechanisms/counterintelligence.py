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
    EV_ILL_TREATED,
    EV_IMPRISONED,
    EV_LEFT,
    EV_RELEASED,
    EV_REPORTED,
    EV_REPRISAL,
    EV_SET_FREE,
    EV_SURRENDERED,
    HIDING,
    IMPRISONED,
    REPORT,
    SERVING,
)
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moments
from breakrank.engine.records import RunRecords, move, record, schedule_after
from breakrank.engine.run import Run
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.counterintelligence_parameters import (
    CUSTODY,
    DAYS_TO_ARREST,
    DEATH,
    EFFORT,
    HUNT,
    ILL,
    INFORMER_BONUS,
    INFORMERS,
    OUTPUTS,
    PARAMETERS,
    PATRON,
    PATRON_TIER,
    PRISONERS,
    RELUCTANCE,
    REPRISALS,
    REWARD,
    SENTENCE,
)
from breakrank.mechanisms.regime import Watch
from breakrank.units import DAYS_A_YEAR

_NOBODY = int(NOBODY)
INFORMER_DRAW = int(decision("counterintelligence.informer"))
"""Name of the draw by which soldiers are made informers; whoever tells lives draws again."""
_ARREST = int(decision("counterintelligence.arrest"))
_CUSTODY = int(decision("counterintelligence.custody"))
_HUNT = int(decision("counterintelligence.hunt"))
_SENTENCE = int(decision("counterintelligence.sentence"))
_REPRISAL = int(decision("counterintelligence.reprisal"))


@kernel
def _recruit(
    key: np.uint64, name: int, identity: NDArray[np.uint32], share: float, informer: NDArray[np.bool_]
) -> None:
    draws = uniform_each(key, name, identity, np.zeros(identity.shape[0], np.int64))
    for i in range(identity.shape[0]):
        informer[i] = draws[i] < share


@lean
def _weigh(
    fate: NDArray[np.uint8],
    margin: NDArray[np.float64],
    who: NDArray[np.int32],
    confidant: NDArray[np.int32],
    informer: NDArray[np.bool_],
    reluctance: float,
    reward_today: float,
    bonus: float,
    reluctant: NDArray[np.float64],
    reward: NDArray[np.float64],
    sympathy: NDArray[np.float64],
    available: NDArray[np.bool_],
) -> None:
    for j in range(who.shape[0]):
        i = who[j]
        friend = confidant[i]
        if friend < 0 or fate[friend] != SERVING:
            continue
        available[REPORT, j] = True
        reluctant[j] = -reluctance
        reward[j] = reward_today + (bonus if informer[i] else 0.0)
        if not informer[i]:
            sympathy[j] = -max(margin[j], 0.0)


@lean
def _report(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    choice: NDArray[np.uint8],
    confidant: NDArray[np.int32],
    effort: float,
    days: float,
) -> None:
    for j in range(who.shape[0]):
        i = who[j]
        if choice[j] != REPORT or confidant[i] < 0:
            continue
        suspect = confidant[i]
        confidant[i] = -1
        record(records, day, i, EV_REPORTED, -1, suspect, 0.0)
        acts, wait, _, _ = uniforms(key, name, records.identity[suspect], records.identity[i], day)
        if acts < effort:
            schedule_after(records, day + 1, -days * np.log(wait), DUE_ARREST, suspect)


@lean
def _detain(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    tier: NDArray[np.float64],
    suspects: NDArray[np.int32],
    patron: float,
    patron_tier: float,
    death: float,
    fugitive: NDArray[np.bool_],
) -> None:
    """Arrest the suspects who still serve, and pass sentence on those in `who`."""
    for i in suspects:
        if records.fate[i] == SERVING:
            fugitive[i] = False
            move(records, day, i, DETAINED, EV_ARRESTED, -1, -1, 0.0)
    for i in who:
        if records.fate[i] != DETAINED:
            continue
        dies, freed, _, _ = uniforms(key, name, records.identity[i], _NOBODY, day * 2)
        chance = patron + patron_tier * tier[records.rank[i]]
        if dies < death:
            move(records, day, i, DEAD, EV_DIED, -1, -1, 0.0)
        elif freed < chance and not fugitive[i]:
            move(records, day, i, SERVING, EV_RELEASED, -1, -1, 0.0)
        else:
            move(records, day, i, IMPRISONED, EV_IMPRISONED, -1, -1, 0.0)


@lean
def _follow_up(
    key: np.uint64,
    custody: int,
    hunt: int,
    reprisal: int,
    records: RunRecords,
    first: int,
    last: int,
    day: int,
    dependants: NDArray[np.uint8],
    custody_days: float,
    ill: float,
    hunt_rate: float,
    reprisals: float,
    fugitive: NDArray[np.bool_],
    rose: NDArray[np.bool_],
    sentence: int,
    sentence_days: float,
    political: NDArray[np.bool_],
    held: NDArray[np.int64],
) -> None:
    """Draw from today's log what the service does next: ill-treatment, verdicts, hunts, reprisals.

    `political` marks who is held for what he thinks, plots or rises for, and not for leaving; `held` int64
    (2,) counts those held of either kind.
    """
    for k in range(first, last):
        event, i = records.event[k], records.who[k]
        who = records.identity[i]
        if event in (EV_ARRESTED, EV_CAPTURED, EV_CAUGHT_HIDING, EV_SURRENDERED):
            fugitive[i] = event in (EV_CAPTURED, EV_CAUGHT_HIDING) or rose[i]
            hurt, wait, _, _ = uniforms(key, custody, who, _NOBODY, day * 2 + 1)
            if hurt < ill:
                record(records, day, i, EV_ILL_TREATED, -1, -1, 0.0)
            political[i] = rose[i] or event in (EV_ARRESTED, EV_SURRENDERED)
            held[0 if political[i] else 1] += 1
            schedule_after(records, day + 1, -np.log(wait) * custody_days, DUE_VERDICT, i)
        elif event in (EV_RELEASED, EV_DIED, EV_SET_FREE):
            held[0 if political[i] else 1] -= 1
        elif event == EV_IMPRISONED:
            wait_days = exponential(key, sentence, who, _NOBODY, day) * sentence_days
            schedule_after(records, day + 1, wait_days, DUE_FREED, i)
        elif event == EV_DESERTED and hunt_rate > 0.0:
            wait_days = exponential(key, hunt, who, _NOBODY, day) / hunt_rate
            schedule_after(records, day + 1, wait_days, DUE_CAUGHT, i)
        if event == EV_DESERTED or (event == EV_LEFT and records.value[k] >= 0):
            behind = dependants[i] if not (event == EV_LEFT and records.value[k] == 1) else 0
            if uniform(key, reprisal, who, _NOBODY, day) < reprisals * (1 + behind):
                record(records, day, i, EV_REPRISAL, -1, -1, float(behind))


@lean
def _set_free(records: RunRecords, day: int, who: NDArray[np.int32]) -> None:
    for i in who:
        if records.fate[i] == IMPRISONED:
            move(records, day, i, DISCHARGED, EV_SET_FREE, -1, -1, 0.0)


@lean
def _catch(records: RunRecords, day: int, who: NDArray[np.int32]) -> None:
    for i in who:
        if records.fate[i] == HIDING:
            move(records, day, i, DETAINED, EV_CAUGHT_HIDING, -1, -1, 0.0)


class Counterintelligence(Mechanism):
    """Informers, arrests, custody, hunts and reprisals. Off: nobody informs; the captured go to prison."""

    name = "counterintelligence"
    subsystem = 5
    parameters = PARAMETERS
    outputs = OUTPUTS
    terms = (
        Term("counterintelligence.reluctance", "one does not report a comrade", {REPORT: 1}),
        Term("counterintelligence.reward", "a report is rewarded", {REPORT: 1}),
        Term("counterintelligence.sympathy", "one is opposed oneself", {REPORT: 1}),
    )

    def begin(self, run: Run) -> None:
        """Recruit informers."""
        self.informer = run.column("counterintelligence.informer", np.bool_)
        self.fugitive = run.column("counterintelligence.fugitive", np.bool_)
        self.confidant = run.column("belief.confidant", np.int32, -1)
        self.rose = run.column("rising.rose", np.bool_)
        self.political = run.column("counterintelligence.political", np.bool_)
        self.held = np.zeros(2, np.int64)
        self.prisoners = np.zeros(2, np.int32)
        for k, name in enumerate(("political_prisoners", "held_for_leaving")):
            run.stocks[name] = self.prisoners[k : k + 1].reshape(())
        if self.on:
            _recruit(
                run.key, INFORMER_DRAW, self.world.force.identity, self.world[INFORMERS.name], self.informer
            )

    def dawn(self, run: Run) -> None:
        """Arrest suspects, pass sentence, find those in hiding."""
        world = self.world
        suspects, prisoners, hidden = run.due(DUE_ARREST), run.due(DUE_VERDICT), run.due(DUE_CAUGHT)
        freed = run.due(DUE_FREED)
        if len(freed):
            _set_free(run.records, run.day, freed)
        if len(suspects) or len(prisoners):
            _detain(
                run.key,
                _CUSTODY,
                run.records,
                run.day,
                prisoners,
                world.tier,
                suspects,
                world[PATRON.name],
                world[PATRON_TIER.name],
                world[DEATH.name],
                self.fugitive,
            )
        if len(hidden):
            _catch(run.records, run.day, hidden)

    def weigh(self, run: Run, moments: Moments) -> None:
        """Whether to report the comrade who confided."""
        row, terms = run.term_row, moments.terms
        _weigh(
            run.records.fate,
            moments.margin,
            moments.who,
            self.confidant,
            self.informer,
            self.world[RELUCTANCE.name],
            self.world[REWARD.name],
            self.world[INFORMER_BONUS.name],
            terms[row["counterintelligence.reluctance"]],
            terms[row["counterintelligence.reward"]],
            terms[row["counterintelligence.sympathy"]],
            moments.open,
        )

    def act(self, run: Run, moments: Moments) -> None:
        """Reports are taken, and some lead to an arrest."""
        if moments.took(REPORT):
            effort = min(self.world[EFFORT.name] * float(run.view(Watch).today[0]), 1.0)
            _report(
                run.key,
                _ARREST,
                run.records,
                run.day,
                moments.who,
                moments.choice,
                self.confidant,
                effort,
                self.world[DAYS_TO_ARREST.name],
            )

    def dusk(self, run: Run) -> None:
        """Ill-treatment and verdicts for the arrested, a hunt for deserters, reprisals on relatives."""
        world = self.world
        watch = float(run.view(Watch).today[0])
        _follow_up(
            run.key,
            _CUSTODY,
            _HUNT,
            _REPRISAL,
            run.records,
            run.mark,
            int(run.records.cursor[0]),
            run.day,
            world.force.dependants,
            world[CUSTODY.name],
            world[ILL.name],
            world[HUNT.name] / DAYS_A_YEAR,
            world[REPRISALS.name] * watch,
            self.fugitive,
            self.rose,
            _SENTENCE,
            world[SENTENCE.name],
            self.political,
            self.held,
        )
        before = world[PRISONERS.name] * world.scale * np.exp(-(run.day + 1) / world[SENTENCE.name])
        self.prisoners[0], self.prisoners[1] = self.held[0] + round(before), self.held[1]
