"""Counter-based draws: every draw is a pure function of (key, decision, who, with whom, when).

No generator state exists. Taking one soldier out, switching a mechanism off, or visiting soldiers
in another order leaves every other draw as it was (common random numbers). The function is
Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"),
checked in the tests against its published vectors.

A decision is named by a string; :func:`decision` hashes the name, so a new decision never shifts
an old one. ``who`` and ``whom`` are soldiers' identities (not positions in an array), ``when`` a day
or a count.
"""

from __future__ import annotations

import math
import zlib

import numpy as np
from numpy.typing import NDArray

from breakrank.kernel import inlined, kernel, lean

NOBODY = np.uint32(0xFFFFFFFF)
WORDS = 4
"""Random words that one call of the generator gives."""
CHUNK = 1024
"""Draws of many soldiers are computed for so many at once: their words stay near the processor."""
NEARLY = 1e-12
"""Largest error of :func:`gaussian_nearly`."""
APART = 1_000_000
"""No run has so many days: draws of one kind are named by the day, of another by that much more."""
"""The identity used where a draw concerns one soldier only."""

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
_SINE = tuple(1 / (k * (k + 1)) for k in range(16, 0, -2))
"""By what each term of the sine's series is smaller than the one before, from the last to the first."""
_TANGENT = tuple((2 * k - 1) / (2 * k + 1) for k in range(10, 0, -1))
"""The same of the inverse hyperbolic tangent's."""
_ROOT, _MANTISSA, _WHOLE = 0x3FE6A09E667F3BCD, 0x000FFFFFFFFFFFFF, 0x4330000000000000
"""Bits of the root of 1/2, of all digits of a number, and of 2**52, the digits of which are whole numbers."""
_ABOVE_ROOT, _NO_POWER, _LOG_2 = 0x3FF0000000000000 - _ROOT, 2.0**52 + 1023.0, math.log(2.0)
_LOW, _SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)


def decision(name: str) -> np.uint32:
    """Return the 32-bit code of a named decision, e.g. ``decision("fear.confide")``."""
    return np.uint32(zlib.crc32(name.encode()))


@inlined
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Return Philox4x32-10 of a 128-bit counter and a 64-bit key, as four 32-bit words."""
    x0, x1, x2, x3 = np.uint32(c0), np.uint32(c1), np.uint32(c2), np.uint32(c3)
    a, b = np.uint32(k0), np.uint32(k1)
    for _ in range(10):
        p0 = _M0 * np.uint64(x0)
        p1 = _M1 * np.uint64(x2)
        y0 = np.uint32(p1 >> _SHIFT) ^ x1 ^ a
        y2 = np.uint32(p0 >> _SHIFT) ^ x3 ^ b
        x1 = np.uint32(p1 & _LOW)
        x3 = np.uint32(p0 & _LOW)
        x0, x2 = y0, y2
        a = np.uint32(a + _W0)
        b = np.uint32(b + _W1)
    return np.uint32(x0), np.uint32(x1), np.uint32(x2), np.uint32(x3)


@kernel
def words(key: np.uint64, name: int, who: int, whom: int, when: int) -> tuple[int, int, int, int]:
    """Return the four 32-bit words of one draw."""
    k = np.uint64(key)
    return philox(who, whom, when, name, k & _LOW, k >> _SHIFT)


@kernel
def fraction(word: int) -> float:
    """Map a 32-bit word to the open interval (0, 1)."""
    return (float(np.uint32(word)) + 0.5) * 2.3283064365386963e-10


@inlined
def _join(w0: int, w1: int) -> float:
    """Map two words to the open interval (0, 1) with 52 bits (with 53 the highest would round to 1)."""
    high = float(np.uint32(w0) >> np.uint32(5))
    low = float(np.uint32(w1) >> np.uint32(7))
    return (high * 33554432.0 + low + 0.5) * 2.220446049250313e-16


@kernel
def uniform(key: np.uint64, name: int, who: int, whom: int, when: int) -> float:
    """Draw from the open interval (0, 1) with 52 bits (with 53 the highest would round to 1)."""
    w0, w1, _, _ = words(key, name, who, whom, when)
    return _join(w0, w1)


@kernel
def uniforms(key: np.uint64, name: int, who: int, whom: int, when: int) -> tuple[float, float, float, float]:
    """Draw four independent numbers from (0, 1), 32 bits each, for the price of one."""
    w0, w1, w2, w3 = words(key, name, who, whom, when)
    return fraction(w0), fraction(w1), fraction(w2), fraction(w3)


@kernel
def uniform_each(
    key: np.uint64, name: int, who: NDArray[np.uint32], when: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return :func:`uniform` of many soldiers at once, each at their own time; the loop vectorises."""
    k0, k1 = np.uint32(key & _LOW), np.uint32(key >> _SHIFT)
    out = np.empty(who.shape[0])
    for j in range(who.shape[0]):
        w0, w1, _, _ = philox(who[j], NOBODY, np.uint32(when[j]), name, k0, k1)
        out[j] = _join(w0, w1)
    return out


