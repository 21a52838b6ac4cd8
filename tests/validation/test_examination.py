"""The short form of the examination: the signs that matter, in a small force and a few pairs of runs.

A known limit is strict, as xfail is: where the model is right though a limit is marked, the mark has to go
from examination.yaml.
"""

from pathlib import Path

import pytest

from breakrank import load_case
from breakrank.answer.answer import Answer
from breakrank.case.examination import interventions, table_of
from breakrank.questions.declared import Examine
from breakrank.runs.carry_out import Making

pytestmark = pytest.mark.slow

CASE = "venezuela-2019"
SOLDIERS, RUNS, SEED, UNTIL = 4000, 8, 1, "2019-06-30"


@pytest.fixture(scope="module")
def made() -> Answer:
    case = load_case(CASE, "point").set({"force.strength": SOLDIERS}).until(UNTIL)
    question = Examine(short=True, runs=RUNS, seed=SEED).located(CASE)
    with Making(backend="serial") as making:
        answer = question.answer(case, making)
    assert not answer.provenance.failed
    return answer


def test_the_model_answers_as_theory_says(made: Answer) -> None:
    rows = made.table("answers")
    assert len(rows) >= 80
    # neither wrong, nor right though a limit is marked
    surprising = rows[(rows["verdict"] == "right") == (rows["known_limit"] != "")]
    assert not len(surprising), surprising.to_string()


def test_every_part_of_the_model_has_its_place_in_the_table(made: Answer) -> None:
    table = interventions(load_case(CASE, "point"), Path(table_of(CASE)))
    assert len(table) >= 60
    assert not [note for note in made.notes if note.startswith("Not examined") and "mechanisms" in note]
    assert len({item.part for item in table}) >= 14
