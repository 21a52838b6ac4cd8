"""The global game of regime change: acting together without knowing enough (Morris and Shin 2003).

A regime of unknown strength θ falls if the share of people who attack is at least θ. Attacking costs c and
brings 1 if the regime falls; staying home brings 0. Each sees a private signal x = θ + N(0, 1/β) and all
see a public one, y = θ + N(0, 1/α). In a threshold equilibrium everyone with x ≤ x* attacks and the regime
falls if θ ≤ θ*:

    x* = θ* + Φ⁻¹(θ*) / √β                                       (θ* is just overcome)
    Φ(√(α + β)·(θ* − (β x* + α y) / (α + β))) = c                (who sees x* is indifferent)

Together they are θ* = Φ(s θ* − h) with slope s = α / √β and offset h = (α y + √(α + β) Φ⁻¹(c)) / √β, the
very map of a crowd with normal thresholds. There is one equilibrium for every y if and only if s ≤ √(2π):
what all know must not be too sharp beside what each knows. Without a public signal (α = 0) it is θ* = 1 −
c, however small the noise.

Sources: S. Morris and H. S. Shin (2003), "Global games: theory and applications", in Advances in Economics
and Econometrics, Cambridge University Press; the same (2004), "Coordination risk and the price of debt",
European Economic Review 48(1), for the condition of uniqueness.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.errors import UsageError
from breakrank_classics.resting import STEEPEST_UNIQUE, bisect, cdf, curve, resting_points, stable
from breakrank_classics.shared import DASH, Field, finished, listed, palette, tree, whole, within

if TYPE_CHECKING:
    from breakrank.show.vegalite import Chart

_quantile = NormalDist().inv_cdf


class Equilibrium(NamedTuple):
    """One threshold equilibrium.

    Attributes
    ----------
    strength : θ*, the strength below which the regime falls, 0 to 1 (share of people who attack).
    signal : x*, the private signal below which people attack.
    stable : whether best responses lead back to it after a small departure.
    """

    strength: float
    signal: float
    stable: bool


@dataclass(frozen=True, repr=False)
class RegimeGame:
    """A regime-change game with normal signals.

    Parameters
    ----------
    cost : c, of attacking, as a share of what the fall of the regime brings; 0 to 1, ends excluded.
    private : β, precision (1 / variance) of private signals, above 0.
    public : α, precision of the public signal, at least 0; 0: there is none (the prior is uninformative).
    seen : y, the public signal, in units of strength; of no effect where there is none.

    Raises
    ------
    UsageError
        for a parameter out of its range.

    >>> round(RegimeGame(cost=0.3, private=10).thresholds[0], 6)
    0.7
    >>> [round(t, 5) for t in RegimeGame(cost=0.5, private=10, public=10, seen=0.5).thresholds]
    [0.10694, 0.5, 0.89306]
    """

    cost: float = 0.5
    private: float = 10.0
    public: float = 0.0
    seen: float = 0.5

    def __post_init__(self) -> None:
        within("cost", self.cost, 0, 1, ends=False)
        within("private", self.private, 0, ends=False)
        within("public", self.public, 0)
        within("seen", self.seen)

    @property
    def slope(self) -> float:
        """α / √β: how sharp public knowledge is beside private knowledge."""
        return self.public / math.sqrt(self.private)

    @property
    def offset(self) -> float:
        """The offset h in θ* = Φ(s θ* − h)."""
        return (self.public * self.seen + self._indifference) / math.sqrt(self.private)

    @property
    def unique(self) -> bool:
        """Whether there is one equilibrium whatever the public signal: α / √β ≤ √(2π)."""
        return self.slope <= STEEPEST_UNIQUE

    @cached_property
    def equilibria(self) -> tuple[Equilibrium, ...]:
        """All threshold equilibria, by ascending strength: one or three."""
        slope, offset = self.slope, self.offset
        return tuple(
            Equilibrium(t, t + (slope * t - offset) / math.sqrt(self.private), stable(slope, offset, t))
            for t in resting_points(slope, offset)
        )

    @property
    def thresholds(self) -> tuple[float, ...]:
        """θ* of all equilibria, ascending."""
        return tuple(e.strength for e in self.equilibria)

    def seen_for(self, strength: float) -> float:
        """Return the public signal under which `strength` is an equilibrium threshold.

        Raises
        ------
        UsageError
            for a strength that is not between 0 and 1, or where there is no public signal.
        """
        within("strength", strength, 0, 1, ends=False)
        within("public", self.public, 0, ends=False)
        both = math.sqrt(self.private) * _quantile(strength) + self._indifference
        return strength - both / self.public

    @property
    def _indifference(self) -> float:
        return math.sqrt(self.public + self.private) * _quantile(self.cost)

    def learn(
        self, *, people: int = 20_000, worlds: int = 20_000, seed: int = 1, start: float = 0.0
    ) -> LearnedEquilibrium:
        """Let simulated people find an equilibrium by best responses, without any formula above.

        Worlds are drawn as the public signal says (evenly where there is none). Each round, people work out
        from those worlds below which private signal attacking pays, given the strength that they expect the
        regime to fall under; then they see their own signals, and the strength that those who attack
        overcome is what all expect in the next round. Draws are keyed by world and by person, one from each
        of so many slices of equal chance, which leaves errors in θ* of about 0.001.

        Parameters
        ----------
        people, worlds : 1,000 to 10 million each.
        seed : of the draws.
        start : the strength below which everyone first expects the fall, 0 to 1. From 0 they come to the
            lowest equilibrium, from 1 to the highest.

        Raises
        ------
        UsageError
            for a parameter out of its range, or too few worlds to tell signals this precise apart.
        """
        whole("people", people, 1_000, 10_000_000)
        whole("worlds", worlds, 1_000, 10_000_000)
        strength = within("start", start, 0, 1)
        root = math.sqrt(self.private)
        noise = _normals(_sliced(seed, "classics.morris_shin.signal", people))
        theta = _sliced(seed, "classics.morris_shin.world", worlds)
        spread = 1 / math.sqrt(self.public) if self.public > 0 else 1 + 20 / root
        least = math.ceil(100 * spread * root)
        if worlds < least:
            raise UsageError(f"worlds is {worlds}; signals of these precisions need at least {least}")
        theta = self.seen + spread * _normals(theta) if self.public > 0 else spread * theta - 10 / root

        def pays(signal: float) -> bool:
            likely = -self.private / 2 * (theta - signal) ** 2
            weight = np.exp(likely - likely.max())
            falls = np.searchsorted(theta, strength, side="right")
            return bool(weight[:falls].sum() > self.cost * weight.sum())

        def overcome(theta: float) -> bool:
            return bool(np.searchsorted(noise, root * (signal - theta), side="right") > theta * people)

        path = [strength]
        for _ in range(500):
            signal = bisect(pays, float(theta[0]) - 9 / root, float(theta[-1]) + 9 / root, steps=30)
            strength = bisect(overcome, 0.0, 1.0)
            path.append(strength)
            if abs(path[-1] - path[-2]) < 1e-6:
                break
        return LearnedEquilibrium(strength, signal, tuple(path))

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> Chart:
        """Return a chart of the regime's threshold against what all see, unstable equilibria dashed."""
        look = palette(theme)
        low, high = min(-0.5, self.seen - 0.5), max(1.5, self.seen + 0.5)
        field = Field(
            look, "public signal of the regime's strength (y)", "falls below (θ*)", (low, high), (0, 1)
        )
        alone = [(low, 1 - self.cost), (high, 1 - self.cost)]
        below = f"cost {self.cost:g}, "
        if self.public == 0:
            below += "no public signal: θ* = 1 − cost"
            layers = [field.line(alone, look.baseline)]
        else:
            below += f"α/√β = {self.slope:.2f}; dotted: no public signal"
            layers = [field.line(alone, look.muted, 1, dash=[2, 3])]
            turn = 0.0 if self.unique else math.sqrt(2 * math.log(self.slope / STEEPEST_UNIQUE))
            for a, b in ((-8.0, -turn), (-turn, turn), (turn, 8.0)):
                branch = [(self.seen_for(t), t) for _, t in curve(cdf, a, b) if 0 < t < 1]
                dash = DASH if a == -turn and turn > 0 else None
                layers.append(
                    field.line([p for p in branch if low <= p[0] <= high], look.baseline, dash=dash)
                )
        found = self.equilibria
        layers.append(
            field.dots(
                [(self.seen, e.strength) for e in found], look.record, filled=[e.stable for e in found]
            )
        )
        several = "" if len(found) == 1 else f"{len(found)} equilibria: "
        title = several + ", ".join(
            f"θ* = {e.strength:.3f}" if i == 0 else f"{e.strength:.3f}" for i, e in enumerate(found)
        )
        return finished(look, field.layered(title, below, *layers))

    def __repr__(self) -> str:
        public = (
            f"public precision {self.public:g}, seen {self.seen:g}" if self.public else "no public signal"
        )
        rows = {
            "signals": f"private precision {self.private:g}, {public}",
            "cost": f"{self.cost:g}",
            "unique": f"{'for every' if self.unique else 'not for every'} public signal "
            f"(α/√β = {self.slope:.3f}, √(2π) = {STEEPEST_UNIQUE:.3f})",
            "θ*": listed(self.thresholds, 5),
            "x*": listed(tuple(e.signal for e in self.equilibria), 5),
        }
        return tree("RegimeGame (Morris and Shin 2003)", rows)


@dataclass(frozen=True, repr=False)
class LearnedEquilibrium:
    """An equilibrium that simulated people found.

    Attributes
    ----------
    strength : θ*, below which the regime falls, 0 to 1.
    signal : x*, the private signal below which people attack.
    path : θ expected at first, and overcome after each round.
    """

    strength: float
    signal: float
    path: tuple[float, ...]

    def __repr__(self) -> str:
        rows = {
            "θ*": f"{self.strength:.4f}",
            "x*": f"{self.signal:.4f}",
            "rounds": len(self.path) - 1,
        }
        return tree("Learned (simulated best responses)", rows)


def _sliced(seed: int, name: str, count: int) -> NDArray[np.float64]:
    """Return one uniform number from each of `count` equal slices of (0, 1), ascending."""
    from breakrank.draws import decision, luck_key, uniform_each

    who = np.arange(count, dtype=np.uint32)
    within_slice = uniform_each(luck_key(seed, name), int(decision(name)), who, np.zeros(count, np.int64))
    return (who + within_slice) / count


def _normals(uniforms: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.fromiter(map(_quantile, uniforms.tolist()), float, len(uniforms))
