"""What a case of a war states wrongly is refused with file and line, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank import load_case
from breakrank.errors import CaseError
from tests.mechanisms import files
from tests.mechanisms.whole_war import write_whole_war

CUT = "cut: [{from: 2025-03-02, to: 2025-03-01, assumed: x}]"
REFUSED = [
    ("routes.yaml", "kind: area,", "kind: area, host: true,", "host: false"),
    ("routes.yaml", "kind: area, state: XX-C, country: Montara", "kind: area, state: XX-C, country: Norlund",
     "lies inside the country"),
    ("routes.yaml", "kind: region, state: XX-A, country: Montara", "kind: region, state: XX-A, country: Else",
     "inside"),
    ("routes.yaml", "kind: register,", "kind: register, capacity: 3,", "belongs to an area or a group"),
    ("routes.yaml", "kind: group,", "kind: group, later: true,", "later belongs to a register"),
    ("routes.yaml", "checkpoints: 2}", f"checkpoints: 2, {CUT}}}", "before it starts"),
    ("routes.yaml", "ranks: [constable,", "ranks: [constabel,", "constabel"),
    ("sites.yaml", "country: Sudmark", "country: Ostland", "leads to 'Ostland'"),
    ("register.csv", "old-bridge", "old-bridle", "unknown route 'old-bridle'"),
    ("case.yaml", "[opposition, war,", "[war,", "Add opposition to the mechanisms"),
]  # fmt: skip
"""In which file, which text is replaced by what, and what is said."""


@pytest.mark.parametrize(("file", "old", "new", "said"), REFUSED)
def test_what_does_not_fit_is_refused_and_told(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = files.change(write_whole_war(tmp_path / "montara"), file, old, new)
    with pytest.raises(CaseError, match=rf"\w+.(yaml|csv):\d+(.|\n)*{said}"):
        load_case(folder)
