"""What questions say in words holds a number, ends, and tells of no number that is none."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from breakrank.questions.compare import verdict
from breakrank.questions.run.headline import finding, more
from breakrank.results.paired import difference
from tests.questions.explain.made_up import explanation
from tests.results.guests import GuestCase, answered, bare, guest_answer, plan_of
from tests.show.world import made


def compared() -> list[str]:
    before = np.array([100.0, 900.0, 400.0, 250.0])
    some = [difference("left", "Left", "people", before, before + apart) for apart in (5, before / 9)]
    return [verdict(some, 4), verdict(some[::-1], 4), verdict(some, 1)]


SAID: dict[str, Callable[[], list[str]]] = {
    "run": lambda: [
        text for runs in (1, 4, 20) for text in (finding(made(runs=runs)), *more(made(runs=runs)))
    ],
    "compare": compared,
    "plan": lambda: [guest_answer().finding, answered(plan_of(GuestCase(), runs=1)).finding],
    "plan of no sites": lambda: [answered(plan_of(bare(), runs=2)).finding],
    "explain": lambda: [explanation().finding, *explanation().notes],
}


@pytest.mark.parametrize("question", SAID)
def test_every_sentence_holds_a_number_and_ends(question: str) -> None:
    for text in SAID[question]():
        assert re.search(r"\d", text), text
        assert text.rstrip().endswith("."), text
        assert not re.search(r"\b(?:nan|inf|None)\b", text), text
