"""Now out of never: private opposition, public loyalty, and revolutions that surprise (Kuran 1991).

Each person has a private preference and chooses a public one. He sides openly with the opposition once its
public size, in per cent of all, reaches his *revolutionary threshold*; the threshold falls when he comes to
dislike the regime more or to fear it less. Nobody sees thresholds. So a society that looks loyal may be one
private change away from revolution, and another that looks exactly the same may not: the mechanism is
Granovetter's, the lesson is about what can be known.

Source: T. Kuran (1991), "Now out of never: the element of surprise in the East European revolution of
1989", World Politics 44(1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from breakrank.errors import UsageError
from breakrank.show.style import Theme
from breakrank_classics.granovetter import cascade
from breakrank_classics.resting import stairs
from breakrank_classics.shared import DASH, Field, finished, palette, tree, whole, within

if TYPE_CHECKING:
    from breakrank.show.vegalite import Chart

SOCIETY = (0.0, 20.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 100.0)
"""Kuran's ten people, thresholds in per cent: one opposes openly, nine keep quiet."""


@dataclass(frozen=True, repr=False)
class Opposition:
    """Public opposition in a society, and how it got there.

    Attributes
    ----------
    thresholds : per cent of all who must oppose openly before each person does, in the order given.
    path : public opposition after each round, per cent, from 0 to where nobody more joins.
    """

    thresholds: tuple[float, ...]
    path: tuple[float, ...]

    @property
    def public(self) -> float:
        """Public opposition in the end, per cent."""
        return self.path[-1]

    def willing(self, public: float) -> float:
        """Return the per cent of people who oppose openly if `public` per cent do."""
        return 100 * sum(t <= public for t in self.thresholds) / len(self.thresholds)

    def after(self, person: int, threshold: float) -> Spark:
        """Let one person's threshold change, unseen by the others.

        Parameters
        ----------
        person : place in `thresholds`, from 0.
        threshold : the new one, per cent.

        Raises
        ------
        UsageError
            for a person who does not exist or a threshold that is no finite number.
        """
        whole("person", person, 0, len(self.thresholds) - 1)
        changed = list(self.thresholds)
        changed[person] = threshold
        return Spark(self, opposition(changed), person)

    def sparks(self, by: float = 10.0) -> tuple[float, ...]:
        """Return public opposition, per cent, if the threshold of each person alone fell by so many points.

        Raises
        ------
        UsageError
            for a fall that is no finite number, or below 0.
        """
        by = within("by", by, 0)
        return tuple(self.after(i, t - by).after.public for i, t in enumerate(self.thresholds))

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> Chart:
        """Return a chart of who opposes openly against how many did before, and where that comes to rest."""
        look = palette(theme)
        field = _public(look)
        chart = field.layered(
            f"{self.public:g}% oppose openly",
            f"{len(self.thresholds):,} people",
            field.line([(0, 0), (100, 100)], look.muted, 1),
            field.line(stairs(self.willing, self.thresholds, 100), look.baseline),
            field.dots([(self.public, self.public)], look.record),
        )
        return finished(look, chart)

    def __repr__(self) -> str:
        rows = {
            "thresholds": ", ".join(f"{t:g}" for t in self.thresholds),
            "path": " → ".join(f"{p:g}%" for p in self.path),
            "public opposition": f"{self.public:g}%",
        }
        return tree("Opposition (Kuran 1991)", rows)


@dataclass(frozen=True, repr=False)
class Spark:
    """A society before and after one person's threshold changed.

    Attributes
    ----------
    before, after : public opposition with the old and with the new threshold.
    person : whose it was, place in the thresholds from 0.
    """

    before: Opposition
    after: Opposition
    person: int

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> Chart:
        """Return a chart of both societies, the changed one dashed."""
        look = palette(theme)
        field, before, after = _public(look), self.before, self.after
        old, new = before.thresholds[self.person], after.thresholds[self.person]
        low, high = min(old, new), max(old, new)  # elsewhere the two are the same
        changed = [p for p in stairs(after.willing, after.thresholds, 100) if low <= p[0] <= high]
        chart = field.layered(
            f"From {before.public:g}% to {after.public:g}% in open opposition",
            f"one of {len(before.thresholds):,} has a threshold of {new:g} instead of {old:g}",
            field.line([(0, 0), (100, 100)], look.muted, 1),
            field.line(stairs(before.willing, before.thresholds, 100), look.baseline),
            field.line(changed, look.counterfactual, dash=DASH),
            field.dots([(before.public, before.public)], look.baseline),
            field.dots([(after.public, after.public)], look.counterfactual),
            field.note(before.public, before.public, "before", look.baseline),
            field.note(after.public, after.public, "after", look.counterfactual),
        )
        return finished(look, chart)

    def __repr__(self) -> str:
        old, new = self.before.thresholds[self.person], self.after.thresholds[self.person]
        rows = {
            "person": f"number {self.person + 1}: threshold {old:g} → {new:g}",
            "before": f"{self.before.public:g}% oppose openly",
            "after": f"{self.after.public:g}% oppose openly",
        }
        return tree("Spark (Kuran 1991)", rows)


def _public(look: Theme) -> Field:
    return Field(look, "openly opposed before (%)", "then openly opposed (%)", (0, 100), (0, 100))


def opposition(thresholds: Iterable[float] = SOCIETY) -> Opposition:
    """Let people with the given thresholds show or hide their opposition until nobody more joins.

    Parameters
    ----------
    thresholds : one for each person, per cent of all people; above 100: never.

    Raises
    ------
    UsageError
        for an empty society or a threshold that is no finite number.

    >>> opposition([0, 20, 20, 30, 40, 50, 60, 70, 80, 100]).public
    10.0
    >>> opposition([0, 10, 20, 30, 40, 50, 60, 70, 80, 100]).public
    90.0
    """
    given = tuple(within("a threshold", t) for t in thresholds)
    if not given:
        raise UsageError("there are no thresholds; a society has at least one person")
    people = len(given)
    went = cascade(t * people / 100 for t in given)
    return Opposition(given, tuple(100 * acting / people for acting in went.path))
