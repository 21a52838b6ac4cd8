"""Finding one ensemble among those of a store, where several have the same name.

An ensemble goes by the digest of its case as changed. Two of one digest and seed, made by different versions
of the model, are told apart by the names of their folders.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.runs.store import Kept

SHORT = 8
"""Characters of a digest that are shown, if they are enough."""


def prefix(text: str) -> str:
    """Return the beginning of a digest as it was typed; UsageError where it is none."""
    if not re.fullmatch(r"[0-9a-f]{4,64}", text.lower()):
        raise UsageError(
            f"--digest {text!r}: the beginning of a digest is expected, 4 or more of the digits 0-9 and a-f\n"
            "  `breakrank store list STORE` shows them."
        )
    return text.lower()


def fits(kept: Kept, beginning: str) -> bool:
    """Say whether the digest of an ensemble's case, or the name of its folder, begins so."""
    return kept.digest.startswith(beginning) or kept.stored.folder.name.startswith(beginning)


def abbreviated(every: Sequence[Kept]) -> list[str]:
    """Return for each ensemble the beginning of a digest that only it has among those of its seed."""
    times = Counter((kept.seed, kept.digest) for kept in every)
    names = {name for kept in every for name in (kept.digest, kept.stored.folder.name)}
    longest = max(map(len, names), default=SHORT)
    length = SHORT
    while length < longest and len({name[:length] for name in names}) < len(names):
        length += 1
    return [
        (kept.digest if times[kept.seed, kept.digest] == 1 else kept.stored.folder.name)[:length]
        for kept in every
    ]
