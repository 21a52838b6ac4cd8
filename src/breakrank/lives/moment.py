"""A decision opportunity as a reader sees it: what was open, what spoke for and against, what was chosen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from breakrank.engine import codes
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.engine.day import Days
    from breakrank.engine.mechanism import Term
    from breakrank.engine.witness import Testimony

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip


def on(date: dt.date) -> str:
    """Return a date in words, whatever the machine's language.

    Examples
    --------
    >>> on(dt.date(2019, 3, 12))
    '12 March 2019'
    """
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"


def odds(chance: float) -> str:
    """Return a probability as odds, no more digits than carry meaning.

    Examples
    --------
    >>> [odds(p) for p in (0.72, 0.0042, 0.00001834, 1e-9, 0.0, 0.9999)]
    ['72 in 100', '1 in 240', '1 in 55,000', 'less than 1 in a million', 'no chance', 'almost certain']
    """
    if chance <= 0:
        return "no chance"
    if chance < 1e-6:
        return "less than 1 in a million"
    if chance >= 0.995:
        return "almost certain"
    if chance >= 0.1:
        return f"{chance * 100:.0f} in 100"
    return f"1 in {int(float(f'{1 / chance:.2g}')):,}"


def sentence(text: str) -> str:
    """Return a text with a capital first letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


WHEN: Final = {
    codes.LEAVE_PASS: "on leave",
    codes.ERRAND: "on an errand outside the base",
    codes.FAMILY_SHOCK: "with that loss on their mind",
    codes.CONFIDED_TO: "with what a comrade had confided in them",
    codes.POSTING: "posted at the border",
    codes.INVITED: "asked to come along",
    codes.APPROACHED: "asked to join a plot",
    codes.WARNED: "warned that the plot was found out",
    codes.DEFEATED: "after the uprising had failed",
    codes.UNDER_FIRE: "under fire",
    codes.ADRIFT: "as their unit came apart",
    codes.CALLED_OVER: "called upon to take their unit over",
    codes.WAITED: "as a way opened that they had waited for",
    codes.ORDERED: "ordered to act against protesters",
}
ASKED: Final = {
    codes.INVITED: "asked by soldier {} to come along",
    codes.APPROACHED: "asked by soldier {} to join a plot",
}
WEIGHED: Final = {
    codes.DESERT: "deserting quietly",
    codes.LEAVE: "setting out alone",
    codes.LEAVE_WITH_FAMILY: "setting out with their family",
    codes.REPORT: "reporting the comrade",
    codes.JOIN: "joining the plot",
    codes.PLAN_CROSSING: "planning a crossing with comrades",
    codes.PLAN_UPRISING: "planning an uprising",
    codes.RESIGN: "resigning",
}
CHOSE: Final = {
    codes.STAY: "they stayed",
    codes.DESERT: "they deserted",
    codes.LEAVE: "they left",
    codes.LEAVE_WITH_FAMILY: "they left with their family",
    codes.REPORT: "they reported the comrade",
    codes.JOIN: "they joined the plot",
    codes.PLAN_CROSSING: "they began to plan a crossing with comrades",
    codes.PLAN_UPRISING: "they began to plan an uprising",
    codes.RESIGN: "they resigned",
}
STAYED: Final = {
    codes.APPROACHED: "they would not join and stayed",
    codes.WARNED: "they stayed, come what may",
    codes.DEFEATED: "they stayed where they were",
    codes.ORDERED: "they obeyed",
}


