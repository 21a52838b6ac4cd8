"""New figures beside the record of a case: a table of dates, what is counted, figures and sources."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.case.counts import Count, read_counts, short_id
from breakrank.case.csv_reader import Remark
from breakrank.case.models_targets import Target
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

    The table is as :func:`breakrank.case.counts.read_counts` reads it. A source is whoever says so.

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be used and what was expected.
    """
    counts, remarks = read_counts(case, file)
    found: dict[str, Target] = {}
    with gathered() as wrong:
        for one in counts:
            target = _target(one)
            if target.id in found:
                wrong.append(
                    CaseError(
                        f"{one.question} on {target.date} has a figure already",
                        one.place,
                        "Keep one of the two, or write a range that holds both.",
                    )
                )
            found[target.id] = target
    content = replace(case.content, targets=(*case.content.targets, *found.values()))
    made = type(case)(content, case.catalogue, case.draws)
    with gathered() as wrong:
        for one in counts:
            try:  # the parts that it names are counted where the case with it asks for them
                check_question(one.question, None, made, last=one.day == case.calendar.end)
            except UsageError as error:
                problem, _, remedy = str(error).partition("\n")
                remedy = remedy.strip() or "`breakrank case keys targets` lists measures and their parts."
                wrong.append(CaseError(problem, one.place, remedy))
    return made, remarks


def _target(one: Count) -> Target:
    """Return a row as a figure of the record."""
    since = "" if one.since is None else f"-from-{one.since}"
    counted = re.sub(r"[^\w.]+", "-", one.question, flags=re.ASCII)
    told = {
        "id": short_id(f"observed-{one.day}-{counted}{since}"),
        "label": f"{called(one.question)} on {one.day}{since.replace('-from-', ', from ')}, observed"[:300],
        "spread": ERROR,
        "assumed": f"Observed: {one.source}",
    }
    return Target.model_validate({**one.target, **told})
