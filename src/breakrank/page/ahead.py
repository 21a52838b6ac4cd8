"""What next: the answer to ``forecast`` as of a day, computed beforehand or while somebody waits for it."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import Basis
from breakrank.questions.declared import ForecastQuestion
from breakrank.results.files import write_whole
from breakrank.show.evidence import Evidence
from breakrank.wording import call_again

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.background import BackgroundMaking, Found


SHOWN = ("assimilated", "figures")
"""Tables of observed figures: those that the forecast rests on, and later ones that score it."""


@dataclass(frozen=True, slots=True)
class AddedFigures:
    """Figures that a forecast takes in beside the record, as CSV, and the file that it reads them from."""

    text: str
    file: Path


def key(case: Case, as_of: str, observations: str = "") -> str:
    """Return the name under which a forecast of a case is kept, with a table of figures beside its record."""
    more = f"-{hashlib.sha256(observations.encode()).hexdigest()[:12]}" if observations else ""
    return f"next-{case.with_draws(None).digest[:24]}-{as_of}{more}"


def day_of(found: Found) -> str:
    """Return the day as of which a kept forecast was made, ISO: the last word of its title."""
    return str(found["title"]).split()[-1]


def usual_day(case: Case) -> str:
    """Return the day as of which one asks first: half-way from the first to the last observed figure."""
    days = sorted(t.date for t in case.targets if case.calendar.start <= t.date < case.calendar.end)
    start, end = (days[0], days[-1]) if days else (case.calendar.start, case.calendar.end)
    middle = start + (end - start) / 2
    return str(min(middle, case.calendar.end - dt.timedelta(days=1)))


def computed(case: Case, as_of: str, making: BackgroundMaking, added: AddedFigures | None = None) -> Answer:
    """Return a forecast; finished runs are kept in the store of its making, added figures in their file.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped.
    UsageError
        for a day after which nothing is left.
    CaseError
        for a table that cannot be used.
    """
    if added is not None:
        added.file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(added.file, added.text.encode())
    question = ForecastQuestion(as_of, observations=None if added is None else added.file)
    making.command = call_again(question.name, case.id, **question.flags())
    return question.answer(case, making).answer


def numbers(found: Answer, case: Case) -> list[dict[str, Any]]:
    """Return the counts ahead with their measures, and the chances; `head` is the day in words."""
    from breakrank.questions.forecast import counted

    measures = counted(case)
    counts = [row | {"measure": measures.get(row["label"], "")} for row in found["counts"].records()]
    names = {"label": "label", "date": "head", "chance": "chance"}
    return counts + [{names[k]: v for k, v in row.items()} for row in found["chances"].records()]


def with_evidence(found: Answer, case: Case) -> Answer:
    """Return a forecast that tells who says the observed figures that it shows."""
    evidence, targets = Evidence(case), {target.label: target for target in case.targets}
    labels = [row["label"] for table in found.tables if table.name in SHOWN for row in table.records()]
    bases = []
    for label in dict.fromkeys(labels):
        if (target := targets.get(label)) is not None:
            said = "; ".join(dict.fromkeys(ref.said for ref in evidence.refs(target.evidence)))
            bases.append(Basis(of=label, says=said or f"assumed: {target.assumed}"))
    return replace(found, evidence=tuple(bases))
