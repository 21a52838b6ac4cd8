"""A published data set into a case: source and observations into the ledger, and what rests on them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.count_table import OBSERVATIONS, TARGETS
from breakrank.case.datasets.additions import Additions, Entry, Request
from breakrank.case.datasets.kinds import additions
from breakrank.case.datasets.layouts import Layout
from breakrank.case.datasets.rows import Choice, chooses_anew, read_rows
from breakrank.case.files import Files, check_draft
from breakrank.case.write import appended, to_yaml, with_entry
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case.case import Case

SOURCES, EVENTS, RATES = "evidence/sources.yaml", "events.yaml", "rates.yaml"
FIELDS, FORCE = "fields.yaml", "force.yaml"


def import_dataset(
    case: Case,
    folder: Path,
    file: Path,
    layout: Layout,
    choice: Choice,
    request: Request,
    load: Any,  # noqa: ANN401
) -> Additions:
    """Write the entries of a data set into a case, all or nothing, and return what was added.

    Events are markers: nothing that is written acts on a run but prices, rates and the range of the strength.

    Parameters
    ----------
    case : as it is. folder : its folder. load : loads a case from a folder.

    Raises
    ------
    UsageError
        for rows that there are not, and what an option has to say.
    CaseError
        with file, row and column, for cells that cannot be read, and for what the case could not use.
    """
    found = read_rows(file, layout, choice)
    made = additions(case, layout, found.rows, request)
    made.remarks.append(layout.told)
    files = Files(folder)
    with files.locked():
        new = _texts(files, made)
        if request.source not in case.ledger.sources:
            source = _source(file, layout, choice, request, len(found.rows), found.total)
            new[SOURCES] = appended(files.read(SOURCES), source)
        check_draft(folder, new, load)
        for name, text in new.items():
            files.write(name, text)
    return made


def _texts(files: Files, made: Additions) -> dict[str, str]:
    """Return the files as they would be, by name."""
    new: dict[str, str] = {}
    lists: Mapping[str, Sequence[Entry]] = {
        OBSERVATIONS: made.observations,
        EVENTS: made.events,
        TARGETS: made.targets,
        RATES: made.rates,
    }
    for name, entries in lists.items():
        text = files.read(name)
        for entry in entries:
            text = appended(text, entry)
        if entries:
            new[name] = text
    entries_by_file = {FIELDS: made.fields, FORCE: {"strength": made.strength} if made.strength else {}}
    for name, named in entries_by_file.items():
        text = files.read(name)
        for key, entry in named.items():
            text = with_entry(text, key, to_yaml({key: entry}))
        if named:
            new[name] = text
    for name, text in made.tables.items():
        files.read(name)
        new[name] = text
    return new


def _source(
    file: Path, layout: Layout, choice: Choice, request: Request, taken: int, total: int
) -> dict[str, Any]:
    """Return the source of the ledger: which data set, on what day, and which rows were taken."""
    wanted = [f"country {name}" for name in choice.countries]
    wanted += [f"{column} with {shlex.quote(word)}" for column, word in choice.where]
    if not chooses_anew(layout, choice.where):
        wanted += [f"{role} with {' or '.join(words)}" for role, words in layout.only.items()]
    rows = f"{taken:,} of {total:,} rows{f' ({listed(wanted)})' if wanted else ''}"
    return {
        "id": request.source,
        "publisher": layout.publisher,
        "title": layout.title,
        "date": str(request.accessed),
        "kind": "dataset",
        "reliability": "medium",
        "notes": f"{file.name}, taken on {request.accessed}: {rows}. {layout.terms}",
    }
