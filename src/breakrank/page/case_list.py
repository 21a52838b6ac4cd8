"""The cases in a list: what case.yaml says, read without the rest, so that the list is there at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.case.documents import read_yaml
from breakrank.case.explain import validated
from breakrank.case.models_case import CaseFile
from breakrank.case.source import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from breakrank.case.models_case import CaseFile


def entry(folder: Path) -> dict[str, Any]:
    """Return the case of a folder as it stands in the list.

    Raises
    ------
    CaseError
        for a case.yaml that cannot be used.
    """
    from pydantic import TypeAdapter

    path = folder / "case.yaml"
    said: CaseFile = validated(TypeAdapter(CaseFile), read_yaml(read_file(path), path))
    return entry_of(said)


def entry_of(said: CaseFile) -> dict[str, Any]:
    """Return what case.yaml says as it stands in the list."""
    return {
        "id": said.id,
        "title": said.title,
        "country": said.country,
        "summary": " ".join(said.summary.split()),
        "start": str(said.calendar.start),
        "end": str(said.calendar.end),
    }


class Entries:
    """What the list says of cases, each read once, as a case is: the list and the answers are of one state.

    A file that is damaged while the page is served so keeps nobody from the other cases.
    """

    def __init__(self) -> None:
        self._read: dict[Path, dict[str, Any]] = {}

    def of(self, folder: Path) -> dict[str, Any]:
        """Return the entry of the case in a folder; CaseError for a case.yaml that cannot be used."""
        if folder not in self._read:
            self._read[folder] = entry(folder)
        return self._read[folder]
