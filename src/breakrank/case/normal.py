"""The standard normal distribution on arrays, without a numerical library.

Quantiles are Wichura's algorithm AS 241 (1988, "The percentage points of the normal distribution",
PPND16), good to about sixteen digits; Python's own ``statistics.NormalDist`` does the same for one number.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

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
