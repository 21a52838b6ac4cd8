"""Options and exit codes that the commands share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from cyclopts import Parameter, Token

from breakrank.errors import UsageError

Flag = Annotated[bool, Parameter(negative="", show_default=False)]
"""A switch that is off unless given; there is no ``--no-`` form."""

Changes = Annotated[tuple[str, ...], Parameter(name="--set", negative="", show_default=False)]
"""``--set NAME=VALUE``, any number of times."""


def with_mechanisms(given: object) -> list[str]:
    """Return the words of a call that add these mechanisms."""
    assert isinstance(given, tuple)
    return [word for name in given for word in ("--mechanisms", str(name))]


def _whole(_: Any, tokens: Sequence[Token]) -> int:  # noqa: ANN401 (cyclopts gives the type asked for)
    """Read a whole number as typed; a fraction is an error, not a number cut short."""
    token = tokens[0]
    text = token.value.strip()
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        option = token.keyword or "a number"
        raise UsageError(f"{option} {token.value}: a whole number is expected, as in {option} 20")
    return int(text)


Whole = Annotated[int, Parameter(converter=_whole)]
"""A whole number."""

Backend = Annotated[str | None, Parameter(name="--backend")]
"""``serial``, ``cores``, or the address of a scheduler."""

Under = Annotated[Literal["posterior", "values"] | None, Parameter(name="--parameters")]
"""What runs live under: draws of the case's posterior, or the parameters' values."""

Mechanisms = Annotated[
    tuple[str, ...],
    Parameter(
        name="--mechanisms",
        negative="",
        show_default=False,
        help="Add a mechanism that an installed package offers, by its name; `breakrank mechanisms` lists "
        "them. May be given several times.",
    ),
]
"""``--mechanisms NAME``, any number of times."""

DONE: Final = 0
FAILED: Final = 1
"""Some runs failed, or a result could not be written."""
BAD_INPUT: Final = 2
"""The call or a case file has to be mended."""
INTERRUPTED: Final = 130
"""Stopped by the user; what had finished is saved."""
