"""The measures of the model: which variable answers each, and which by rank, branch, way out or site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from breakrank.errors import UsageError, nearest
from breakrank.outputs import Measure

if TYPE_CHECKING:
    MEASURES: Mapping[str, Measure]
    """Every measure that the built-in model answers, by id."""


def __getattr__(name: str) -> Mapping[str, Measure]:
    if name != "MEASURES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from breakrank.model import catalogue  # half a second

    return catalogue().measures


def asked_part(text: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return the measure and the part of the force that a text such as ``left:rank=general`` names.

    >>> asked_part("left:rank=general+colonel,branch=army")
    ('left', {'rank': ('general', 'colonel'), 'branch': ('army',)})

    Raises
    ------
    UsageError
        for a part that is not written so.
    """
    name, colon, rest = text.partition(":")
    part: dict[str, tuple[str, ...]] = {}
    for one in rest.split(",") if colon else ():
        dim, equals, labels = one.partition("=")
        if not (dim and equals and all(labels.split("+"))) or dim in part:
            raise UsageError(
                f"{text!r} names no part of the force\n"
                "  Write MEASURE:DIM=LABEL, as in left:rank=general. Further labels follow a +, and "
                "further dimensions a comma."
            )
        part[dim] = tuple(labels.split("+"))
    return name, part


def named_part(measure: str, by: Mapping[str, str | Sequence[str]]) -> str:
    """Return the text by which a measure of a part of the force is asked for; see :func:`asked_part`.

    >>> named_part("left", {"rank": ("general", "colonel"), "branch": "army"}), named_part("left", {})
    ('left:rank=general+colonel,branch=army', 'left')
    """
    parts = (f"{dim}={told if isinstance(told, str) else '+'.join(told)}" for dim, told in by.items())
    return f"{measure}:{','.join(parts)}" if by else measure


def find(text: str) -> Measure:
    """Return the measure of that id, of a part or not, or raise :class:`UsageError` naming the nearest."""
    from breakrank.model import known_measures

    known, (name, _) = known_measures(), asked_part(text)
    if name not in known:
        raise UsageError(f"no measure {name!r}{nearest(name, known)} (known: {', '.join(known)})")
    return known[name]
