"""Plots, uprisings, the high command and the regime in words: one clause for each row of the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from breakrank.engine import codes
from breakrank.lives.soldier import counted

if TYPE_CHECKING:
    from breakrank.case import Case

TOLD_TO_THE_OTHER: Final = (
    codes.EV_APPROACHED_SOMEONE,
    codes.EV_JOINED,
    codes.EV_DECLINED,
    codes.EV_PLEDGED,
    codes.EV_TAPPED,
    codes.EV_NAMED,
)
"""Events that belong to the other's life as well: whom they approached, whose plot it was."""

COUNTED_FOR_THE_OTHER: Final = {
    codes.EV_FOLLOWED: ("comrades followed into the uprising", "{} followed them into the uprising"),
    codes.EV_ROSE: ("other units rose", "{} rose with their units"),
    codes.EV_RENEGED: ("pledges not kept", "{} who had pledged stayed away"),
    codes.EV_REFUSED: ("refusals to march", "{} sent against the uprising would not march"),
}
"""Events of others that a leader's life counts day by day: name, and clause with their number."""

_COUNTS: Final = {
    codes.EV_FOLLOWED: ("soldier", "soldiers"),
    codes.EV_ROSE: ("other commander", "other commanders"),
    codes.EV_RENEGED: ("commander", "commanders"),
    codes.EV_REFUSED: ("commander", "commanders"),
}
_FOUND_OUT: Final = {
    codes.EV_PLOT_BROKEN: "was broken up by arrests",
    codes.EV_PLOT_SCATTERED: "scattered after a warning",
    codes.EV_PLOT_DISSOLVED: "came to nothing and was given up",
}
_FAILED: Final = {
    codes.EV_UPRISING_COLLAPSED: "collapsed within the day",
    codes.EV_UPRISING_STALEMATE: "held out for a while, then ended",
    codes.EV_UPRISING_WON: "succeeded",
}
_TURNS: Final = {
    codes.EV_STOOD_BY: "came back to the regime's side",
    codes.EV_PACT: "joined a pact against the regime",
}
_PLAIN: Final = {
    codes.EV_WARNED: "they were warned that the plot had been found out",
    codes.EV_REFUSED: "ordered against the uprising, they would not march",
    codes.EV_SURRENDERED: "they surrendered and were detained",
    codes.EV_DISCHARGED: "they were discharged in a purge",
}
CODES: Final = frozenset(
    {
        codes.EV_FOUNDED,
        codes.EV_LAUNCHED,
        codes.EV_ROSE,
        codes.EV_FOLLOWED,
        codes.EV_RENEGED,
        codes.EV_FELL,
        *TOLD_TO_THE_OTHER,
        *_FOUND_OUT,
        *_FAILED,
        *_TURNS,
        *_PLAIN,
    }
)
"""The events that have their clause here."""
VOICE: Final = frozenset(codes.EVENTS[e] for e in CODES)
"""The same by name."""

Who = Callable[[int], str]
"""Returns who a soldier of that identity is to the one whose life is told."""


def clause(case: Case, event: int, value: float, other: int | None, who: Who) -> str:
    """Return the clause for a soldier's own plot, uprising or stance."""
    by = who(other) if other is not None else ""
    if event in _PLAIN:
        return _PLAIN[event]
    if event in _FOUND_OUT:
        many = f"with {counted(int(value), 'member')} at its largest"
        alone = "which nobody had joined" if value <= 1 else many
        return f"their plot, {alone}, {_FOUND_OUT[event]}"
    if event in _FAILED:
        return (
            f"the uprising they led {_FAILED[event]}; {counted(max(0, int(value)), 'soldier')} had taken part"
        )
    if event in _TURNS:
        return f"as {office(case, int(value))} they {_TURNS[event]}"
    if event == codes.EV_FELL:
        return f"the {'pact' if value >= 1 else 'uprising'} brought the regime down"
    if event == codes.EV_FOUNDED:
        return f"they began to plan {_plan(value)}"
    if event == codes.EV_APPROACHED_SOMEONE:
        whom = by or "a comrade"
        if value >= codes.PLEDGE_ASKED:
            return f"they asked {whom} to pledge themselves to {_plan(value - codes.PLEDGE_ASKED)}"
        return f"they sounded out {whom} for {_plan(value)}"
    if event == codes.EV_LAUNCHED:
        members = max(0, int(value)) % codes.BY_AIM
        strong = f", {members} strong" if members > 1 else ""
        return f"they gave the word to {'rise' if value >= codes.BY_AIM else 'go'}{strong}"
    return _beside_another(case, event, value, by)


