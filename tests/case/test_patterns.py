"""Patterns of lives as data of a case: read, checked, merged with those shipped, and in engine words."""

from pathlib import Path

import pytest

from breakrank.case import load_case
from breakrank.case.models_patterns import OF_A_SOLDIER, OF_AN_EVENT, PUT_TOGETHER, shipped
from breakrank.errors import CaseError
from breakrank.lives import stories
from breakrank.lives.stories import _MAKERS
from breakrank.spec import Catalogue
from tests.case.conftest import edit


def test_words_are_those_that_a_query_knows() -> None:
    assert list(OF_A_SOLDIER) == list(stories.OF_A_SOLDIER)
    assert list(PUT_TOGETHER) == list(_MAKERS)
    own = {
        "failed",
        "pledge not kept",
        "to cross",
        "warned",
        "overheard",
        "classmate",
        "friend in an embassy",
    }
    assert set(OF_AN_EVENT) == set(stories.OF_AN_EVENT) | own


def test_a_case_adds_replaces_and_leaves_out(folder: Path, catalogue: Catalogue) -> None:
    case = load_case(folder, catalogue)
    usual = [p.id for p in shipped()]
    assert list(case.patterns.ids) == [*(n for n in usual if n != "infiltrator"), "after-a-loss"]
    digest = case.digest
    (folder / "patterns.yaml").write_text(
        "- {id: loyal, title: All, about: Counts everyone., where: {branches: [army]}}\n", "utf-8"
    )
    changed = load_case(folder, catalogue)
    assert list(changed.patterns.ids) == usual
    assert changed.patterns.named("loyal").title == "All"
    (folder / "patterns.yaml").unlink()
    assert load_case(folder, catalogue).patterns == shipped()
    assert changed.digest == digest, "patterns are questions, and move no run"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("event: family shock", "event: family shok", "unknown event 'family shok', did you mean"),
        ("with: [kin abroad]", "with: [opposed]", "unknown fact of a soldier 'opposed'"),
        ("after: [1, 30]", "after: [30, 1]", "wrong way round"),
        ("after: [1, 30]", "within: [1, 30]", "unknown key 'within'"),
        (
            "    events:  ",
            "    times: [1, 2]\n    all:\n      - times: [1, 1]\n    events:",
            "times is said of no",
        ),
        ("- id: infiltrator ", "- id: spy ", "unknown shipped pattern 'spy'"),
    ],
)
def test_errors_name_file_line_and_remedy(
    folder: Path, catalogue: Catalogue, old: str, new: str, said: str
) -> None:
    edit(folder, "patterns.yaml", old, new)
    with pytest.raises(CaseError, match=r"patterns.yaml:\d+") as error:
        load_case(folder, catalogue)
    assert said in str(error.value)
