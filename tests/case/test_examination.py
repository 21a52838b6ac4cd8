"""Tables of interventions: what is read, what is refused and where, and what an edit writes over."""

from pathlib import Path

import pytest

from breakrank.case import Case, load_case
from breakrank.case.changes import counterfactual
from breakrank.case.examination import FILE, interventions, table_of
from breakrank.case.models_events import Changes
from breakrank.errors import CaseError
from breakrank.spec import Catalogue

ENTRY = """\
- id: calm
  part: Fear
  title: Nobody is afraid
  set: {fear.weight: 0}
  because: Fear holds.
  literature: Opp 1990
  expected: [{of: left_abroad, sign: more, times: [1.1, 3]}]
"""


def test_a_table_is_read(case: Case, folder: Path) -> None:
    (one,) = interventions(case, _written(folder, ENTRY))
    assert (one.id, one.expected[0].sign, one.expected[0].times) == ("calm", "more", (1.1, 3.0))
    assert not one.expected[0].short
    assert table_of(str(folder)) == folder / FILE


def _written(folder: Path, text: str) -> Path:
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder / FILE


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("fear.weight", "fear.wieght", 4, "did you mean 'fear.weight'"),
        ("fear.weight: 0", "fear.weight: 30", 4, "out of range"),
        ("sign: more, times: [1.1, 3]", "sign: same", 7, "without a band"),
        ("times: [1.1, 3]", "date: 2031-01-01", 7, "outside the run"),
        ("times: [1.1, 3]", "by: {rank: oficer}", 7, "did you mean 'officer'"),
        ("sign: more", "sign: mroe", 7, "did you mean 'more'"),
        ("  literature: Opp 1990\n", "", 1, "nothing says who"),
        ("literature: Opp 1990", "literature: Opp 1990\n  against: storm", 7, "unknown intervention before"),
        ("set: {fear.weight: 0}", "edit: {routes: {crossings: {nowhere: {}}}}", 4, "unknown item 'nowhere'"),
        (
            "set: {fear.weight: 0}",
            "edit: {routes: {crossings: {'*': {label: {times: 2}}}}}",
            4,
            "only a number",
        ),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(
    case: Case, folder: Path, old: str, new: str, line: int, says: str
) -> None:
    path = _written(folder, ENTRY.replace(old, new))
    with pytest.raises(CaseError) as caught:
        interventions(case, path)
    assert says in str(caught.value)
    assert (caught.value.place.file, caught.value.place.line) == (path, line)


def test_an_edit_writes_over_a_part_and_nothing_else(case: Case, folder: Path, catalogue: Catalogue) -> None:
    way = case.crossings[0]
    asked = Changes.model_validate(
        {
            "id": "harder",
            "title": "Harder ways",
            "edit": {
                "routes": {
                    "crossings": {"*": {"violence": {"times": 3, "most": 0.02}}, way.id: {"capture": 0.5}}
                }
            },
        }
    )
    other = counterfactual(case, asked)
    assert other.crossings[0].capture == 0.5
    assert other.crossings[0].violence == way.violence  # the id's own edit stands in place of that of all
    for mine, theirs in zip(case.crossings[1:], other.crossings[1:], strict=True):
        assert theirs.violence == min(3 * mine.violence, 0.02)
        assert theirs.capture == mine.capture
    assert other.digest != case.digest
    assert load_case(other.write(folder / "again" / "montara"), catalogue).digest == other.digest
