"""What others ask of the high command: promises to a plot, and whether they are kept on the day.

A plot reaches few positions: those with dealings on the challenger's side, and whoever commands its
founder's branch. What is promised is decided again on the day, by each for himself, once he sees how
likely success is (moral hazard in promises of rebellion: Svolik 2012, "The politics of authoritarian
rule"; Singh 2014, "Seizing power").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import (
    DECLARED,
    EV_DECLARED,
    EV_HEDGED,
    EV_PLEDGED,
    EV_RENEGED,
    EV_STOOD_BY,
    OF_THE_HIGH_COMMAND,
    SERVING,
)
from breakrank.engine.records import move, record
from breakrank.engine.run import Run
from breakrank.mechanisms.high_command_choice import (
    DEFECTED,
    HEDGING,
    LOYAL,
    PLEDGED,
    STANCES,
    TERMS,
    Command,
    decide,
    seen_by,
    terms_of,
    threshold_at,
)
from breakrank.table import Table

_NOBODY = int(NOBODY)
_CHOICE = int(decision("high_command.choice"))
_SIGHT = int(decision("high_command.sight"))


class Players(Table):
    """Holders of positions as players of a regime-change game, by player.

    ``position`` int64, ``holder`` int32 position in the force, ``identity`` uint32, ``weight`` float64
    share of the force's obedience, ``threshold`` float64 p*, ``belief`` float64 share of the others that
    seems not to be loyal; all fractions 0 to 1.
    """

    position: NDArray[np.int64]
    holder: NDArray[np.int32]
    identity: NDArray[np.uint32]
    weight: NDArray[np.float64]
    threshold: NDArray[np.float64]
    belief: NDArray[np.float64]


def stances(run: Run) -> NDArray[np.int32]:
    """Return how many positions take each stance now, int32 (stance,) in the order of ``STANCES``."""
    return np.bincount(run.view(Command).stance, minlength=len(STANCES)).astype(np.int32)


def ask(run: Run, position: int, founder: int) -> bool:
    """Let a plot's founder ask the holder of a position for a promise; return whether he gives it.

    He may answer otherwise: hedge, go back to loyalty, or change sides on the spot. Who has promised
    someone else is not asked.
    """
    c = run.view(Command)
    held = c.holder[position]
    if held < 0 or held == founder or run.records.fate[held] != SERVING or c.stance[position] == DEFECTED:
        return False
    if c.stance[position] == PLEDGED and c.pledged_to[position] >= 0:
        return bool(c.pledged_to[position] == founder)
    chosen = answers_of(run, c, np.array([position]), founder)
    take(run, c, position, int(chosen[0]), founder)
    return bool(c.stance[position] == PLEDGED)


def seek_pledge(run: Run, founder: int, name: int) -> bool:
    """Let a plot seek a promise from above; return whether one is given.

    `founder` (position in the force) reaches one of the positions that have dealings with the
    challenger's side or command his branch, drawn under `name` (see :func:`breakrank.draws.decision`).
    """
    c, branch = run.view(Command), run.world.force.branch[founder]
    free = (c.stance == LOYAL) | (c.stance == HEDGING) | ((c.stance == PLEDGED) & (c.pledged_to < 0))
    within = np.flatnonzero((c.contact | (c.branch == branch)) & free & (c.holder >= 0))
    if not len(within):
        return False
    draw = uniform(run.key, name, int(run.records.identity[founder]), _NOBODY, run.day)
    return ask(run, int(within[int(draw * len(within))]), founder)


def players_of_command(run: Run, founders: NDArray[np.int32]) -> Players:
    """Return the holders who promised one of `founders` (positions) or the challenger's side to come."""
    c = run.view(Command)
    due = np.isin(c.pledged_to, founders) | (c.pledged_to < 0)
    serves = (c.holder >= 0) & (run.records.fate[c.holder] == SERVING)
    return players_of(run, c, np.flatnonzero((c.stance == PLEDGED) & serves & due))


def on_the_day(
    run: Run, leader: int, players: Players, success: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Let holders keep their promise or not on the day of a rising; return who keeps and who breaks it.

    Parameters
    ----------
    leader : position in the force of the rising's leader.
    players : as :func:`players_of_command` returns them.
    success : (player,) chance of success as each sees it, 0 to 1; he keeps his word from his threshold on.

    Whoever breaks his word is loyal from then on.
    """
    c, keeps = run.view(Command), success >= players.threshold
    run.make_room(len(keeps))
    for q, holder in zip(players.position[~keeps], players.holder[~keeps], strict=True):
        record(run.records, run.day, holder, EV_RENEGED, -1, leader, float(OF_THE_HIGH_COMMAND + q))
        c.stance[q], c.pledged_to[q] = LOYAL, -1
    return keeps, ~keeps


def let_go(run: Run, founders: NDArray[np.int32]) -> None:
    """Let promises to founders whose plots have ended stand towards the challenger's side alone."""
    c = run.view(Command)
    c.pledged_to[np.isin(c.pledged_to, founders)] = -1


def weighing(run: Run, position: int, founder: int = -1) -> dict[str, float]:
    """Return what the holder of a position weighs today, part by part, in utility units; `founder` asks."""
    c, terms = run.view(Command), np.empty(len(TERMS))
    records, held = run.records, int(c.holder[position])
    seen = seen_by(c, run.key, _SIGHT, int(records.identity[held]), run.day, position)
    terms_of(c, int(records.rank[held]), seen, founder >= 0, position, terms)
    return dict(zip(TERMS, terms.tolist(), strict=True))


def players_of(run: Run, c: Command, who: NDArray[np.int64]) -> Players:
    """Return the holders of positions `who` as players."""
    records, holder = run.records, c.holder[who]
    identity = records.identity[holder]
    sees = [seen_by(c, run.key, _SIGHT, int(i), run.day, int(q)) for i, q in zip(identity, who, strict=True)]
    needs = [threshold_at(c, int(records.rank[h]), int(q)) for h, q in zip(holder, who, strict=True)]
    return Players(who, holder, identity, c.weight[who], np.array(needs, float), np.array(sees, float))


def answers_of(run: Run, c: Command, who: NDArray[np.int64], asker: int) -> NDArray[np.uint8]:
    """Return the stance that each holder of positions `who` chooses today; `asker` asks them (-1 nobody)."""
    chosen = np.empty(len(who), np.uint8)
    decide(c, run.records, run.key, _CHOICE, _SIGHT, run.day, asker, who, chosen)
    return chosen


def take(run: Run, c: Command, q: int, stance: int, founder: int) -> None:
    """Let the holder of position q take a stance, and write it down if it is a new one."""
    before, holder, day = int(c.stance[q]), int(c.holder[q]), run.day
    if stance == before and not (stance == PLEDGED and founder >= 0):
        return
    run.make_room(1)
    c.stance[q] = stance
    c.pledged_to[q] = founder if stance == PLEDGED else -1
    if stance == DEFECTED:
        move(run.records, day, holder, DECLARED, EV_DECLARED, -1, -1, float(q))
    elif stance == PLEDGED:
        record(run.records, day, holder, EV_PLEDGED, -1, founder, float(OF_THE_HIGH_COMMAND + q))
    else:
        record(run.records, day, holder, EV_HEDGED if stance == HEDGING else EV_STOOD_BY, -1, -1, float(q))