def _beside_another(case: Case, event: int, value: float, by: str) -> str:
    if event == codes.EV_JOINED:
        plot = "a plot to rise" if int(value) == codes.RISE else "a plot to cross with comrades"
        return f"they joined {plot}" + (f", asked by {by}" if by else "")
    if event == codes.EV_DECLINED:
        return f"they would not join{' ' + by if by else ''} and said nothing of it"
    if event == codes.EV_PLEDGED:
        if value >= codes.OF_THE_HIGH_COMMAND:
            holder = office(case, int(value) - codes.OF_THE_HIGH_COMMAND)
            return f"as {holder} they pledged themselves to an uprising"
        return "they pledged their unit to an uprising" + (f", asked by {by}" if by else "")
    if event == codes.EV_TAPPED:
        return "their talk of the plot was overheard"
    if event == codes.EV_NAMED:
        return "they were named under interrogation" + (f" by {by}" if by else "")
    if event == codes.EV_ROSE:
        late = f", {counted(int(value), 'hour')} after the first" if value >= 1 else ""
        return f"they rose with their unit{late}"
    if event == codes.EV_FOLLOWED:
        return f"they followed {by or 'their commander'} into the uprising"
    assert event == codes.EV_RENEGED, codes.EVENTS[event]
    if value >= codes.OF_THE_HIGH_COMMAND:
        holder = office(case, int(value) - codes.OF_THE_HIGH_COMMAND)
        return f"as {holder} they did not keep their pledge on the day of the uprising"
    return "they stayed away on the day of the uprising, though they had pledged their unit"


def of_another(event: int, value: float, who: str) -> str:
    """Return the clause for another's act towards the soldier whose history this is."""
    if event == codes.EV_APPROACHED_SOMEONE:
        if value >= codes.PLEDGE_ASKED:
            return f"{who} asked them to pledge themselves to {_plan(value - codes.PLEDGE_ASKED)}"
        return f"{who} sounded them out for {_plan(value)}"
    if event == codes.EV_JOINED:
        return f"{who} joined"
    if event == codes.EV_DECLINED:
        return f"{who} would not join"
    if event == codes.EV_PLEDGED:
        if value >= codes.OF_THE_HIGH_COMMAND:
            return f"{who}, who held a position of the high command, gave them a pledge"
        return f"{who} pledged them their unit"
    if event == codes.EV_TAPPED:
        return f"{who}, who was in the plot, was overheard"
    assert event == codes.EV_NAMED, codes.EVENTS[event]
    return f"they named {who} under interrogation"


def counted_for_him(event: int, many: int) -> tuple[str, str]:
    """Return name and clause of what `many` others did in their uprising."""
    name, text = COUNTED_FOR_THE_OTHER[event]
    return name, text.format(counted(many, *_COUNTS[event]))


def office(case: Case, index: int) -> str:
    """Return who holds the position of the high command at an index, by the label of the position."""
    positions = tuple(getattr(case, "command", ()))
    if 0 <= index < len(positions):
        return f"holder of the office of {positions[index].label}"
    return "holder of a position of the high command"


def _plan(aim: float) -> str:
    return "an uprising" if int(aim) == codes.RISE else "a crossing with comrades"
