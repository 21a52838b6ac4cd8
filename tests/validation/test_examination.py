"""The short form of the examination: the signs that matter, in a small force and a few pairs of runs.

A known limit is strict, as xfail is: where the model is right though a limit is marked, the mark has to go
from examination.yaml.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank import load_case
from breakrank.case.examination import interventions, table_of
from breakrank.questions.examine.examine import Examination, cells, chosen, examined, study
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import carry_out
from breakrank.runs.memory_store import MemoryStore

pytestmark = pytest.mark.slow

CASE = "venezuela-2019"
SOLDIERS, RUNS, SEED, UNTIL = 4000, 8, 1, "2019-06-30"


@pytest.fixture(scope="module")
def made() -> Examination:
    case = load_case(CASE, "point").set({"force.strength": SOLDIERS}).until(UNTIL)
    table = interventions(case, table_of(CASE))
    items = chosen(table, (), short=True)
    work, store = study(case, table, items, RUNS, SEED), MemoryStore()
    account = carry_out(work, store, choose_backend("serial", None))
    assert not account.failed
    return examined(work, store, table, items)


def test_the_model_answers_as_theory_says(made: Examination) -> None:
    assert len(made.answers) >= 80
    surprising = [
        " | ".join((a.item.id, *cells(a)))
        for a in made.answers
        # neither wrong, nor right though a limit is marked
        if (a.verdict == "right") == (a.expected.limit is not None)
    ]
    assert not surprising, "\n".join(surprising)


def test_every_part_of_the_model_has_its_place_in_the_table(made: Examination) -> None:
    table = interventions(made.case, Path(table_of(CASE)))
    assert len(table) >= 60
    assert made.untouched["mechanisms"] == ()
    assert len({item.part for item in table}) >= 14
