"""Options and exit codes that the commands share."""

from __future__ import annotations

from typing import Annotated, Final

from cyclopts import Parameter

Flag = Annotated[bool, Parameter(negative="", show_default=False)]
"""A switch that is off unless given; there is no ``--no-`` form."""

Changes = Annotated[tuple[str, ...], Parameter(name="--set", negative="", show_default=False)]
"""``--set NAME=VALUE``, any number of times."""

DONE: Final = 0
FAILED: Final = 1
"""Some runs failed, or a result could not be written."""
BAD_INPUT: Final = 2
"""The call or a case file has to be mended."""
INTERRUPTED: Final = 130
"""Stopped by the user; what had finished is saved."""
