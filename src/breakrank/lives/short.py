"""A life told short: who he is, how it came about, what he did and what followed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from breakrank.engine import codes
from breakrank.lives.abroad import ABROAD
from breakrank.lives.conspiracy import TALK, VOICE
from breakrank.lives.happening import BEFORE, WORD, WORDS_HEARD, WORDS_SENT, Happening, fared
from breakrank.lives.moment import GOING, PLOTTING, LivedMoment, joined, odds, on, sentence, years_once
from breakrank.lives.soldier import counted
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.lives.life import Life

_EVER: Final = 10_000
_FOLLOWED_UP: Final = {
    codes.EVENTS[codes.EV_FILED]: {
        codes.EVENTS[codes.EV_GRANTED]: _EVER,
        codes.EVENTS[codes.EV_REFUSED_ASYLUM]: _EVER,
    },
    codes.EVENTS[codes.EV_STATUS_LOST]: {
        codes.EVENTS[codes.EV_PUT_OUT]: 1,
        codes.EVENTS[codes.EV_STATUS_LOST]: _EVER,
    },
}
"""Events that a short life leaves out where another follows within so many days."""
_WORDS: Final = (WORD, WORDS_HEARD, WORDS_SENT)
_SENT_ABROAD: Final = ABROAD | {codes.EVENTS[codes.EV_REGISTERED]}

AT_ONCE: Final = 4
"""Dates in a sentence, at most."""


def short(life: Life) -> str:
    """Return a life in three to six sentences: who, until then, the last blow, the turn, what followed.

    A plot takes up to four more: what he planned, whom he sounded out, how it went. So does a life abroad:
    where he stayed, what became of him, and what he told those at home.
    """
    return years_once(" ".join(_sentences(life)))


def _sentences(life: Life) -> list[str]:
    said = [_who(life)]
    turn = turning_point(life.moments)
    if turn is None:
        said.append("No moment at which he could have left came his way.")
        return [
            *said,
            *_plotted(life.events),
            *_heard(life.events),
            *_sent(life.events),
            *_end(life),
        ]
    said.append(_until_then(life, turn))
    blow = _blow(life, turn)
    words = [e.date for e in life.events if e.event in _WORDS and not e.own]
    heard_before = all(date <= turn.date for date in words)
    early = [e for e in life.events if _led_to(e, turn)]
    if early:
        early = [e for e in life.events if e in early or e in blow]
    told_first = [e.date for e in early or blow if not _aside(e)]
    heard_first = not (words and told_first) or words[0] <= told_first[0]
    said += _heard(life.events) if heard_before and heard_first else []
    if early:
        said += _dated(early) if turn.choice in PLOTTING else _plotted(early)
    elif blow:
        said += _dated(blow) or [sentence(f"on {on(blow[-1].date)} {blow[-1].text}")]
    shown = [e for e in early if not _aside(e)] if early else blow
    if heard_before and not heard_first:
        said += _heard(life.events)
        shown = []
    said.append(_turn(turn, shown[-1].date if shown else None))
    said += _talk(life.events) if turn.choice in PLOTTING else []
    went = turn.choice in (*GOING, *PLOTTING)
    after = [
        e
        for e in life.events
        if e.date > turn.date or (e.date == turn.date and e.event not in BEFORE and not _led_to(e, turn))
    ]
    if went:
        that_day = [
            e.text for e in after if e.date == turn.date and not _aside(e) and e.text != turn.outcome()
        ]
        said += [sentence(joined(that_day))] if that_day else []
        after = [e for e in after if e.date > turn.date]
    said += _dated(after)
    said += _sent(life.events) + ([] if heard_before else _heard(life.events))
    return said + (_end(life) if turn.choice not in GOING or not after else [])


def _end(life: Life) -> list[str]:
    """Return how it ended, unless what happened to him has said it."""
    return [] if life.over else [sentence(f"on {on(life.last)} {life.end()}")]


def turning_point(moments: Sequence[LivedMoment]) -> LivedMoment | None:
    """Return the moment at which he left, or began to plot, or else came nearest to leaving."""
    for options in (GOING, PLOTTING):
        taken = [m for m in moments if m.choice in options]
        if taken:
            return taken[-1]
    tempted = [(option.chance, -m.day, m) for m in moments if (option := m.nearest) is not None]
    return max(tempted, key=lambda t: t[:2])[2] if tempted else None


def _who(life: Life) -> str:
    s = life.soldier
    served = "less than a year" if s.years == 0 else counted(s.years, "year")
    fed = counted(s.dependants, "person", "people") if s.dependants else "nobody but himself"
    post = f"{s.branch}; rank group: {s.rank}; {s.station}"
    return f"Soldier {s.identity} ({post}) had served {served} and fed {fed}."


def _until_then(life: Life, turn: LivedMoment) -> str:
    inwardly = "privately opposed" if turn.opposed else "not opposed even in private"
    others = [m for m in life.moments if m is not turn]
    stayed = sum(m.choice == codes.STAY for m in others)
    if stayed:
        return sentence(f"{inwardly}, he stayed at {counted(stayed, 'other moment')} of decision")
    if others:
        done = listed(list(dict.fromkeys(m.chosen.name for m in others)))
        return sentence(f"{inwardly}, he chose at other moments of decision to {done}")
    return sentence(f"{inwardly}, he came to no other moment of decision")


def _blow(life: Life, turn: LivedMoment) -> list[Happening]:
    """Return the last loss in his family before the moment it turned on, or else the last other event.

    A release comes with the arrest that it ended.
    """
    before = [e for e in life.events if e.event in BEFORE and e.date <= turn.date]
    told = [e for e in before if e.event == codes.EVENTS[codes.EV_SHOCK]] or before
    released = bool(told) and told[-1].event == codes.EVENTS[codes.EV_RELEASED]
    held = [e for e in before if e.event == codes.EVENTS[codes.EV_ARRESTED]] if released else []
    return held[-1:] + told[-1:]


def _turn(turn: LivedMoment, told: dt.date | None) -> str:
    when = "that day" if turn.date == told else f"on {on(turn.date)}"
    if turn.choice in (*GOING, *PLOTTING):
        option, done = turn.chosen, turn.outcome()
    else:
        nearest = turn.nearest
        assert nearest is not None
        option, done = nearest, f"he came nearest to {nearest.doing}"
    likely = odds(option.chance)
    chance = "as was almost certain" if likely == "almost certain" else f"a chance of {likely}"
    return sentence(f"{when}, {turn.when()}, {done}, {chance}: {option.balance()}")


def _led_to(event: Happening, turn: LivedMoment) -> bool:
    """Return whether an event belongs to what he plotted before a moment.

    A moment after a leak or a failed rising comes after what happened that day.
    """
    if event.event in _SENT_ABROAD:
        return event.date < turn.date
    same_day = (
        turn.code in (codes.WARNED, codes.DEFEATED) and event.event != codes.EVENTS[codes.EV_SURRENDERED]
    )
    return event.event in VOICE and (event.date < turn.date or (event.date == turn.date and same_day))


def _talked(event: Happening) -> bool:
    """Return whether an event is one of the many talks of a plotter; that he joined himself is not."""
    return event.event in TALK and not (event.own and event.event == codes.EVENTS[codes.EV_JOINED])


def _plotted(events: Sequence[Happening]) -> list[str]:
    """Return events as sentences, those whom he sounded out in one of its own after what came before."""
    first = next(
        (e.date for e in events if e.event == codes.EVENTS[codes.EV_APPROACHED_SOMEONE] and e.own),
        dt.date.max,
    )
    early, late = [e for e in events if e.date <= first], [e for e in events if e.date > first]
    return [*_dated(early), *_talk(events), *_dated(late)]


def _talk(events: Sequence[Happening]) -> list[str]:
    """Return in a sentence how many he sounded out for a plot, over which days, and how many joined."""
    asked = [e for e in events if e.event == codes.EVENTS[codes.EV_APPROACHED_SOMEONE] and e.own]
    joined = sum(e.event == codes.EVENTS[codes.EV_JOINED] and not e.own for e in events)
    if not asked:
        return []
    comrades = sum(e.value < codes.PLEDGE_ASKED for e in asked)
    pledges = len(asked) - comrades
    of_them = f", of whom {joined or 'none'} joined" if joined < comrades else ", who all joined"
    of_one = ", who joined" if joined else ", who did not join"
    how = of_one if comrades == 1 else of_them
    parts = [f"sounded out {counted(comrades, 'comrade')}{how}"] if comrades else []
    parts += [f"asked {counted(pledges, 'commander')} for a pledge"] if pledges else []
    first, last = asked[0].date, asked[-1].date
    days = f"on {on(first)}" if first == last else f"between {on(first)} and {on(last)}"
    return [sentence(f"{days} he {', and '.join(parts)}")]


def _heard(events: Sequence[Happening]) -> list[str]:
    """Return in a sentence what he heard from abroad."""
    told = [e for e in events if e.event == WORD and not e.own]
    several = len({e.other for e in told}) > 1
    whose = "comrades abroad" if several else "a comrade abroad"
    summed = [e for e in events if e.event == WORDS_HEARD]
    return _in_all(told, summed, f"word came {{}} from {whose}, who fared")


def _sent(events: Sequence[Happening]) -> list[str]:
    """Return in a sentence what he told those at home, if he got word there more than once."""
    told = [e for e in events if e.event == WORD and e.own]
    summed = [e for e in events if e.event == WORDS_SENT]
    many = len(told) > 1 or summed
    return (
        _in_all(told, summed, "he got word home {}, saying that in treatment and hope he fared")
        if many
        else []
    )


def _in_all(told: Sequence[Happening], summed: Sequence[Happening], what: str) -> list[str]:
    if not told:
        return []
    last = [*told, *summed][-1]
    many = int(last.value) if summed else len(told)
    if many == 1:
        return [sentence(f"on {on(last.date)} {last.text}")]
    begun, ended = fared(told[0].value), fared(told[-1].value)
    how = f"{begun} at first and {ended} in the end" if begun != ended else ended
    times = "twice" if many == 2 else f"{many} times"
    days = f"between {on(told[0].date)} and {on(last.date)}"
    return [sentence(f"{days} {what.format(times)} {how}")]


def _aside(event: Happening) -> bool:
    """Return whether an event is not told by itself: confidences, and talk and words, which are counted."""
    return event.event == codes.EVENTS[codes.EV_CONFIDED] or event.event in _WORDS or _talked(event)


def _followed_up(event: Happening, events: Sequence[Happening]) -> bool:
    """Return whether what follows says it as well: a request is decided, or lost papers cost a place."""
    later = _FOLLOWED_UP.get(event.event, {})
    return any(
        e is not event and 0 <= (e.date - event.date).days <= later[e.event]
        for e in events
        if e.event in later
    )


def _dated(events: Sequence[Happening]) -> list[str]:
    """Return events in sentences of dated clauses, without those that are told elsewhere."""
    told = [e for e in events if not _aside(e) and not _followed_up(e, events)]
    sent = [e for e in events if e.own and e.event in (WORD, WORDS_SENT)]
    told = [e for e in events if e in told or (e in sent and len(sent) == 1)]
    clauses = [
        f"on {on(date)} {joined([e.text for e in told if e.date == date])}"
        for date in sorted({e.date for e in told})
    ]
    sentences = -(-len(clauses) // AT_ONCE)
    cuts = [len(clauses) * k // sentences for k in range(sentences)]
    return [sentence("; ".join(clauses[a:b])) for a, b in zip(cuts, (*cuts[1:], None), strict=False)]