@lean
def draw_moments(
    key: np.uint64,
    name: int,
    who: NDArray[np.uint32],
    base: int,
    plus: NDArray[np.uint8],
    out: NDArray[np.float64],
) -> None:
    """Write :func:`uniform` of many soldiers, each at `base` + their own `plus`; the loop vectorises."""
    k0, k1 = np.uint32(key & _LOW), np.uint32(key >> _SHIFT)
    for j in range(who.shape[0]):
        w0, w1, _, _ = philox(who[j], NOBODY, np.uint32(base + plus[j]), name, k0, k1)
        out[j] = _join(w0, w1)


@lean
def words_each(
    key: np.uint64, name: int, who: NDArray[np.uint32], when: int, out: NDArray[np.uint32]
) -> None:
    """Write :func:`words` of many soldiers at once into `out`, uint32 (4, soldier)."""
    k0, k1 = np.uint32(key & _LOW), np.uint32(key >> _SHIFT)
    for j in range(who.shape[0]):
        out[0, j], out[1, j], out[2, j], out[3, j] = philox(who[j], NOBODY, when, name, k0, k1)


@lean
def words_among(
    key: np.uint64,
    name: int,
    who: NDArray[np.uint32],
    rows: NDArray[np.int32],
    n: int,
    when: int,
    out: NDArray[np.uint32],
) -> None:
    """Write :func:`words` of the first `n` of these `rows` of `who` into `out`, uint32 (4, n or more)."""
    k0, k1 = np.uint32(key & _LOW), np.uint32(key >> _SHIFT)
    for j in range(n):
        out[0, j] = who[rows[j]]
    for j in range(n):  # apart from the look-up, so that it vectorises
        out[0, j], out[1, j], out[2, j], out[3, j] = philox(out[0, j], NOBODY, when, name, k0, k1)


@kernel
def gaussian(w0: int, w1: int) -> float:
    """Map two words to the standard normal distribution (Box and Muller 1958)."""
    return math.sqrt(-2.0 * math.log(fraction(w0))) * math.cos(2.0 * math.pi * fraction(w1))


@inlined
def log_nearly(x: float) -> float:
    """Return the logarithm of a positive number, to 1e-15 of its size; the loop around it vectorises.

    The number is a power of 2 times one from the root of 1/2 to that of 2, whose logarithm is a series.
    """
    bits = np.float64(x).view(np.int64) + _ABOVE_ROOT
    power = np.int64((bits >> 52) | _WHOLE).view(np.float64) - _NO_POWER
    rest = np.int64((bits & _MANTISSA) + _ROOT).view(np.float64)
    s = (rest - 1.0) / (rest + 1.0)
    series = 1.0
    for ratio in _TANGENT:
        series = 1.0 + s * s * ratio * series
    return power * _LOG_2 + 2.0 * s * series


@inlined
def gaussian_nearly(w0: int, w1: int) -> float:
    """Return :func:`gaussian` to within :data:`NEARLY`, with polynomials for cosine and logarithm."""
    t = 2.0 * math.pi * (abs(fraction(w1) - 0.5) - 0.25)  # the cosine is this one's sine
    s = t * t
    sine = 1.0
    for inverse in _SINE:
        sine = 1.0 - s * inverse * sine
    return math.sqrt(-2.0 * log_nearly(fraction(w0))) * t * sine


@kernel
def normal(key: np.uint64, name: int, who: int, whom: int, when: int) -> float:
    """Draw from the standard normal distribution."""
    w0, w1, _, _ = words(key, name, who, whom, when)
    return gaussian(w0, w1)


@kernel
def exponential(key: np.uint64, name: int, who: int, whom: int, when: int) -> float:
    """Draw from the exponential distribution with mean 1."""
    return -math.log(uniform(key, name, who, whom, when))


def luck_key(seed: int, name: str, number: int = 0) -> np.uint64:
    """Return the 64-bit key of one world: e.g. ``luck_key(7, "run", 3)`` for replicate 3 under seed 7.

    `seed` counts modulo 2**64: one more than the largest of 64 bits gives the key of 0, and -1 that of the
    largest. Commands and questions refuse seeds out of these bounds. `number` counts within `name`.

    >>> bool(luck_key(2**64, "run") == luck_key(0, "run"))
    True
    """
    s = seed % 2**64
    w = philox(number % 2**32, number // 2**32, int(decision(name)), 0, s % 2**32, s // 2**32)
    return np.uint64(int(w[0]) | int(w[1]) << 32)