@dataclass(frozen=True, slots=True)
class Weight:
    """What one named term adds to an option: `value` in utility units (log-odds against staying).

    `base` marks what is no motive, but how rare the act is (see :class:`breakrank.engine.mechanism.Term`).
    """

    term: str
    about: str
    value: float
    base: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One option that was open.

    Attributes
    ----------
    code, name : which option, as in ``world.options``.
    chance : its probability, 0 to 1.
    weights : the terms that speak for or against it, the heaviest first; none for staying.
    """

    code: int
    name: str
    chance: float
    weights: tuple[Weight, ...]

    @property
    def utility(self) -> float:
        """Log-odds against staying."""
        return sum(w.value for w in self.weights)

    @property
    def doing(self) -> str:
        """What it means, as a noun, e.g. ``"deserting quietly"``."""
        return "staying" if self.code == codes.STAY else WEIGHED.get(self.code, f"whether to {self.name}")

    def strongest(self, sign: int) -> str:
        """Return the heaviest motive for (1) or against it (-1) in words; empty without any."""
        found = (w for w in self.weights if not w.base and sign * w.value > 0)
        return next((w.about.partition(",")[0] for w in found), "")


@dataclass(frozen=True, slots=True)
class LivedMoment:
    """One decision opportunity.

    Attributes
    ----------
    date : when.
    occasion, code : why then, and its code.
    options : what was open, staying first.
    choice : code of the option taken.
    opposed : whether they were privately opposed.
    leader : identity of who asked them to come along.
    gone, punished : how many of those they trust had left, or been punished, up to the day before.
    """

    date: dt.date
    occasion: str
    code: int
    options: tuple[Option, ...]
    choice: int
    opposed: bool
    leader: int | None
    gone: int
    punished: int

    @property
    def chosen(self) -> Option:
        """The option taken."""
        return next(o for o in self.options if o.code == self.choice)

    @property
    def weighed(self) -> Option | None:
        """The option against staying that the moment turned on: the one taken, or else the likeliest."""
        if self.choice != codes.STAY:
            return self.chosen
        return max((o for o in self.options if o.code != codes.STAY), key=lambda o: o.chance, default=None)

    def when(self) -> str:
        """Return the occasion as a phrase, e.g. ``"on an errand outside the base"``."""
        if self.leader is None or self.code not in ASKED:
            return WHEN[self.code]
        return ASKED[self.code].format(self.leader)

    def outcome(self) -> str:
        """Return the choice, as a clause."""
        if self.choice == codes.STAY and self.code in STAYED:
            return STAYED[self.code]
        if self.choice == codes.STAY and any(o.code == codes.REPORT for o in self.options):
            return "they kept it to themselves and stayed"
        return CHOSE.get(self.choice, f"they chose to {self.chosen.name}")

    def news(self) -> str:
        """Return who of those they trusted had left or been punished, as a sentence after a space, or ""."""
        known = [
            f"{n} had {what}" for n, what in ((self.gone, "left"), (self.punished, "been punished")) if n
        ]
        return f" {sentence(f'of those they trusted, {listed(known)}')}" if known else ""

    def strongest(self) -> str:
        """Return the strongest reasons for and against the option that it turned on, as a clause."""
        weighed = self.weighed
        if weighed is None:
            return ""
        sides = (("for", weighed.strongest(1)), ("against", weighed.strongest(-1)))
        (first, *more) = [(side, f"“{reason}”") for side, reason in sides if reason] or [("", "")]
        if not first[0]:
            return ""
        rest = f", and the strongest {more[0][0]} it was {more[0][1]}" if more else ""
        return f"the strongest reason {first[0]} {weighed.doing} was {first[1]}{rest}"


def moment_of(seen: Testimony, days: Days, gone: int, punished: int) -> LivedMoment:
    """Return a moment from a witness's testimony; a term counts for an option with its factor there."""
    world = days.world
    options = tuple(
        Option(code, name, float(seen.chance[code]), _weights(seen, days.terms, code))
        for code, name in enumerate(world.options)
        if seen.chance[code] > 0
    )
    return LivedMoment(
        world.case.calendar.date(seen.day),
        codes.OCCASIONS[seen.occasion],
        seen.occasion,
        options,
        seen.choice,
        seen.margin > 0,
        int(world.force.identity[seen.leader]) if seen.leader >= 0 else None,
        gone,
        punished,
    )


def _weights(seen: Testimony, terms: Sequence[Term], option: int) -> tuple[Weight, ...]:
    found = (
        Weight(t.name, t.about, float(t.options.get(option, 0.0)) * float(value), t.base)
        for t, value in zip(terms, seen.terms, strict=True)
    )
    return tuple(sorted((w for w in found if w.value != 0), key=lambda w: -abs(w.value)))
