"""The dates a text mentions, in order, so that those near a place are found without going through all."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from breakrank_desk.dates import Mention

Told = tuple[int, Mention]
"""A mention, and the paragraph it stands in."""
MOST = 40
"""Mentions looked back to, or offered from elsewhere in a text."""


class Mentioned:
    """The mentions of a text, by paragraph and place."""

    def __init__(self, told: Iterable[Told]) -> None:
        self.told = sorted(told, key=lambda t: (t[0], t[1].start))
        self._keys = [(k, m.start) for k, m in self.told]

    def within(self, paragraph: int, start: int, end: int) -> list[Mention]:
        """Return the mentions of a paragraph that begin between two places."""
        a, b = (bisect_left(self._keys, (paragraph, x)) for x in (start, end))
        return [m for _, m in self.told[a:b]]

    def before(self, paragraph: int, start: int) -> list[Told]:
        """Return the last mentions before a place, the nearest first."""
        end = bisect_left(self._keys, (paragraph, start))
        return self.told[max(0, end - MOST) : end][::-1]

    def first(self, fits: Callable[[Mention], bool]) -> Told | None:
        """Return the first mention of a text that fits, among its first few."""
        return next((t for t in self.told[:MOST] if fits(t[1])), None)

    def elsewhere(self, paragraph: int) -> list[Mention]:
        """Return mentions of other paragraphs, the nearest first."""
        a, b = bisect_left(self._keys, (paragraph, -1)), bisect_left(self._keys, (paragraph + 1, -1))
        near = [*self.told[max(0, a - MOST) : a], *self.told[b : b + MOST]]
        near.sort(key=lambda t: (abs(t[0] - paragraph), t[0]))
        return [m for _, m in near[:MOST]]
