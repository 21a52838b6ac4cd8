"""A life told short: who he is, how it came about, what he did and what followed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.engine.codes import (
    DEFEATED,
    EV_APPROACHED_SOMEONE,
    EV_CONFIDED,
    EV_JOINED,
    EV_SHOCK,
    EV_SURRENDERED,
    EVENTS,
    OPTIONS,
    PLEDGE_ASKED,
    STAY,
    WARNED,
)
from breakrank.lives.conspiracy import TALK, VOICE
from breakrank.lives.happening import BEFORE, Happening
from breakrank.lives.moment import GOING, PLOTTING, Moment
from breakrank.lives.sentences import odds, on, sentence
from breakrank.lives.soldier import counted, listed

if TYPE_CHECKING:
    from breakrank.lives.trace import Trace


def short(life: Trace) -> str:
    """Return a life in three to six sentences: who, until then, the last blow, the turn, what followed.

    A plot takes up to four more: what he planned, whom he sounded out, how it went.
    """
    said = [_who(life)]
    turn = turning_point(life.moments)
    if turn is None:
        said.append("No moment at which he could have left came his way.")
        return " ".join((*said, *_plotted(life.events), sentence(f"on {on(life.last)} {life.end()}")))
    said.append(_until_then(life, turn))
    blow = _blow(life, turn)
    struck = [] if blow is None else [sentence(f"on {on(blow.date)} {blow.text}")]
    early = [e for e in life.events if _led_to(e, turn)]
    plotted = _dated(early) if turn.choice in PLOTTING else _plotted(early)
    first = bool(blow and early and blow.date < early[0].date)
    said += [*struck, *plotted] if first else [*plotted, *struck]
    said.append(_turn(turn, blow.date if blow is not None else None))
    said += _talk(life.events) if turn.choice in PLOTTING else []
    went = turn.choice in (*GOING, *PLOTTING)
    after = [
        e
        for e in life.events
        if e.date > turn.date or (e.date == turn.date and e.event not in BEFORE and not _led_to(e, turn))
    ]
    if went:
        that_day = [e.text for e in after if e.date == turn.date and not _talked(e)]
        said += [sentence("; ".join(that_day))] if that_day else []
        after = [e for e in after if e.date > turn.date]
    said += _dated(after)
    if turn.choice not in GOING or not after:
        said.append(sentence(f"on {on(life.last)} {life.end()}"))
    return " ".join(said)


def turning_point(moments: Sequence[Moment]) -> Moment | None:
    """Return the moment at which he left, or began to plot, or else came nearest to leaving."""
    for options in (GOING, PLOTTING):
        taken = [m for m in moments if m.choice in options]
        if taken:
            return taken[-1]
    tempted = [(option.chance, -m.day, m) for m in moments if (option := m.nearest) is not None]
    return max(tempted, key=lambda t: t[:2])[2] if tempted else None


def _who(life: Trace) -> str:
    s = life.soldier
    served = "less than a year" if s.years == 0 else counted(s.years, "year")
    fed = counted(s.dependants, "person", "people") if s.dependants else "nobody but himself"
    post = f"{s.branch}; rank group: {s.rank}; {s.station}"
    return f"Soldier {s.identity} ({post}) had served {served} and fed {fed}."


def _until_then(life: Trace, turn: Moment) -> str:
    inwardly = "privately opposed" if turn.opposed else "not opposed even in private"
    others = [m for m in life.moments if m is not turn]
    stayed = sum(m.choice == STAY for m in others)
    if stayed:
        return sentence(f"{inwardly}, he stayed at {counted(stayed, 'other moment')} of decision that year")
    if others:
        done = listed(list(dict.fromkeys(OPTIONS[m.choice] for m in others)))
        return sentence(f"{inwardly}, he chose at other moments of decision that year to {done}")
    return sentence(f"{inwardly}, he came to no other moment of decision that year")


def _blow(life: Trace, turn: Moment) -> Happening | None:
    """Return the last loss in his family before the moment it turned on, or else the last other event."""
    before = [e for e in life.events if e.event in BEFORE and e.date <= turn.date]
    told = [e for e in before if e.event == EVENTS[EV_SHOCK]] or before
    return told[-1] if told else None


def _turn(turn: Moment, told: dt.date | None) -> str:
    when = "that day" if turn.date == told else f"on {on(turn.date)}"
    if turn.choice in (*GOING, *PLOTTING):
        option, done = turn.chosen, f"{turn.outcome()}, a chance of"
    else:
        nearest = turn.nearest
        assert nearest is not None
        option, done = nearest, f"he came nearest to {nearest.doing}, a chance of"
    return sentence(f"{when}, {turn.when()}, {done} {odds(option.chance)}: {option.balance()}")


def _led_to(event: Happening, turn: Moment) -> bool:
    """Return whether an event belongs to what he plotted before a moment.

    A moment after a leak or a failed rising comes after what happened that day.
    """
    same_day = turn.code in (WARNED, DEFEATED) and event.event != EVENTS[EV_SURRENDERED]
    return event.event in VOICE and (event.date < turn.date or (event.date == turn.date and same_day))


def _talked(event: Happening) -> bool:
    """Return whether an event is one of the many talks of a plotter; that he joined himself is not."""
    return event.event in TALK and not (event.own and event.event == EVENTS[EV_JOINED])


def _plotted(events: Sequence[Happening]) -> list[str]:
    """Return events as sentences, those whom he sounded out in one of its own after what came before."""
    first = next((e.date for e in events if e.event == EVENTS[EV_APPROACHED_SOMEONE] and e.own), dt.date.max)
    early, late = [e for e in events if e.date <= first], [e for e in events if e.date > first]
    return [*_dated(early), *_talk(events), *_dated(late)]


def _talk(events: Sequence[Happening]) -> list[str]:
    """Return in a sentence how many he sounded out for a plot, over which days, and how many joined."""
    asked = [e for e in events if e.event == EVENTS[EV_APPROACHED_SOMEONE] and e.own]
    joined = sum(e.event == EVENTS[EV_JOINED] and not e.own for e in events)
    if not asked:
        return []
    comrades = sum(e.value < PLEDGE_ASKED for e in asked)
    pledges = len(asked) - comrades
    parts = (
        [f"sounded out {counted(comrades, 'comrade')}, of whom {joined or 'none'} joined"] if comrades else []
    )
    parts += [f"asked {counted(pledges, 'commander')} for a pledge"] if pledges else []
    first, last = asked[0].date, asked[-1].date
    days = f"on {on(first)}" if first == last else f"between {on(first)} and {on(last)}"
    return [sentence(f"{days} he {', and '.join(parts)}")]


def _dated(events: Sequence[Happening]) -> list[str]:
    """Return events as one sentence of dated clauses, without those whom he confided in or sounded out."""
    told = [e for e in events if e.event != EVENTS[EV_CONFIDED] and not _talked(e)]
    clauses = [
        f"on {on(date)} {', and '.join(e.text for e in told if e.date == date)}"
        for date in sorted({e.date for e in told})
    ]
    return [sentence("; ".join(clauses))] if clauses else []
