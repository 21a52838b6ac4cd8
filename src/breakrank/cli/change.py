"""A case with what ``--set`` and ``--events`` change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.case import Case


def changed_case(case: str, changes: Sequence[str], events: Path | None) -> Case:
    """Load a case and apply ``--set`` and ``--events``.

    Raises
    ------
    UsageError
        for a change that is not ``name=value``, an unknown name or a value out of range.
    CaseError
        for a case or events file that cannot be used.
    """
    from breakrank import load_case

    loaded = load_case(case)
    if events is not None:
        loaded = loaded.with_events(events)
    return loaded.set(_values(changes)) if changes else loaded


def _values(changes: Sequence[str]) -> dict[str, float]:
    values: dict[str, float] = {}
    for change in changes:
        name, sign, text = change.partition("=")
        name = name.strip()
        try:
            number = float(text)
        except ValueError:
            number = None
        if not sign or not name or number is None:
            raise UsageError(f"--set {change!r} is not NAME=VALUE with a number, as in --set fear.on=0")
        if name in values:
            raise UsageError(f"--set {name} is given twice")
        values[name] = number
    return values
