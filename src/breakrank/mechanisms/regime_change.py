"""The hours of an uprising: commanders who know too little join, refuse or stay, round by round.

A regime of strength θ falls once the weight that has joined is at least θ; nobody knows θ. Each round, every
commander who has not joined sees how much weight has (J, with error), a signal of θ of their own, and what
all see in public, and pictures the regime-change game that is left among people like themselves (Morris and
Shin 1998, 2003): of the weight not joined, W = 1 − J, they believe a share b to be opposed (small under
pluralistic ignorance: Kuran 1991). Those join who hold success likely enough for what they stand to lose, p*.
In that game the regime falls up to a strength θ*, with x* the mean signal of whoever is of two minds:

    θ* = J + W b Φ(√β (x* − θ*))                                 (θ* is just overcome)
    Φ(√(α + β)·(θ* − (β x* + α y) / (α + β))) = p*               (who sees x* is indifferent)

β is the precision of what they have seen themselves: r signals by round r, each of the precision their place
gives them. α is the precision of the public signal y. Eliminating x*:

    θ* = J + W b Φ((α (θ* − y) − √(α + β) Φ⁻¹(p*)) / √β)

which without a public signal (α = 0) is θ* = J + W b (1 − p*), whatever the noise. With a sharp one there may
be three solutions. The lowest counts: it is where hope ends that starts from nobody else's moving, and men
who know what failure costs move together only if each must believe in the others already.

They hold success as likely as P = Φ(√(α + β)·(θ* − (β x̄ + α y) / (α + β))), x̄ being the mean of their
signals, and joins if P ≥ p*. Whoever joined is seen in the next round: a cascade (Granovetter 1978) in which
each step is taken under doubt. Everything is monotone: more belief, lower thresholds, more weight to begin
with or a weaker regime never make fewer join by any round that is still played.

Sources: S. Morris and H. S. Shin (1998), "Unique equilibrium in a model of self-fulfilling currency attacks",
American Economic Review 88(3); the same (2003), "Global games: theory and applications", Cambridge
University Press; M. Granovetter (1978), "Threshold models of collective behavior", American Journal of
Sociology 83(6); T. Kuran (1991), "Now out of never", World Politics 44(1).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, gaussian, words
from breakrank.kernel import kernel

ROOT_2PI = math.sqrt(2 * math.pi)

# Acklam's rational approximation to the normal quantile: relative error 1.15e-9
_A = (-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.3577518672690, -30.66479806614716)
_A0 = 2.506628277459239
_B = (-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572)
_C = (-7.784894002430293e-3, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968)
_C0 = 2.938163982698783
_D = (7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416)
_TAIL = 0.02425


@kernel
def normal_cdf(z: float) -> float:
    """Return the standard normal distribution function Φ(z), to 1e-14 of its size (beyond ±6: 5e-13)."""
    return math.erfc(-z / math.sqrt(2)) / 2


@kernel
def quantile_nearly(p: float) -> float:
    """Return Φ⁻¹(p) for p in (0, 1) by P. J. Acklam's rational approximation, to 1.15e-9 of its size."""
    low = min(p, 1.0 - p)
    if low < _TAIL:
        t = math.sqrt(-2 * math.log(low))
        top = ((((_C[0] * t + _C[1]) * t + _C[2]) * t + _C[3]) * t + _C[4]) * t + _C0
        z = top / ((((_D[0] * t + _D[1]) * t + _D[2]) * t + _D[3]) * t + 1.0)
    else:
        t = low - 1 / 2
        s = t * t
        top = ((((_A[0] * s + _A[1]) * s + _A[2]) * s + _A[3]) * s + _A[4]) * s + _A0
        z = top * t / (((((_B[0] * s + _B[1]) * s + _B[2]) * s + _B[3]) * s + _B[4]) * s + 1.0)
    return z if 2 * p <= 1 else -z


@kernel
def normal_quantile(p: float) -> float:
    """Return Φ⁻¹(p) for p in [0, 1], −inf and inf at the ends, to 2e-14 of its size from 1e-300 up.

    An approximation and one step of Halley's method. The upper half mirrors the lower, where Φ loses no
    digits.
    """
    if p <= 0.0:
        return -math.inf
    if p >= 1.0:
        return math.inf
    low = min(p, 1.0 - p)
    z = quantile_nearly(low)
    step = (normal_cdf(z) - low) * ROOT_2PI * math.exp(z * z / 2)
    z -= step / (1.0 + z * step / 2)
    return z if 2 * p <= 1 else -z


