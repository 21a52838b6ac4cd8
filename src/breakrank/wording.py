"""Words that every part of the package puts together alike."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence


def call(words: Sequence[str]) -> str:
    r"""Return a call of the command line as it can be typed; bytes of a name that are no text are coded.

    >>> call(["breakrank", "run", "my case"]), call(["run", "caf\udce9"])
    ("breakrank run 'my case'", "run $'caf\\xe9'")
    """
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    coded = word.translate({0x5C: r"\\", 0x27: r"\'"})
    return "$'" + "".join(c if c.isprintable() else _coded(c) for c in coded) + "'"


def _coded(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as a list within a sentence, `last` before the last of them.

    >>> listed(["one"]), listed(["one", "two", "three"]), listed(["one", "two"], "or"), listed([])
    ('one', 'one, two and three', 'one or two', '')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def figure(x: float) -> str:
    """Return a number with three digits that count, and whole from 100 on.

    >>> figure(1285.4), figure(12.25), figure(3.0)
    ('1,285', '12.2', '3')
    """
    return f"{x:,.0f}" if abs(x) >= 100 or float(x).is_integer() else f"{x:.3g}"


def interval(low: float, high: float) -> str:
    """Return an interval; one that rounds to a single figure is that figure, and none a dash.

    >>> interval(1, 2249.3), interval(0.0, 0.0), interval(math.nan, math.nan)
    ('1 to 2,249', '0', '-')
    """
    if not math.isfinite(low):
        return "-"
    return f"{figure(low)} to {figure(high)}" if figure(low) != figure(high) else figure(low)


def recorded(low: float, high: float) -> str:
    """Return what a record says; an infinite end is open.

    >>> recorded(567, 567), recorded(950, 1000), recorded(-math.inf, 10), recorded(1, math.inf)
    ('567', '950 to 1,000', 'at most 10', 'at least 1')
    """
    if low == high:
        return figure(low)
    if not math.isfinite(low):
        return f"at most {figure(high)}"
    return f"at least {figure(low)}" if not math.isfinite(high) else interval(low, high)
