"""What is strange about a case that can be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from breakrank.case import check_case
from breakrank.errors import CaseError, UsageError
from breakrank.spec import Catalogue
from tests.case.conftest import edit, line_of


def test_the_template_has_nothing_strange(pristine: Path, catalogue: Catalogue) -> None:
    assert check_case(pristine, catalogue) == []


def edits(*changes: tuple[str, str, str]) -> Callable[[Path], object]:
    """Return what makes several changes to files: (file, old, new) each."""
    return lambda folder: [edit(folder, *change) for change in changes]


STRANGE: list[tuple[str, Callable[[Path], object], str, str | None, str]] = [
    (
        "another id",
        lambda f: edit(f, "case.yaml", "id: montara", "id: monterra"),
        "case.yaml",
        "id: monterra",
        "not the name of the folder",
    ),
    (
        "an observation that nothing rests on",
        lambda f: edit(f, "routes.yaml", "evidence: [bridge-closed]", "assumed: the paper said so"),
        "evidence/observations.yaml",
        "id: bridge-closed",
        "nothing rests on 1 of the 4 observations: bridge-closed",
    ),
    (
        "a source that nothing comes from",
        lambda f: edit(f, "evidence/observations.yaml", "source: yearbook-2024", "source: ministry-2025"),
        "evidence/sources.yaml",
        "id: yearbook-2024",
        "no observation comes from",
    ),
    (
        "a state without troops",
        edits(
            ("stations.csv", "XX-B,army,0.2", "XX-B,army,0"),
            ("stations.csv", "XX-A,army,0.5", "XX-A,army,0.7"),
            ("stations.csv", "XX-B,guard,0.5", "XX-B,guard,0"),
            ("stations.csv", "XX-A,guard,0.3", "XX-A,guard,0.8"),
        ),
        "force.yaml",
        "{id: XX-B, label",
        "no troops are stationed in 'XX-B'",
    ),
    (
        "a crossing out of reach",
        edits(
            ("routes.yaml", "  - {from: XX-A, to: XX-B, days: 0.5, checkpoints: 2}\n", ""),
            ("stations.csv", "XX-B,army,0.2\n", ""),
            ("stations.csv", "XX-A,army,0.5", "XX-A,army,0.7"),
            ("stations.csv", "XX-B,guard,0.5\n", ""),
            ("stations.csv", "XX-A,guard,0.3", "XX-A,guard,0.8"),
        ),
        "routes.yaml",
        "    state: XX-B",
        "nobody can reach 'hill-trail'",
    ),
    (
        "no host",
        lambda f: [edit(f, "routes.yaml", "host: true", "host: false") for _ in range(2)],
        "routes.yaml",
        "crossings:",
        "no crossing leads to a host",
    ),
    (
        "an event after the calendar",
        lambda f: edit(f, "events.yaml", "date: 2025-04-01", "date: 2026-04-01"),
        "events.yaml",
        "2026-04-01",
        "'shortage' lies outside",
    ),
    (
        "an event that was over before",
        edits(
            ("events.yaml", "date: 2025-03-01", "date: 2024-03-01"),
            ("events.yaml", "until: 2025-03-31", "until: 2024-03-31"),
        ),
        "events.yaml",
        "date: 2024-03-01",
        "'alert' lies outside",
    ),
    (
        "a target after the calendar",
        lambda f: edit(f, "targets.yaml", "date: 2025-06-30", "date: 2025-07-01"),
        "targets.yaml",
        "2025-07-01",
        "'officers-stay' lies outside",
    ),
    (
        "a closure after the calendar",
        edits(
            ("routes.yaml", "from: 2025-03-01", "from: 2026-03-01"),
            ("routes.yaml", "to: 2025-03-31", "to: 2026-03-31"),
        ),
        "routes.yaml",
        "from: 2026-03-01",
        "lies outside",
    ),
    (
        "a site that opens too late",
        lambda f: edit(f, "sites.yaml", "opens: 2025-02-15", "opens: 2026-02-15"),
        "sites.yaml",
        "opens: 2026-02-15",
        "open only outside",
    ),
    (
        "money that comes too late",
        lambda f: edit(f, "payers.yaml", "date: 2025-04-01", "date: 2026-04-01"),
        "payers.yaml",
        "2026-04-01",
        "money of 'host-government' comes after",
    ),
    (
        "a payer of nothing",
        lambda f: edit(f, "sites.yaml", "payers: {parish: 1}", "payers: {host-government: 1}"),
        "payers.yaml",
        "id: parish",
        "'parish' pays for no site",
    ),
    (
        "an embassy that belongs to no crossing",
        lambda f: edit(f, "sites.yaml", "kind: church", "kind: embassy"),
        "sites.yaml",
        "id: parish-house",
        "nobody ever lives at the embassy 'parish-house'",
    ),
    (
        "a table that ends early",
        edits(
            ("fields.yaml", "interpolate: step\n", "interpolate: linear\n"),
            ("pay.csv", "2025-01-01,enlisted", "2025-05-31,*,70\n2025-01-01,enlisted"),
        ),
        "pay.csv",
        "2025-05-31",
        "ends on 2025-05-31",
    ),
    (
        "a table that starts late",
        lambda f: (f / "pay.csv").write_text("date,rank,value\n2025-06-30,*,3\n2025-06-01,*,3\n"),
        "pay.csv",
        "2025-06-01",
        "starts on 2025-06-01",
    ),
    (
        "a value far from its prior",
        lambda f: edit(
            f, "parameters.yaml", "value: 60", "value: 60\n  prior: {distribution: normal, mean: 20, sd: 10}"
        ),
        "parameters.yaml",
        "value: 60",
        "outside the central 99% of its prior",
    ),
    (
        "a branch of nobody",
        edits(
            ("force.yaml", "strength: 1500", "strength: 0"),
            ("force.yaml", "strength: 3500", "strength: 5000"),
        ),
        "force.yaml",
        "strength: 0",
        "'guard' has no soldiers",
    ),
    (
        "nobody leads",
        edits(("force.yaml", "leads: 100", "leads: 0"), ("force.yaml", "leads: 10\n", "leads: 0\n")),
        "force.yaml",
        "ranks:",
        "no rank leads anyone",
    ),
    (
        "a file that is never read",
        lambda f: (f / "pays.csv").write_text("x"),
        "pays.csv",
        None,
        "never read, did you mean 'pay.csv'?",
    ),
]


@pytest.mark.parametrize(("name", "do", "file", "on", "says"), STRANGE, ids=[s[0] for s in STRANGE])
def test_strange(
    folder: Path,
    catalogue: Catalogue,
    name: str,
    do: Callable[[Path], object],
    file: str,
    on: str | None,
    says: str,
) -> None:
    do(folder)
    found = [w for w in check_case(folder, catalogue) if says in w.text]
    assert len(found) >= 1, [str(w) for w in check_case(folder, catalogue)]
    warning = found[-1]
    assert warning.file == folder / file
    assert warning.line == (None if on is None else line_of(folder / file, on))
    assert len(warning.remedy) > 10
    assert str(warning).startswith(f"{folder / file}")
    assert warning.remedy in str(warning)


def test_what_cannot_be_used_is_an_error(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "case.yaml", "country: Montara", "contry: Montara")
    with pytest.raises(CaseError):
        check_case(folder, catalogue)
    with pytest.raises(UsageError):
        check_case(folder / "nowhere", catalogue)


def test_warnings_come_in_the_order_of_files_and_lines(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "targets.yaml", "date: 2025-06-30", "date: 2025-07-01")
    edit(folder, "case.yaml", "id: montara", "id: monterra")
    edit(folder, "events.yaml", "date: 2025-04-01", "date: 2026-04-01")
    (folder / "x.yaml").write_text("x")
    files = [w.file.name for w in check_case(folder, catalogue) if w.file]
    assert files == ["case.yaml", "events.yaml", "targets.yaml", "x.yaml"]