MOST_ROUNDS = 63
"""The most rounds a day has: draws are keyed by 64 × day + round."""

HOURS = 8
"""Rounds in which an uprising is decided. Theory only: Singh 2014, by whom most coups are won or lost within
hours; their number is assumed."""

_NOBODY = int(NOBODY)
_CERTAIN = 1 - 2.0**-53  # the highest belief there is, so that a threshold of 1 is out of reach
_ROUNDING = 1e-9  # weights are shares added up one by one: a sum may fall short of 1 by this much
_STEPS = 100


@kernel
def threshold_of(loss: float, gain: float) -> float:
    """Return p* = loss / (gain + loss), the chance of success from which joining pays, 0 to 1.

    Both are utilities, finite. With nothing to gain it is 1 (never joins), else with nothing to lose 0.
    """
    if gain <= 0.0:
        return 1.0
    if loss <= 0.0:
        return 0.0
    return loss / (gain + loss)


@kernel
def lowest_resting(slope: float, offset: float) -> float:
    """Return the lowest solution t in [0, 1] of t = Φ(slope·t − offset); slope at least 0.

    Up to the first point where the curve runs parallel to the diagonal (where none does, up to its turning
    point) the gap Φ − t falls and is convex, so Newton's steps from 0 rise to a solution there and never
    beyond it. If there is none, there is a single one, in the concave stretch at the top, and steps from 1
    come down to it.
    """
    if slope <= 0.0:
        return normal_cdf(-offset)
    reach = math.sqrt(2 * math.log(slope / ROOT_2PI)) if slope > ROOT_2PI else 0.0
    turn = min((offset - reach) / slope, 1.0)
    rising = turn > 0.0 and normal_cdf(slope * turn - offset) <= turn
    t = 0.0 if rising else 1.0
    for _ in range(_STEPS):
        z = slope * t - offset
        falls = 1.0 - slope * math.exp(-z * z / 2) / ROOT_2PI
        if falls <= 0.0:
            break
        moved = t + (normal_cdf(z) - t) / falls
        moved = min(max(moved, 0.0), 1.0)
        if (moved <= t) if rising else (moved >= t):  # no further than rounding allows
            break
        t = moved
    return t


@kernel
def critical(
    joined: float,
    undecided: float,
    belief: float,
    threshold: float,
    quantile: float,
    precision: float,
    public: float,
    public_precision: float,
) -> float:
    """Return θ*, the strength up to which the regime falls in the game as a player pictures it.

    Parameters
    ----------
    joined, undecided : J and W, shares of all weight, 0 to 1.
    belief : b, the share of the undecided weight that is opposed, 0 to 1.
    threshold : p*, 0 to 1; `quantile` is Φ⁻¹(p*), which stays the same from round to round.
    precision : β, 1 / variance of the mean of a player's signals; above 0, finite.
    public, public_precision : y, in units of strength, and α, at least 0 (0: no public signal).

    Returns
    -------
    θ* from J to J + W b; the lowest where there are three (see above).
    """
    opposed = undecided * belief
    if opposed <= 0.0 or threshold >= 1.0:
        return joined
    if threshold <= 0.0:
        return joined + opposed
    if public_precision <= 0.0:
        return joined + opposed * (1.0 - threshold)
    root = math.sqrt(precision)
    doubt = math.sqrt(public_precision + precision) * quantile
    offset = (public_precision * (public - joined) + doubt) / root
    return joined + opposed * lowest_resting(public_precision * opposed / root, offset)


@kernel
def success_seen(
    strength: float, statistic: float, precision: float, public: float, public_precision: float
) -> float:
    """Return P, the chance that the regime's strength is at most `strength`, as a player sees it, 0 to 1.

    Below 1 by at least 2⁻⁵³: nobody is certain. `statistic` is x̄, the mean of their signals; the others as in
    :func:`critical`.
    """
    both = precision + public_precision
    mean = (precision * statistic + public_precision * public) / both
    return min(normal_cdf(math.sqrt(both) * (strength - mean)), _CERTAIN)


