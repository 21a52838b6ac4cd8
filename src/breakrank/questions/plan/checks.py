"""What can be asked of a plan: assurances, numbers of caseworkers, runs that count those received."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.case import Case

MOST_STAFF = 10_000
"""Caseworkers that can be tried, at most."""


def check_reception(case: Case, name: str) -> None:
    """Check that those who come are counted; UsageError where their reception is switched off."""
    if "reception.on" in case.parameters and case.value("reception.on") < 0.5:
        whose = f"in the scenario {name}" if name != "case" else f"in {case.id}"
        raise UsageError(
            f"reception is switched off {whose}, so nobody is counted and there is nothing to plan for\n"
            "  Set reception.on to 1. For a host that lodges nobody, set reception.places to 0 instead."
        )


def check_assurance(assurance: Sequence[float]) -> tuple[float, ...]:
    """Return assurances as shares, ascending; UsageError for one that is none or no per cent."""
    if not assurance:
        raise UsageError(
            "no assurance is given: at least one is needed, in per cent of runs, such as --assurance 80"
        )
    for level in assurance:
        if not 0 < level <= 100:
            raise UsageError(
                f"an assurance is a per cent of runs above 0 and up to 100, not {level:g}\n  Write it like "
                "--assurance 50,80,95."
            )
    return tuple(sorted({round(level / 100, 12) for level in assurance}))


def check_staff(staff: Sequence[int]) -> tuple[int, ...]:
    """Return numbers of caseworkers, ascending; UsageError for one that is none."""
    for number in staff:
        if isinstance(number, bool) or int(number) != number or not 0 <= number <= MOST_STAFF:
            raise UsageError(
                f"staff is a whole number of caseworkers from 0 to {MOST_STAFF:,}, not {number}\n  Write "
                "it like --staff 5,10,20,40."
            )
    return tuple(sorted({int(number) for number in staff}))
