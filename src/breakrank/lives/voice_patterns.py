"""The patterns of lives with a plot or a rising in them, each a query over one run.

As in :mod:`breakrank.lives.exit_patterns`, each function says exactly which lives it takes for the one that a
report tells. Beside each stands a second function that counts, for every soldier, the traits of the report's
life that his shows as well: they choose the example, never who is counted.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from breakrank.engine import codes
from breakrank.force.columns import CLASSMATE, ESCORT, GUARDS_POLITICIAN
from breakrank.lives.columns import Column, Lives, Mask
from breakrank.results.conspiracies import Plot

AT_ONCE: Final = 1
"""Days between the leak of a plan and flight, at most, for :func:`lieutenant`."""
MONTHS: Final = 60
"""Days inside an embassy from which :func:`traits_colonels` calls it a long stay."""
_ALONE: Final = 0
_FAMILY: Final = 1


def lieutenant(lives: Lives) -> Mask:
    """Planned to take his unit across, was found out, and fled within a day.

    Counts officers of the lowest rank group of officers who founded a plot to cross with comrades and set out
    for abroad before it was launched, on the day on which they were warned or named or someone of the plot
    was overheard, or on the day after.

    From a report of 22 March 2019 (paragraphs 20 and 21): a lieutenant who meant to cross with the 50 under
    him; his telephone was tapped, and he fled at once with wife and daughter over the river.
    """
    junior = _between(lives, 0, 1)
    there = [p for p, when in _leaks(lives) if when >= 0]
    found = [_at(lives, plot.founder) for plot in there]
    mask = _mask(lives, found)
    return mask & junior[lives.force.rank]


def traits_lieutenant(lives: Lives) -> Column:
    """Count: fled with his family, over a river, was warned, was not alone in his plan, was registered."""
    score = np.zeros(lives.force.n, np.int64)
    rivers = [k for k, c in enumerate(lives.case.crossings) if c.kind == "river"]
    for plot, when in _leaks(lives):
        who = _at(lives, plot.founder)
        if when >= 0:
            warned = any(what == "warned" and whose == plot.founder for _, what, whose in plot.marks)
            heard = any(what == "tapped" for _, what, _ in plot.marks)
            score[who] = max(score[who], 1 + 2 * warned + heard + 2 * (plot.size > 1) + (plot.size > 5))
    family = 3 * (lives.mode == _FAMILY) + (lives.force.dependants > 0)
    by_river = 2 * np.isin(lives.route, rivers)
    return np.where(score > 0, score + family + by_river + lives.registered, 0)


def sergeant(lives: Lives) -> Mask:
    """Took part in a rising that failed for pledges not kept, and got across alone.

    Counts soldiers of the rank groups below the officers, recruits apart, who took part in a rising that did
    not succeed, to which a commander or a holder of the high command had pledged himself and stayed away, and
    who left afterwards without family, leader or followers and got over a border.

    From a report of 22 March 2019 (paragraphs 10 to 13): a sergeant of the guard units that rose in January;
    the armour that had agreed to come stayed away; he got across, and agents beat his mother afterwards.
    """
    ranks = lives.case.force.ranks
    nco = np.array([r.school == "nco" for r in ranks])
    if not nco.any():
        nco = np.array([r.school != "officer" and k > 0 for k, r in enumerate(ranks)])
    took_part, since = np.zeros(lives.force.n, np.bool_), np.zeros(lives.force.n, np.int64)
    for one in lives.risings:
        if one.outcome != "won" and one.reneged:
            who = [_at(lives, i) for i in one.participants]
            took_part[who], since[who] = True, one.day
    embassies = [k for k, c in enumerate(lives.case.crossings) if c.kind == "embassy"]
    alone = (lives.mode == _ALONE) & (lives.leader < 0) & (lives.followers == 0)
    across = lives.crossed & ~np.isin(lives.route, embassies)
    fled: Mask = took_part & alone & (lives.left >= since) & across & nco[lives.force.rank]
    return fled


def traits_sergeant(lives: Lives) -> Column:
    """Count: relatives made to suffer, escort duty, dependants left behind, registered abroad."""
    hurt = _met(lives, codes.EV_REPRISAL)
    escort = (lives.force.access & ESCORT) != 0
    score: Column = 4 * hurt + 2 * escort + (lives.force.dependants > 0) + lives.registered.astype(np.int64)
    return score


def colonels(lives: Lives) -> Mask:
    """Two officers who trust each other, in one plot to rise; after it failed, an embassy.

    Counts officers between the lowest and the highest rank group of officers who were in a plot to rise
    together with another such officer whom they trust, one of the two guarding politicians or serving in
    intelligence; who took part in the rising that it launched; and who was let into an embassy afterwards.

    From a report of 9 December 2019 (paragraphs 1 to 39): two lieutenant colonels, friends since their cadet
    years, one with dealings with the opposition by his duties, the other trained in intelligence; both rose
    in April, lived for seven months in an embassy and got out in small groups.
    """
    inside = lives.first(codes.EV_EMBASSY)
    found = [a for a, _, day in _pairs(lives) if inside[a] >= day]
    return _mask(lives, found)


def traits_colonels(lives: Lives) -> Column:
    """Count: the friend in an embassy too, classmates, arrested and released before, months inside."""
    inside, out = lives.first(codes.EV_EMBASSY), lives.first(codes.EV_CROSSED)
    held, freed = lives.first(codes.EV_ARRESTED), lives.first(codes.EV_RELEASED)
    score = np.zeros(lives.force.n, np.int64)
    for a, b, day in _pairs(lives):
        if inside[a] < day:
            continue
        freed_before = 0 <= held[a] <= freed[a] < day
        months = out[a] >= 0 and out[a] - inside[a] >= MONTHS
        friends = CLASSMATE in _kinds_of_tie(lives, a, b)
        told = 3 * freed_before + 3 * months + 2 * (inside[b] >= day) + 2 * friends
        score[a] = max(score[a], 1 + told + int(lives.force.kin_abroad[a]))
    return score


def promise(lives: Lives) -> Mask:
    """Pledged himself to a rising and stayed with the regime on the day.

    Counts generals (the highest rank group) and holders of positions of the high command who had pledged
    themselves to a plot and did not keep it on the day of the rising.

    From a report of 9 December 2019 (paragraph 19): holders of the highest offices had promised to drop the
    president, and professed their loyalty when it came to it.
    """
    rows, who = lives.rows(codes.EV_RENEGED)
    general = lives.force.rank[who] == len(lives.case.force.ranks) - 1
    position = lives.log["value"][rows] >= codes.OF_THE_HIGH_COMMAND
    return _mask(lives, who[general | position])


def traits_promise(lives: Lives) -> Column:
    """Count: held a position of the high command, serves to the end, privately opposed all the same."""
    rows, who = lives.rows(codes.EV_RENEGED)
    score = np.zeros(lives.force.n, np.int64)
    score[who] = 1 + 3 * (lives.log["value"][rows] >= codes.OF_THE_HIGH_COMMAND)
    return np.where(score > 0, score + 2 * lives.serving + lives.opposed, 0)


def _leaks(lives: Lives) -> list[tuple[Plot, int]]:
    """Return plots to cross, each with the day of the leak from which its founder fled, -1 if he did not."""
    found = []
    for plot in lives.plots:
        if plot.aim != codes.CROSS:
            continue
        left = int(lives.left[_at(lives, plot.founder)])
        days = [
            d
            for d, what, who in plot.marks
            if what == "tapped" or (who == plot.founder and what != "pledged")
        ]
        days += [plot.ended] if plot.end == "scattered" else []
        fits = [d for d in days if 0 <= left - d <= AT_ONCE and left >= plot.founded]
        found.append((plot, fits[-1] if fits and plot.end != "launched" else -1))
    return found


def _pairs(lives: Lives) -> list[tuple[int, int, int]]:
    """Return (officer, friend, day of the rising) of friends in plots to rise, both ways round."""
    field = _between(lives, 1, -1)[lives.force.rank]
    branches = lives.case.force.branches
    trained = np.array([bool(getattr(b, "intelligence", False)) for b in branches])[lives.force.branch]
    helped = trained | ((lives.force.access & GUARDS_POLITICIAN) != 0)
    risen = {one.day: one.participants for one in lives.risings if one.outcome != "won"}
    pairs = []
    for plot in lives.plots:
        if plot.aim != codes.RISE or plot.end != "launched" or plot.ended not in risen:
            continue
        officers = [_at(lives, i) for i in plot.members if field[_at(lives, i)]]
        for a in officers:
            if int(lives.force.identity[a]) not in risen[plot.ended]:
                continue
            trusted = set(lives.force.ties.of(a).tolist())
            near = [b for b in officers if b in trusted and (helped[a] or helped[b])]
            pairs += [(a, b, plot.ended) for b in near]
    return pairs


def _between(lives: Lives, first: int, last: int) -> npt.NDArray[np.bool_]:
    """Return which ranks are officers from the first to before the last of them, shape (rank,).

    Where a case has too few rank groups of officers to tell them apart, all officers are taken.
    """
    ranks = lives.case.force.ranks
    officers = [k for k, r in enumerate(ranks) if r.school == "officer"]
    taken = officers[first:last] or officers
    return np.isin(np.arange(len(ranks)), taken)


def _kinds_of_tie(lives: Lives, a: int, b: int) -> list[int]:
    ties = lives.force.ties
    row = slice(int(ties.start[a]), int(ties.start[a + 1]))
    return [int(k) for k in ties.kind[row][ties.other[row] == b]]


def _met(lives: Lives, event: int) -> Mask:
    return lives.first(event) >= 0


def _at(lives: Lives, identity: int) -> int:
    return int(np.searchsorted(lives.force.identity, identity))


def _mask(lives: Lives, positions: npt.NDArray[np.intp] | list[int]) -> Mask:
    out = np.zeros(lives.force.n, np.bool_)
    out[np.asarray(positions, np.intp)] = True
    return out
