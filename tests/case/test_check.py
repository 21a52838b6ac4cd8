"""What is strange about a case that can be used."""

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from breakrank.case import check_case, load_case
from breakrank.errors import MOST_TOLD, CaseError, FaultyCaseError, UsageError
from breakrank.spec import Catalogue
from tests.case.conftest import edit, line_of


def test_the_template_has_nothing_strange(pristine: Path, catalogue: Catalogue) -> None:
    assert check_case(pristine, catalogue) == []


def edits(*changes: tuple[str, str, str]) -> Callable[[Path], object]:
    """Return what makes several changes to files: (file, old, new) each."""
    return lambda folder: [edit(folder, *change) for change in changes]


OTHERWISE = """\
- id: otherwise
  label: Registered abroad by the end of April, by another count
  measure: registered
  date: 2025-04-30
  unit: soldiers
  range: [570, 600]
  evidence: [registered-april]
"""


def put_place(folder: Path, position: list[float]) -> None:
    path = folder / "places.geojson"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"\[-?[0-9.]+, *-?[0-9.]+\]", str(position), text, count=1), encoding="utf-8")


STRANGE: list[tuple[str, str, str | None, str, Callable[[Path], object]]] = [
    ("a source of tomorrow", "evidence/sources.yaml", "date: 2099-05-02",
     "'herald-2025' is dated 2099-05-02, after today",
     lambda f: edit(f, "evidence/sources.yaml", "date: 2025-05-02", "date: 2099-05-02")),
    ("a source older than what it counts", "evidence/observations.yaml", "date: 2025-04-30",
     "its source 'herald-2025' was published by 2025-04-02",
     edits(("evidence/sources.yaml", "date: 2025-05-02", "date: 2025-04-02"),
           ("evidence/observations.yaml", "date: 2025-03-01/2025-03-31", "date: 2025-03-01"),
           ("targets.yaml", "evidence: [registered-april]", "evidence: [registered-april]\n  lag: 30"))),
    ("a figure that counts on after its sources", "targets.yaml", "date: 2025-06-30          #",
     "counts until 2025-06-30, and its sources were published by 2025-05-02",
     edits(("targets.yaml", "date: 2025-04-30          #", "date: 2025-06-30          #"))),
    ("an observation that nothing rests on", "evidence/observations.yaml", "id: bridge-closed",
     "nothing rests on 1 of the 4 observations: bridge-closed",
     lambda f: edit(f, "routes.yaml", "evidence: [bridge-closed]", "assumed: the paper said so")),
    ("two targets that contradict each other", "targets.yaml", "id: otherwise",
     "'registered-spring') and 570 to 600 (the target 'otherwise') count the same and contradict",
     lambda f: edit(f, "targets.yaml", "- id: officers-stay", OTHERWISE + "- id: officers-stay")),
    ("two targets for one figure", "targets.yaml", "id: otherwise", "count the same, so it is scored twice",
     lambda f: edit(f, "targets.yaml", "- id: officers-stay",
                    OTHERWISE.replace("570, 600", "50, 70") + "- id: officers-stay")),
    ("a rank without pay", "fields.yaml", "pay:", "no pay is given for 'enlisted'",
     lambda f: edit(f, "pay.csv", "enlisted,60", "enlisted,0")),
    ("a state without troops", "force.yaml", "{id: XX-B, label", "no troops are stationed in 'XX-B'",
     edits(("stations.csv", "XX-B,army,0.2", "XX-B,army,0"),
           ("stations.csv", "XX-A,army,0.5", "XX-A,army,0.7"),
           ("stations.csv", "XX-B,guard,0.5", "XX-B,guard,0"),
           ("stations.csv", "XX-A,guard,0.3", "XX-A,guard,0.8"))),
    ("a crossing out of reach", "routes.yaml", "    state: XX-B             # the state",
     "'hill-trail' by road",
     edits(("routes.yaml", "  - {from: XX-A, to: XX-B, days: 0.5, checkpoints: 2}\n", ""),
           ("stations.csv", "XX-B,army,0.2\n", ""),
           ("stations.csv", "XX-A,army,0.5", "XX-A,army,0.7"),
           ("stations.csv", "XX-B,guard,0.5\n", ""),
           ("stations.csv", "XX-A,guard,0.3", "XX-A,guard,0.8"))),
    ("no host", "routes.yaml", "crossings:", "no crossing leads to a host",
     lambda f: [edit(f, "routes.yaml", "host: true", "host: false") for _ in range(2)]),
    ("an event after the calendar", "events.yaml", "2026-04-01", "'shortage' lies outside",
     lambda f: edit(f, "events.yaml", "date: 2025-04-01", "date: 2026-04-01")),
    ("sanctions after the calendar", "command.yaml", "2026-02-01", "'defence-minister' lies outside",
     lambda f: edit(f, "command.yaml", "2025-02-01", "2026-02-01")),
    ("a payer of nothing", "payers.yaml", "id: parish", "'parish' pays for no site",
     lambda f: edit(f, "sites.yaml", "payers: {parish: 1}", "payers: {host-government: 1}")),
    ("an embassy that belongs to no crossing", "sites.yaml", "id: parish-house",
     "nobody ever lives at the embassy 'parish-house'",
     lambda f: edit(f, "sites.yaml", "kind: church", "kind: embassy")),
    ("a table that ends early", "pay.csv", "2025-05-31", "ends on 2025-05-31",
     edits(("fields.yaml", "interpolate: step\n", "interpolate: linear\n"),
           ("pay.csv", "2025-01-01,enlisted", "2025-05-31,*,70\n2025-01-01,enlisted"))),
    ("a value far from its prior", "parameters.yaml", "value: 60", "outside the central 99% of its prior",
     lambda f: edit(f, "parameters.yaml", "value: 60",
                    "value: 60\n  prior: {distribution: normal, mean: 20, sd: 10}")),
    ("nobody leads", "force.yaml", "ranks:", "no rank leads anyone",
     edits(("force.yaml", "leads: 100", "leads: 0"), ("force.yaml", "leads: 10\n", "leads: 0\n"))),
    ("rows before the calendar", "pay.csv", "2023-01-01", "a row of the field 'pay' outside the calendar",
     lambda f: edit(f, "pay.csv", "2025-01-01,enlisted",
                    "2023-01-01,*,50\n2024-01-01,*,55\n2025-01-01,enlisted")),
    ("a state without any road", "force.yaml", "{id: XX-C, label", "no road leads to XX-C",
     lambda f: edit(f, "routes.yaml", "  - {from: XX-A, to: XX-C, days: 0.3, checkpoints: 1}\n", "")),
    ("hosts in two countries", "routes.yaml", "country: Sudlund", "lead to 2 countries: Norlund, Sudlund",
     lambda f: edit(f, "routes.yaml", "country: Norlund\n    host: true\n    days: 1\n",
                    "country: Sudlund\n    host: true\n    days: 1\n")),
    ("a place at a pole", "places.geojson", None, "lie at 12.5, 90, the end of the map",
     lambda f: put_place(f, [12.5, 90])),
    ("a place on the date line", "places.geojson", None, "lie at -180, 12.5, the end of the map",
     lambda f: put_place(f, [-180, 12.5])),
    ("a file that is never read", "pays.csv", None, "never read, did you mean 'pay.csv'?",
     lambda f: (f / "pays.csv").write_text("x")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "file", "on", "says", "do"), STRANGE, ids=[s[0] for s in STRANGE])
