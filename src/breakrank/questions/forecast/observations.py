"""New figures beside the record of a case: a table of dates, what is counted, figures and sources."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.case.counts import Count, read_counts, short_id
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.case.tables import Remark
from breakrank.errors import CaseError, UsageError, gathered
from breakrank.questions.calibrate.reported import SPREAD
from breakrank.results.measures import check_question
from breakrank.results.outcome_names import called

if TYPE_CHECKING:
    from breakrank.case import Case

ERROR = SPREAD["medium"]
"""How far a new figure may be off, as a share of it: as one of medium confidence."""


def with_observations(case: Case, file: Path) -> tuple[Case, list[Remark]]:
    """Return a case whose record also holds the figures of a table, and what is doubtful about these.

    The table is as :func:`breakrank.case.counts.read_counts` reads it. A source is whoever says so. Each
    figure is known from the day on which the table says that it was published; otherwise from its own date,
    since whoever adds it has it.

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be used and what was expected.
    """
    counts, remarks = read_counts(case, file)
    found: dict[str, tuple[Target, Observation, Source]] = {}
    with gathered() as wrong:
        for one in counts:
            made = _evidenced(one)
            if made[0].id in found:
                wrong.append(
                    CaseError(
                        f"{one.question} on {one.day} has a figure already",
                        one.place,
                        "Keep one of the two, or write a range that holds both.",
                    )
                )
            found[made[0].id] = made
    old = case.content
    targets, observations, sources = zip(*found.values(), strict=True)
    content = replace(
        old,
        targets=(*old.targets, *targets),
        observations=(*old.observations, *observations),
        sources=(*old.sources, *sources),
    )
    whole = type(case)(content, case.catalogue, case.draws)
    with gathered() as wrong:
        for one in counts:
            try:  # the parts that it names are counted where the case with it asks for them
                check_question(one.question, None, whole, last=one.day == case.calendar.end)
            except UsageError as error:
                problem, _, remedy = str(error).partition("\n")
                remedy = remedy.strip() or "`breakrank case keys targets` lists measures and their parts."
                wrong.append(CaseError(problem, one.place, remedy))
    return whole, remarks


def _evidenced(one: Count) -> tuple[Target, Observation, Source]:
    """Return a row as a figure of the record, with the observation and the source that it rests on."""
    since = "" if one.since is None else f"-from-{one.since}"
    counted = re.sub(r"[^\w.]+", "-", one.question, flags=re.ASCII)
    name, row = short_id(f"observed-{one.day}-{counted}{since}"), f"line {one.place.line}"
    label = f"{called(one.question)} on {one.day}{since.replace('-from-', ', from ')}, observed"[:300]
    source = Source.model_validate(
        {
            "id": name,
            "publisher": one.source[:300],
            "title": f"{one.place.file.name if one.place.file else 'table'}, {row}",
            "date": one.published or str(one.day),
            "kind": "report",
            "reliability": "low",
        }
    )
    observation = Observation.model_validate(
        {
            "id": name,
            "source": name,
            "says": one.source[:300],
            "what": label,
            **one.stated,
            "unit": one.measure.unit,
            "date": one.when,
            "paragraph": row,
            "confidence": "low",
        }
    )
    target = {**one.target, "id": name, "label": label, "spread": ERROR, "evidence": [name]}
    return Target.model_validate(target), observation, source
