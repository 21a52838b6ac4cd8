"""Notes that precede a result's numbers: what they count, and what was changed or is missing.

All is read off the case as used and the call that made the result, so that a result that was saved and
read back says the same.
"""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from breakrank.show.words import number
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results.result import Result

_EVENTS = re.compile(r"\s# (\d+) events?$")
_RUNS = re.compile(r"(?:--runs[ =]|\bruns=)(\d+)")


WHOLE_FORCE = (
    "People, places, files and money are those of the whole force; plots, uprisings, units and posts are as "
    "simulated."
)
"""What is said beside numbers of a force drawn in part."""


def one_stands_for(many: float) -> str:
    """Return for how many a soldier of a force drawn in part stands; empty where it is drawn in full.

    >>> one_stands_for(8.3), one_stands_for(1)
    ('One simulated soldier stands for 8.3.', '')
    """
    return "" if many == 1 else f"One simulated soldier stands for {number(many)}."


def drawn_in_part(stands_for: float) -> str:
    """Return that a force is drawn in part and what numbers count; empty where it is drawn in full."""
    return "" if stands_for == 1 else f"{one_stands_for(stands_for)} {WHOLE_FORCE}"


def changes(result: Result) -> str:
    """Return the changes of the case, e.g. ``"fear.on = 0; until 2019-06-30"``; empty if none."""
    return told(result.case, *_options(result.command))


def told(case: Case, events: tuple[str, int | None] | None = None, until: str = "") -> str:
    """Return the changes of a case: added mechanisms, values, events, the last day."""
    added = (name for name in case.mechanisms if name not in case.content.case.mechanisms)
    parts = [f"with the mechanism {name}" for name in added]
    parts += [f"{name} = {p.value:g}" for name, p in case.parameters.items() if name in case.by_hand]
    if events is not None:
        file, count = events
        many = "events" if count is None else counted(count, "event")
        parts.append(f"{many} from {PurePath(file).name}")
    if until:
        parts.append(f"until {until}")
    return "; ".join(parts)


def asked_runs(result: Result) -> int:
    """Return how many runs a result was asked for: those of its call where some are missing."""
    found = _RUNS.search(result.command) if result.interrupted or result.failed else None
    return int(found[1]) if found else result.runs + len(result.failed)


def noted(events: int) -> str:
    """Return the comment behind a call that says how many events its file brought in."""
    return f"  # {counted(events, 'event')}"


def _options(command: str) -> tuple[tuple[str, int | None] | None, str]:
    """Return the file of events with their number, and the last day, of a call on the command line."""
    if not command.startswith("breakrank run "):
        return None, ""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return None, ""
    given = {a: b for a, b in pairwise(words) if a in ("--events", "--until")}
    count = _EVENTS.search(command)
    file = given.get("--events")
    return (None if file is None else (file, int(count[1]) if count else None)), given.get("--until", "")