def test_strange(
    folder: Path,
    catalogue: Catalogue,
    name: str,
    file: str,
    on: str | None,
    says: str,
    do: Callable[[Path], object],
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
    edit(folder, "force.yaml", "leads: 100", "leads: 0")
    edit(folder, "force.yaml", "leads: 10\n", "leads: 0\n")
    edit(folder, "events.yaml", "date: 2025-04-01", "date: 2026-04-01")
    (folder / "x.yaml").write_text("x")
    files = [w.file.name for w in check_case(folder, catalogue) if w.file]
    assert files == ["force.yaml", "events.yaml", "targets.yaml", "x.yaml"]


def put_posterior(folder: Path, table: str) -> None:
    (folder / "posterior").mkdir()
    (folder / "posterior" / "draws.csv").write_text(table)
    (folder / "posterior" / "about.yaml").write_text("method: none\n")


def test_all_that_is_wrong_with_files_is_told_at_once(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "case.yaml", "country: Montara", "contry: Montara")
    edit(folder, "case.yaml", "end: 2025-06-30", "end: soon")
    edit(folder, "events.yaml", "date: 2025-04-01", "date: 2025-04-31")
    edit(folder, "stations.csv", "XX-B,army,0.2", "XX-B,army,a fifth")
    edit(folder, "stations.csv", "XX-B,guard,0.5", "XX-B,guard")
    (folder / "targets.yaml").write_text("- {\n")
    put_posterior(folder, 'fear.weight\n"1\n')
    (folder / "draws.json").write_bytes(b"no archive")
    with pytest.raises(FaultyCaseError) as caught:
        check_case(folder, catalogue)
    errors = caught.value.errors
    told = [f"{e.place.file.relative_to(folder)}:{e.place.line}" for e in errors if e.place.file]
    assert told == [
        f"case.yaml:{line_of(folder / 'case.yaml', 'contry')}",
        f"case.yaml:{line_of(folder / 'case.yaml', 'soon')}",
        f"events.yaml:{line_of(folder / 'events.yaml', '04-31')}",
        "targets.yaml:2",
        f"stations.csv:{line_of(folder / 'stations.csv', 'XX-B,guard')}",
        "posterior/draws.csv:2",
        "draws.json:None",
    ]
    said = str(caught.value)
    assert said.startswith("7 errors\n")
    assert all(str(e) in said for e in errors)
    assert "did you mean 'country'?" in said
    assert "'country' is missing" not in said
    assert str(pickle.loads(pickle.dumps(caught.value))) == said
    with pytest.raises(CaseError) as first:
        load_case(folder, catalogue)
    assert type(first.value) is CaseError
    assert str(first.value) == str(errors[0])


def test_a_long_list_of_errors_is_cut(folder: Path, catalogue: Catalogue) -> None:
    (folder / "stations.csv").write_text("state,branch,share\n" + "XX-A,army,x\n" * (MOST_TOLD + 30))
    with pytest.raises(FaultyCaseError) as caught:
        check_case(folder, catalogue)
    assert len(caught.value.errors) == MOST_TOLD + 30
    assert str(caught.value).endswith("... and 30 more")


def test_rows_that_a_day_of_the_calendar_depends_on_are_nothing_strange(
    folder: Path, catalogue: Catalogue
) -> None:
    """The last row before the calendar holds on its first day, and a line may lead beyond its end."""
    edit(folder, "fields.yaml", "interpolate: step\n", "interpolate: linear\n")
    (folder / "pay.csv").write_text(
        "date,rank,value\n2024-12-01,*,3\n2025-02-01,officer,9\n2025-08-01,*,4\n2024-11-01,officer,8\n"
    )
    assert check_case(folder, catalogue) == []


def test_an_ensemble_that_comes_with_a_case_is_read(folder: Path, catalogue: Catalogue) -> None:
    before = [str(w) for w in check_case(folder, catalogue)]
    (folder / "ensemble").mkdir()
    (folder / "ensemble" / "members.csv").write_text("member,draw,path,counted\n", "utf-8")
    assert [str(w) for w in check_case(folder, catalogue)] == before
