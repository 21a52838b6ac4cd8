"""How the charts of an explanation are drawn: theme, sizes, and the hues of more and less."""

from __future__ import annotations

from dataclasses import dataclass

from breakrank.show.style import Theme

STEP = 19
"""Height of a row, px."""
WIDE, NARROW = 740, 340
"""Widths of whole charts with their labels, px."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a chart is drawn: its theme, its width with labels, and more room for names, px."""

    theme: Theme
    width: int = WIDE
    more: int = 0

    @property
    def names(self) -> int:
        """Room for names on the left, px."""
        return (196 if self.width >= WIDE else 128) + self.more

    @property
    def values(self) -> int:
        """Room for numbers on the right, px."""
        return 76 if self.width >= WIDE else 52

    @property
    def plot(self) -> int:
        """Width of the plot, px."""
        return self.width - self.names - self.values

    def sign(self, value: float, told: bool = True) -> str:
        """Return the hue of more or less."""
        return (
            self.theme.muted if not told else self.theme.counterfactual if value > 0 else self.theme.baseline
        )
