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

from breakrank.kernel import kernel

NOBODY = np.uint32(0xFFFFFFFF)
"""The identity used where a draw concerns one soldier only."""

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
_LOW, _SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)


def decision(name: str) -> np.uint32:
    """Return the 32-bit code of a named decision, e.g. ``decision("fear.confide")``."""
    return np.uint32(zlib.crc32(name.encode()))


@kernel
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
    return x0, x1, x2, x3


@kernel
def words(key: np.uint64, name: int, who: int, whom: int, when: int) -> tuple[int, int, int, int]:
    """Return the four 32-bit words of one draw."""
    k = np.uint64(key)
    return philox(who, whom, when, name, k & _LOW, k >> _SHIFT)


@kernel
def fraction(word: int) -> float:
    """Map a 32-bit word to the open interval (0, 1)."""
    return (float(np.uint32(word)) + 0.5) * 2.3283064365386963e-10


@kernel
def uniform(key: np.uint64, name: int, who: int, whom: int, when: int) -> float:
    """Draw from the open interval (0, 1) with 52 bits (with 53 the highest would round to 1)."""
    w0, w1, _, _ = words(key, name, who, whom, when)
    high = float(np.uint32(w0) >> np.uint32(5))
    low = float(np.uint32(w1) >> np.uint32(7))
    return (high * 33554432.0 + low + 0.5) * 2.220446049250313e-16


@kernel
def uniforms(key: np.uint64, name: int, who: int, whom: int, when: int) -> tuple[float, float, float, float]:
    """Draw four independent numbers from (0, 1), 32 bits each, for the price of one."""
    w0, w1, w2, w3 = words(key, name, who, whom, when)
    return fraction(w0), fraction(w1), fraction(w2), fraction(w3)


@kernel
def normal(key: np.uint64, name: int, who: int, whom: int, when: int) -> float:
    """Draw from the standard normal distribution (Box and Muller 1958)."""
    u, v, _, _ = uniforms(key, name, who, whom, when)
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)


@kernel
def exponential(key: np.uint64, name: int, who: int, whom: int, when: int) -> float:
    """Draw from the exponential distribution with mean 1."""
    return -math.log(uniform(key, name, who, whom, when))


def luck_key(seed: int, name: str, number: int = 0) -> np.uint64:
    """Return the 64-bit key of one world: e.g. ``luck_key(7, "run", 3)`` for replicate 3 under seed 7.

    `seed` may be any integer of up to 64 bits; `number` counts within `name`.
    """
    s = seed % 2**64
    w = philox(number % 2**32, number // 2**32, int(decision(name)), 0, s % 2**32, s // 2**32)
    return np.uint64(int(w[0]) | int(w[1]) << 32)
