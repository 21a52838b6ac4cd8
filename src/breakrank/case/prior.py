"""The parameters of a case, and their prior distributions, truncated to the range of each.

An effect in events.yaml that has a prior is the parameter ``events.EVENT.EFFECT.value`` (or ``.half_life``).
It is drawn, set and calibrated as those of the model are. What is set is written into the event, so whatever
reads fields needs no second way.

The beta distribution is a continued fraction by Lentz's method and the swap to the side where it converges
fast, as in DiDonato and Morris (1992, "Significant digit computation of the incomplete beta function
ratios"). Normal quantiles of arrays are Wichura's algorithm AS 241 (1988, "The percentage points of the
normal distribution", PPND16), good to about sixteen digits; ``statistics.NormalDist`` does one number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import NormalDist
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.case.models_events import Effect, Event
from breakrank.case.models_force import Strength
from breakrank.case.models_parameters import OF_EVENTS, SHAPES, ParameterEntry, PriorEntry
from breakrank.spec import Catalogue, Field, Parameter

_TINY = 1e-300
_PRECISION = 1e-15
_MOST_STEPS = 20_000
_GRID = 200
"""Points between which the search for many quantiles at once begins."""


def beta_below(x: float, a: float, b: float) -> float:
    """Return the probability that a beta(a, b) variable is at most `x`; `a` and `b` above 0."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _tail(1 - x, b, a)
    return _tail(x, a, b)


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the value that a beta(a, b) variable does not pass with probability `p`, 0 to 1."""
    if p <= 0:
        return 0.0
    if p >= 1:
        return 1.0
    low, high, x = 0.0, 1.0, a / (a + b)
    constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(200):
        error = beta_below(x, a, b) - p
        if error < 0:
            low = x
        else:
            high = x
        slope = math.exp(constant + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        step = error / slope if slope > 0 else math.inf
        guess = x - step
        if not low < guess < high:  # Newton leaves the bracket: halve it, by ratio where it spans decades
            guess = math.sqrt(low * high) if low > 0 and high > 4 * low else (low + high) / 2
        if abs(guess - x) <= 4e-16 * x or not 0 < guess < 1:
            break
        x = guess
    return x


def beta_quantiles(p: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    """Return :func:`beta_quantile` of an array, all of it at once."""
    flat = np.asarray(p, dtype=np.float64).ravel()
    out = np.where(flat >= 1, 1.0, 0.0)
    open_ = np.flatnonzero((flat > 0) & (flat < 1))
    low, high = np.zeros(open_.size), np.ones(open_.size)
    grid = (1.0 - np.cos(np.pi * np.arange(1, _GRID) / _GRID)) / 2.0  # closer together towards both ends
    x = np.interp(flat[open_], _below(grid, a, b), grid)
    constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(200):
        if not open_.size:
            break
        error = _below(x, a, b) - flat[open_]
        low, high = np.where(error < 0, x, low), np.where(error < 0, high, x)
        slope = np.exp(constant + (a - 1) * np.log(x) + (b - 1) * np.log1p(-x))
        step = np.divide(error, slope, out=np.full_like(x, np.inf), where=slope > 0)
        guess = x - step
        wide = (low > 0) & (high > 4 * low)
        halved = np.where(wide, np.sqrt(low * high), (low + high) / 2)
        guess = np.where((low < guess) & (guess < high), guess, halved)
        done = (np.abs(guess - x) <= 4e-16 * x) | ~((guess > 0) & (guess < 1))
        out[open_[done]] = x[done]
        keep = ~done
        open_, low, high, x = open_[keep], low[keep], high[keep], guess[keep]
    out[open_] = x
    return out.reshape(np.shape(p))


def _below(x: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    """Return :func:`beta_below` of an array strictly between 0 and 1."""
    swap = x > (a + 1) / (a + b + 2)
    out = np.empty_like(x)
    out[swap] = 1.0 - _tails(1 - x[swap], b, a)
    out[~swap] = _tails(x[~swap], a, b)
    return out


def _tails(x: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    """Return :func:`_tail` of an array; the fraction goes on until the slowest has converged."""
    if not x.size:
        return x.copy()
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * np.log(x) + b * np.log1p(-x)
    d = 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / np.where(np.abs(d) > _TINY, d, _TINY)
    c, fraction = np.ones_like(x), d.copy()
    for m in range(1, _MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 + term * d
            c = 1.0 + term / c
            d = 1.0 / np.where(np.abs(d) > _TINY, d, _TINY)
            c = np.where(np.abs(c) > _TINY, c, _TINY)
            change = d * c
            fraction = fraction * change
        if np.all(np.abs(change - 1) < _PRECISION):
            break
    return np.minimum(1.0, np.exp(front) * fraction / a)


def _tail(x: float, a: float, b: float) -> float:
    """Return the distribution function where its continued fraction converges fast."""
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    fraction = d
    for m in range(1, _MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for term in (even, odd):
            d = 1.0 + term * d
            c = 1.0 + term / c
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            change = d * c
            fraction *= change
        if abs(change - 1) < _PRECISION:
            break
    return min(1.0, math.exp(front) * fraction / a)


Array = NDArray[np.float64]

# coefficients above and below the line, highest power first
_MIDDLE = (
    (
        2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987,
        13731.69376550946, 1971.5909503065513, 133.14166789178438, 3.3871328727963665,
    ),
    (
        5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597,
        5394.196021424751, 687.1870074920579, 42.31333070160091, 1.0,
    ),
)  # fmt: skip
_FLANK = (
    (
        0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
        3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835,
    ),
    (
        1.0507500716444169e-09, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008,
        0.6897673349851, 1.6763848301838038, 2.053191626637759, 1.0,
    ),
)  # fmt: skip
_FAR = (
    (
        2.0103343992922881e-07, 2.7115555687434876e-05, 0.0012426609473880784, 0.026532189526576124,
        0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
    ),
    (
        2.0442631033899397e-15, 1.421511758316446e-07, 1.8463183175100548e-05, 0.0007868691311456133,
        0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1.0,
    ),
)  # fmt: skip
_ROOT_HALF = math.sqrt(0.5)


def _ratio(r: Array, coefficients: tuple[tuple[float, ...], tuple[float, ...]]) -> Array:
    above, below = coefficients
    return np.asarray(np.polyval(above, r) / np.polyval(below, r))


def normal_quantiles(p: Array) -> Array:
    """Return the standard normal quantiles of an array; `p` strictly between 0 and 1."""
    p = np.asarray(p, dtype=np.float64)
    q = p - 0.5
    inner = np.abs(q) <= 0.425
    out = np.where(inner, q * _ratio(0.180625 - q * q, _MIDDLE), 0.0)
    tail = np.sqrt(-np.log(np.where(inner, 0.5, np.minimum(p, 1.0 - p))))
    outer = np.where(tail <= 5.0, _ratio(tail - 1.6, _FLANK), _ratio(tail - 5.0, _FAR))
    return np.where(inner, out, np.copysign(outer, q))


def normal_below(z: Array) -> Array:
    """Return the probability below `z` of an array."""
    z = np.asarray(z, dtype=np.float64)
    return np.array([0.5 * math.erfc(-_ROOT_HALF * x) for x in z.ravel().tolist()]).reshape(z.shape)


_STANDARD = NormalDist()


@dataclass(frozen=True, slots=True)
class Prior:
    """A distribution truncated to [low, high].

    Attributes
    ----------
    distribution : uniform, normal, lognormal, beta or triangular.
    numbers : its numbers: (low, high); (mean, sd); (median, sigma of the logarithm); (a, b), on [0, 1];
        (low, mode, high).
    low, high : the range it is truncated to.

    Examples
    --------
    >>> Prior("uniform", (0.0, 1.0), 0.0, 0.5).median
    0.25
    """

    distribution: str
    numbers: tuple[float, ...]
    low: float
    high: float

    @classmethod
    def of(cls, entry: PriorEntry, low: float, high: float) -> Prior:
        """Return the prior of an entry of a case file, truncated to [low, high]."""
        return cls(entry.distribution, entry.numbers, low, high)

    @property
    def mass(self) -> float:
        """Probability that the distribution has within the range before truncation."""
        floor, ceiling = _ends(self)
        return ceiling - floor

    @property
    def median(self) -> float:
        """The median of the truncated distribution."""
        return self.quantile(0.5)

    def cdf(self, x: float) -> float:
        """Return the probability of at most `x`, 0 to 1."""
        if x <= self.low:
            return 0.0
        if x >= self.high:
            return 1.0
        return min(1.0, max(0.0, (self._below(x) - _ends(self)[0]) / self.mass))

    @overload
    def quantile(self, p: float) -> float: ...
    @overload
    def quantile(self, p: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def quantile(self, p: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """Return the value below which a share `p` of the distribution lies.

        `p` goes from 0 to 1 and is a number or an array; the answer has its shape. A uniform
        draw for `p` gives a draw from the prior.

        Raises
        ------
        ValueError
            when `p` lies outside [0, 1].
        """
        if isinstance(p, np.ndarray):
            return self._quantiles(p)
        if not 0 <= p <= 1:
            raise ValueError(f"a quantile goes from 0 to 1, not {p}")
        if self.low == self.high or p == 0:
            return self._end(self.low)
        if p == 1:
            return self._end(self.high)
        floor, ceiling = _ends(self)
        value = self._inverse(floor + p * (ceiling - floor))
        return min(max(value, self.low), self.high)

    def _quantiles(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quantiles of an array at once; they differ from single ones by rounding alone."""
        wrong = p[~((p >= 0) & (p <= 1))]
        if wrong.size:
            raise ValueError(f"a quantile goes from 0 to 1, not {wrong.flat[0]}")
        if self.low == self.high:
            return np.full(p.shape, self._end(self.low))
        floor, ceiling = _ends(self)
        values = np.clip(self._inverses(floor + p * (ceiling - floor)), self.low, self.high)
        values[p == 0], values[p == 1] = self._end(self.low), self._end(self.high)
        return values

    def _inverses(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return :meth:`_inverse` of an array."""
        first, last = self.numbers[0], self.numbers[-1]
        if self.distribution == "uniform":
            return first + p * (last - first)
        if self.distribution == "triangular":
            return _triangular_quantiles(p, *self.numbers)
        if self.distribution == "beta":
            return beta_quantiles(p, first, last)
        z = normal_quantiles(np.clip(p, 1e-300, 1 - 1e-16))
        if self.distribution == "normal":
            return first + last * z
        return np.exp(math.log(first) + last * z)

    def _end(self, end: float) -> float:
        """Return the end of the range, or of the distribution where that comes first."""
        if self.distribution in ("uniform", "triangular"):
            return min(max(end, self.numbers[0]), self.numbers[-1])
        if self.distribution == "beta":
            return min(max(end, 0.0), 1.0)
        return max(end, 0.0) if self.distribution == "lognormal" else end

    def _below(self, x: float) -> float:
        """Return the probability below `x` before truncation."""
        first, last = self.numbers[0], self.numbers[-1]
        if self.distribution == "uniform":
            return min(1.0, max(0.0, (x - first) / (last - first)))
        if self.distribution == "normal":
            return NormalDist(first, last).cdf(x)
        if self.distribution == "lognormal":
            return _STANDARD.cdf((math.log(x) - math.log(first)) / last) if x > 0 else 0.0
        if self.distribution == "triangular":
            return _triangular_below(x, *self.numbers)
        return beta_below(x, first, last)

    def _inverse(self, p: float) -> float:
        """Return the quantile before truncation; `p` strictly between 0 and 1, or at an end by rounding."""
        first, last = self.numbers[0], self.numbers[-1]
        if self.distribution == "uniform":
            return first + p * (last - first)
        if self.distribution == "triangular":
            return _triangular_quantile(p, *self.numbers)
        if self.distribution == "beta":
            return beta_quantile(p, first, last)
        p = min(max(p, 1e-300), 1 - 1e-16)
        z = _STANDARD.inv_cdf(p)
        if self.distribution == "normal":
            return first + last * z
        return math.exp(math.log(first) + last * z)

    def __repr__(self) -> str:
        inner = ", ".join(f"{x:g}" for x in self.numbers)
        return f"{self.distribution}({inner}) on [{self.low:g}, {self.high:g}]"


@lru_cache(maxsize=4096)
def _ends(prior: Prior) -> tuple[float, float]:
    """Return the probabilities below the ends of the range, before truncation."""
    return prior._below(prior.low), prior._below(prior.high)


def _triangular_below(x: float, low: float, mode: float, high: float) -> float:
    if x <= low:
        return 0.0
    if x >= high:
        return 1.0
    if x <= mode:
        return (x - low) ** 2 / ((high - low) * (mode - low))
    return 1 - (high - x) ** 2 / ((high - low) * (high - mode))


def _triangular_quantile(p: float, low: float, mode: float, high: float) -> float:
    if p <= (mode - low) / (high - low):
        return low + math.sqrt(p * (high - low) * (mode - low))
    return high - math.sqrt((1 - p) * (high - low) * (high - mode))


def _triangular_quantiles(
    p: NDArray[np.float64], low: float, mode: float, high: float
) -> NDArray[np.float64]:
    rising = low + np.sqrt(p * (high - low) * (mode - low))
    falling = high - np.sqrt((1 - p) * (high - low) * (high - mode))
    return np.where(p <= (mode - low) / (high - low), rising, falling)


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """One parameter as the case has it.

    Attributes
    ----------
    name, unit : as declared by the mechanism that reads it.
    value : the value used; the prior's median where the case gives no value.
    prior : distribution truncated to [low, high], or ``None``.
    low, high : credible range of the case.
    evidence : ids of observations, may be empty.
    assumed : what is assumed, and why; may be empty.
    about : why this value; may be empty.
    basis : what the value comes from, as in ``parameters.yaml``; empty where it is not said.
    """

    name: str
    value: float
    prior: Prior | None
    unit: str
    low: float
    high: float
    evidence: tuple[str, ...]
    assumed: str
    about: str
    basis: str = ""

    @classmethod
    def of(cls, name: str, entry: ParameterEntry | Strength) -> ParameterValue:
        """Return the parameter of an entry of parameters.yaml, or of the strength in force.yaml."""
        low, high = entry.range
        prior = None if entry.prior is None else Prior.of(entry.prior, low, high)
        if entry.value is not None:
            value = float(entry.value)
        else:
            assert prior is not None  # the model demands one of the two
            value = prior.median
        return cls(
            name,
            value,
            prior,
            entry.unit,
            low,
            high,
            entry.evidence or (),
            entry.assumed or "",
            entry.about or "",
            (entry.basis or "") if isinstance(entry, ParameterEntry) else "",
        )


def set_to(value: float) -> str:
    """Return the note on a parameter whose value was set by hand."""
    return f"Set to {value:g} by hand."


@cache
def silent(declared: Parameter) -> ParameterEntry:
    """Return the entry of a parameter that may be left out, where it is: as its mechanism assumes."""
    prior = None
    if declared.prior is not None:
        family, *numbers = declared.prior
        named = dict(zip(SHAPES[family], numbers, strict=True))
        prior = PriorEntry.model_validate({"distribution": family, **named})
    return ParameterEntry(
        value=declared.typical,
        prior=prior,
        unit=declared.unit,
        range=declared.range or (declared.low, declared.high),
        basis=declared.basis or None,
        assumed=declared.assumed,
    )


def overridden(entry: ParameterEntry | Strength, value: float) -> dict[str, Any]:
    """Return the changes to an entry whose value is set by hand: the range reaches to it, and it says so.

    The evidence stays with the entry as the ground of its prior; the value itself is an assumption.
    """
    low, high = entry.range
    changed: dict[str, Any] = {"value": value, "range": (min(low, value), max(high, value))}
    if entry.value is None or float(entry.value) != value:
        changed["assumed"] = set_to(value)
        if isinstance(entry, ParameterEntry):
            changed["basis"] = None
    return changed


SHORTEST, LONGEST = 0.01, 36600.0
"""Days that a half-life with a prior may have."""
MOST_FACTOR = 1000
"""Largest factor of an effect: it takes a thousandth of a range to its end."""
_DOES = {"add": "added to", "multiply": "what multiplies", "set": "level set of"}


@dataclass(frozen=True, slots=True)
class UncertainPart:
    """The size or the half-life of an effect that has a prior: its key, value, prior, and what is allowed."""

    key: Literal["value", "half_life"]
    value: float
    entry: PriorEntry
    declared: Parameter

    @property
    def prior_key(self) -> str:
        """Key of its prior."""
        return "prior" if self.key == "value" else "half_life_prior"


@dataclass(frozen=True, slots=True)
class Forcing:
    """A parameter that is a part of an effect.

    Attributes
    ----------
    event, effect : their numbers, in the order of the file.
    key : which part of the effect. field : that the effect acts on.
    declared : its name, unit and range. parameter : its value, prior and grounds.
    """

    event: int
    effect: int
    key: Literal["value", "half_life"]
    field: str
    declared: Parameter
    parameter: ParameterValue


def uncertain_parts(effect: Effect, field: Field, event: Event | None = None) -> Iterator[UncertainPart]:
    """Yield the parts of an effect on a field that have a prior; without its event they have no full name."""
    start = "" if event is None else f"{OF_EVENTS}{event.id}."
    when = "" if event is None else f" from {event.date} on: {event.title}"
    if effect.prior is not None:
        span = field.high - field.low
        low, high = {"add": (-span, span), "multiply": (0.0, MOST_FACTOR), "set": (field.low, field.high)}[
            effect.op
        ]
        unit = "ratio" if effect.op == "multiply" else field.unit
        about = f"{_DOES[effect.op]} {effect.field}{when}"
        name = f"{start}{effect.name}.value"
        declared = Parameter(name, unit, low, high, effect.value, about, scope="national")
        yield UncertainPart("value", effect.value, effect.prior, declared)
    if effect.half_life_prior is not None and effect.half_life is not None:
        about = f"days after which half is left of what is added to {effect.field}{when}"
        name = f"{start}{effect.name}.half_life"
        declared = Parameter(name, "days", SHORTEST, LONGEST, effect.half_life, about, scope="national")
        yield UncertainPart("half_life", effect.half_life, effect.half_life_prior, declared)


def forcing(events: Sequence[Event], catalogue: Catalogue) -> dict[str, Forcing]:
    """Return the parameters that effects of events are, by name."""
    out: dict[str, Forcing] = {}
    for k, event in enumerate(events):
        for j, effect in enumerate(event.effects):
            if not effect.uncertain:
                continue
            for part in uncertain_parts(effect, catalogue.fields[effect.field], event):
                one = part.declared
                known = ParameterValue(
                    one.name,
                    part.value,
                    Prior.of(part.entry, one.low, one.high),
                    one.unit,
                    one.low,
                    one.high,
                    event.evidence or (),
                    event.assumed or "",
                    one.about,
                )
                out[one.name] = Forcing(k, j, part.key, effect.field, one, known)
    return out


def declared_parameters(events: Sequence[Event], catalogue: Catalogue) -> Mapping[str, Parameter]:
    """Return what is declared of each parameter of the model, and of those that effects of events are."""
    found = forcing(events, catalogue)
    return (
        {**catalogue.parameters, **{n: f.declared for n, f in found.items()}}
        if found
        else catalogue.parameters
    )


def resized(
    events: Sequence[Event], known: Mapping[str, Forcing], sizes: Mapping[str, float]
) -> tuple[Event, ...]:
    """Return events with other values of these parameters."""
    out = list(events)
    for name, value in sizes.items():
        one = known[name]
        event = out[one.event]
        effects = list(event.effects)
        effects[one.effect] = effects[one.effect].model_copy(update={one.key: value})
        out[one.event] = event.model_copy(update={"effects": tuple(effects)})
    return tuple(out)


def of_these_events(draws: Draws, declared: Mapping[str, Parameter]) -> Draws | None:
    """Return draws without what events do that are not there; ``None`` if nothing is left."""
    return draws.without({n for n in draws.names if n.startswith(OF_EVENTS) and n not in declared})
