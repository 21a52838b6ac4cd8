"""What plots do in each phase of a day, as steps of tables."""

from __future__ import annotations

from breakrank.engine.codes import JOIN, PLAN_CROSSING, PLAN_RISING
from breakrank.engine.moments import Moments, Soldiers, TrustTies
from breakrank.engine.records import RunRecords, room_left
from breakrank.engine.run import Now
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.counterintelligence import Informing
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.high_command import Command
from breakrank.mechanisms.learning import Expectations
from breakrank.mechanisms.plot_choices import take_answers
from breakrank.mechanisms.plot_founding import Waiting, found_plots
from breakrank.mechanisms.plot_life import carry_on
from breakrank.mechanisms.plot_recruiting import PlotNumbers, Ranks, approach, seek_pledges
from breakrank.mechanisms.plot_table import Launches, PlotCount, Plots, anyone_asked, count_plots
from breakrank.mechanisms.preference import Preferences

ROOM = 512
"""Plots and memberships for which there is always room, beside twice those that there are."""

ENTRIES = 4
"""Entries of the log for which there is always room, for each plot or membership for which there is."""


@lean
def begins(now: Now, p: Plots, records: RunRecords) -> bool:
    """Keep room for what plots write today; on the first day some are already under way."""
    return now.day == 0 or lacks_room(p, records)


@lean
def lacks_room(p: Plots, records: RunRecords) -> bool:
    """Return whether there is too little room for what plots may write before the next look."""
    members = 2 * p.used[1] + ROOM
    full = p.used[0] + ROOM > p.founder.shape[0] or members > p.member.shape[0]
    return full or room_left(records) < ENTRIES * members


@lean
def answers_lack_room(moments: Moments, p: Plots) -> bool:
    """Return whether there is too little room for those who join or found plots now."""
    more = moments.count[JOIN] + moments.count[PLAN_CROSSING] + moments.count[PLAN_RISING]
    return p.used[0] + more > p.founder.shape[0] or p.used[1] + more > p.member.shape[0]


@lean
def answer(
    now: Now,
    moments: Moments,
    x: PlotNumbers,
    w: Waiting,
    p: Plots,
    m: Expectations,
    records: RunRecords,
) -> None:
    """The approached answer; plots are founded."""
    if anyone_asked(p, moments.who):
        take_answers(p, records, now, moments, m, x.wary)
    if moments.count[PLAN_CROSSING] + moments.count[PLAN_RISING]:
        found_plots(now, moments, w, p, records)


@kernel
def conspire(
    now: Now,
    x: PlotNumbers,
    soldiers: Soldiers,
    ties: TrustTies,
    ranks: Ranks,
    p: Plots,
    records: RunRecords,
    pr: Preferences,
    g: Grievances,
    informing: Informing,
    launches: Launches,
) -> bool:
    """Members approach comrades, plots seek pledges; some dissolve, some launch."""
    launches.rising = 0
    approach(now, x, soldiers, ties, ranks, p, records, pr, g, informing)
    seek_pledges(now, x, ranks, p, records, pr, g, informing)
    return carry_on(now, x, ranks, p, records) > 0


@lean
def count(p: Plots, count: PlotCount, command: Command) -> bool:
    """Count plots and plotters."""
    count_plots(p, count)
    over = p.used[2] > 0
    for q in range(command.pledged_to.shape[0]):
        founder = command.pledged_to[q]
        over = over or (founder >= 0 and not p.plotter[founder])
    return over
