"""Words that every part of the package puts together alike."""

from __future__ import annotations

from collections.abc import Sequence


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as a list within a sentence, `last` before the last of them.

    >>> listed(["one"]), listed(["one", "two", "three"]), listed(["one", "two"], "or"), listed([])
    ('one', 'one, two and three', 'one or two', '')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"