@kernel
def play(
    key: np.uint64,
    name: int,
    day: int,
    identity: NDArray[np.uint32],
    weight: NDArray[np.float64],
    threshold: NDArray[np.float64],
    belief: NDArray[np.float64],
    precision: NDArray[np.float64],
    ordered: NDArray[np.bool_],
    joined: NDArray[np.int16],
    refused: NDArray[np.int16],
    strength: float,
    public: float,
    public_precision: float,
    sight: float,
    refusal: float,
    rounds: int,
    success: NDArray[np.float64],
) -> tuple[float, float]:
    """Play an uprising through one day; everyone moves at once in each round.

    Ends when the joined weight is at least the strength left. It does not end because a round passed in which
    nobody moved: signals add up, and with them confidence. The regime counts on whoever is ordered against
    the column. Once one of them holds success nearly as likely as it would take to join, their weight comes
    off its strength, for good, whether they refuse or join. (So who comes over tips the balance by twice
    their weight, at once or by way of a refusal, and no reason to join earlier ever does harm.)

    Draws: one per player and round, (`key`, `name`, identity, nobody, 64 × day + round), for their signal and
    their sight: their errors are their own, whatever others do.

    Parameters
    ----------
    key, name, day : of the draws; see :mod:`breakrank.draws`.
    identity : (player,) the players' identities.
    weight : (player,) shares of all weight in play, at least 0, adding up to 1.
    threshold : (player,) p*, 0 (always joins) to 1 (never); see :func:`threshold_of`.
    belief : (player,) b, the share of the others' undecided weight they hold to be opposed, 0 to 1.
    precision : (player,) β, 1 / variance of a round's signal of the strength; finite; 0: sees nothing, and
        never joins unless their threshold is 0.
    ordered : (player,) whether they are ordered against the column; of no effect for those who launch.
    joined : (player,) in: 0 for those who launch, −1 for the others; out: the round in which they joined.
    refused : (player,) out: the round in which they refused (they may join later), −1 if they never did.
    strength : θ, the share of all weight that must join.
    public, public_precision : y, in units of strength, and α, at least 0 (0: no public signal).
    sight : standard deviation of the error with which the joined weight is seen, in shares of all weight.
    refusal : in (0, 1]; ordered players refuse from this share of their threshold on (1: none refuses).
    rounds : rounds after the launch, 0 to 63.
    success : (player,) out: P as they last saw it; 1 for those who launch, 0 for who saw nothing.

    Returns
    -------
    The joined weight and the strength left, at the end: the regime fell if the first is at least the second.
    """
    players = identity.shape[0]
    signals, quantile = np.zeros(players), np.empty(players)
    out = 0.0
    for c in range(players):
        refused[c], success[c] = -1, 1.0 if joined[c] >= 0 else 0.0
        out += weight[c] if joined[c] >= 0 else 0.0
        quantile[c] = normal_quantile(threshold[c])
    for r in range(1, min(rounds, MOST_ROUNDS) + 1):
        if out >= strength - _ROUNDING:
            break
        gained, lost = 0.0, 0.0
        for c in range(players):
            if joined[c] >= 0:
                continue
            if precision[c] > 0.0:
                w0, w1, w2, w3 = words(key, name, identity[c], _NOBODY, (MOST_ROUNDS + 1) * day + r)
                signals[c] += strength + gaussian(w0, w1) / math.sqrt(precision[c])
                sharp, mean = precision[c] * r, signals[c] / r
                seen = min(max(out + sight * gaussian(w2, w3), 0.0), 1.0)
                enough = critical(
                    seen, 1.0 - seen, belief[c], threshold[c], quantile[c], sharp, public, public_precision
                )
                success[c] = success_seen(enough, mean, sharp, public, public_precision)
            joins = success[c] >= threshold[c]
            if ordered[c] and refused[c] < 0 and (joins or success[c] >= refusal * threshold[c]):
                lost += weight[c]
                refused[c] = r if not joins else -1
            if joins:
                gained += weight[c]
                joined[c] = r
        out += gained
        strength -= lost
    return out, out if strength - _ROUNDING <= out < strength else strength
