"""A table of dated counts into a case: observations of the ledger, and the targets that rest on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.counts import Count, read_counts
from breakrank.case.files import Files, check_draft
from breakrank.case.tables import Remark
from breakrank.case.write import appended
from breakrank.errors import CaseError, gathered
from breakrank.wording import with_part

if TYPE_CHECKING:
    from breakrank.case import Case

OBSERVATIONS, TARGETS = "evidence/observations.yaml", "targets.yaml"


def count_table(
    case: Case,
    folder: Path,
    file: Path,
    load: Any,  # noqa: ANN401
) -> tuple[list[Count], list[Remark]]:
    """Write the counts of a table into the ledger and the targets of a case, and return them and doubts.

    The table is as :func:`breakrank.case.counts.read_counts` reads it; a source is the id of one in
    ``evidence/sources.yaml``. Counts of one measure by one day are one target: the first gives its figure,
    those that agree are evidence too, and the others conflict with it.

    Parameters
    ----------
    case : as it is. folder : its folder.
    load : loads a case from a folder; what is to be written is checked by it first.

    Raises
    ------
    CaseError
        with file and line of each, for what cannot be used; then nothing is written.
    """
    counts, remarks = read_counts(case, file, case.ledger.sources)
    with gathered() as wrong:
        for k, one in enumerate(counts):
            if one.told in case.ledger.observations or any(one.told == c.told for c in counts[:k]):
                problem = f"{one.source} already says what {one.question} was in {one.when}"
                wrong.append(CaseError(problem, one.place, "Leave the row out, or change the ledger."))
            elif one.target_id in {t.id for t in case.targets}:
                problem = f"the case has a target {one.target_id!r} already"
                wrong.append(CaseError(problem, one.place, "Add the figure to its evidence by hand."))
    files = Files(folder)
    with files.locked():
        new = {OBSERVATIONS: files.read(OBSERVATIONS), TARGETS: files.read(TARGETS)}
        for one in counts:
            source = case.ledger.sources[one.source]
            entry = observation_of(one, counts, source.publisher, source.reliability)
            new[OBSERVATIONS] = appended(new[OBSERVATIONS], entry)
        for same in together(counts):
            new[TARGETS] = appended(new[TARGETS], target_of(same))
        try:
            check_draft(folder, new, load)
        except CaseError as error:  # of a target as it would be: it is the row that is wrong
            mine = [one for one in counts if error.place.key.startswith(f"{one.target_id}.")]
            raise CaseError(error.problem, mine[0].place, error.remedy) if mine else error from None
        for name, content in new.items():
            files.write(name, content)
    return counts, remarks


def observation_of(one: Count, counts: Sequence[Count], publisher: str, reliability: str) -> dict[str, Any]:
    """Return a count as an observation of the ledger; those of `counts` that it contradicts are named."""
    others = [c.told for c in counts if c.target_id == one.target_id and not c.meets(one)]
    entry = {
        "id": one.told,
        "source": one.source,
        "says": publisher,
        "what": f"{with_part(one.measure.label, one.part)}, as counted: {one.words}",
        **one.stated,
        "unit": one.measure.unit,
        "date": one.when,
        "paragraph": "table",
        "confidence": reliability,
    }
    return entry | ({"conflicts": others} if others else {})


def together(counts: Sequence[Count]) -> list[list[Count]]:
    """Return counts of the same by the same day as one group each."""
    found: dict[str, list[Count]] = {}
    for one in counts:
        found.setdefault(one.target_id, []).append(one)
    return list(found.values())


def target_of(same: Sequence[Count]) -> dict[str, Any]:
    """Return the target of counts of one thing: the first gives its figure, the others agree or conflict."""
    first = same[0]
    against = [c.told for c in same if not c.meets(first)]
    entry = {**first.target, "evidence": [c.told for c in same if c.meets(first)]}
    return entry | ({"conflicting": against} if against else {})
