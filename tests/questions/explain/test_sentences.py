"""Every sentence is made from numbers: with other numbers it is another, without them there is none."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from breakrank.questions.explain.result import removals, sentences, strongest, told, variance
from tests.questions.explain import made_up
from tests.questions.explain.made_up import HOLDS, LEFT, effect, explanation, removal


def only(found: object) -> str:
    (text,) = list(found)  # type: ignore[call-overload]
    assert isinstance(text, str)
    return text


def test_every_sentence_holds_a_number_and_ends() -> None:
    found = sentences(explanation())
    assert len(found) >= 7
    for text in found:
        assert re.search(r"\d", text), text
        assert text.endswith("."), text
        assert "nan" not in text
        assert "  " not in text
    assert len(set(found)) == len(found)


def test_removals_of_the_first_outcome() -> None:
    found = removals(removal(), LEFT)
    assert found == [
        "Crossed out of the country by 2019-03-23: without ways out, each switched off alone, almost "
        "nothing remains: 0 instead of 1,300 soldiers, in all of 40 pairs of runs.",
        "Crossed out of the country by 2019-03-23: without fear (soldiers weigh the risk), 36,000 "
        "soldiers instead of "
        "1,300 soldiers, a difference of +34,700 soldiers (95% interval +34,200 to +35,200) whose sign "
        "holds in 100% "
        "of 40 pairs of runs.",
        "Crossed out of the country by 2019-03-23: without grievance (soldiers feel hardship), 300 "
        "soldiers instead "
        "of 1,300 soldiers, a difference of −1,000 soldiers (95% interval −1,040 to −960) whose sign "
        "holds in 100% "
        "of 40 pairs of runs.",
        "Crossed out of the country by 2019-03-23: the effect of 1 of 4 mechanisms, each switched off "
        "alone, cannot be "
        "told from zero: plots.",
    ]


def test_what_it_takes_is_told_in_one_sentence() -> None:
    found = removals(removal(after=5.0), LEFT)
    assert "without ways out or fear, each switched off alone, almost nothing remains: 0 and 5 " in found[0]
    assert not any("without fear (" in text for text in found)
    assert not any("without ways out" in text for text in removals(removal(after=14.0), LEFT)[1:])


def test_what_the_numbers_do_not_support_is_not_said() -> None:
    found = removals(removal(half=40_000.0), LEFT)
    assert not any("without fear" in text for text in found)
    assert "2 of 4 mechanisms, each switched off alone, cannot be told from zero: fear and plots" in found[-1]


def test_another_outcome_names_its_strongest() -> None:
    text = only(strongest(removal(), HOLDS))
    assert text == (
        "Regime still in place at the end: without fear (soldiers weigh the risk), 40% of runs instead "
        "of 100% of runs, a difference of −60 points (95% interval −80 to −40 points) whose sign holds in "
        "60% of 40 pairs of runs."
    )
    same = removal()
    none = {m: (a, effect(HOLDS, (m,), 1, 1, 0)) for m, (a, _) in same.single.items()}
    assert "100% of runs, and the effect of none of 4 mechanisms" in only(
        strongest(replace(same, single=none), HOLDS)
    )


def test_variance_in_words() -> None:
    text = only(variance(made_up.variance(), LEFT))
    assert "of 3 parameters with a prior, 2 can be told from chance with 1,024 prior simulations" in text
    assert "The first is challenger.weight: it alone accounts for 33%" in text
    assert "a higher value goes with more" in text
    assert list(variance(made_up.variance(), HOLDS)) == []


def test_no_parameter_told() -> None:
    given = made_up.variance()
    chance = tuple(replace(s, score=1.0) for s in given.screened["left_abroad"])
    text = only(variance(replace(given, screened={"left_abroad": chance}), LEFT))
    assert "the effect of none can be told from chance" in text
    way = replace(given.screened["left_abroad"][0], sign=-0.57)
    text = only(variance(replace(given, screened={"left_abroad": (way,)}), LEFT))
    assert "a higher value goes with less" in text
    spread = replace(way, share=0.0, sign=0.0, spread=0.2)
    text = only(variance(replace(given, screened={"left_abroad": (spread,)}), LEFT))
    assert "it changes the spread of the outcome, and accounts for 20%" in text


@pytest.mark.parametrize(
    "changed",
    [
        {"removal": removal(after=20_000.0)},
        {"variance": None},
        {"runs": 41},
        {"seed": 8},
    ],
)
def test_other_numbers_make_other_sentences(changed: dict[str, object]) -> None:
    assert sentences(explanation(**changed)) != sentences(explanation())


def test_topics_and_outcomes() -> None:
    found = told(explanation())
    assert {one.topic for one in found} == {"removal", "variance", "made"}
    assert {one.outcome for one in found} == {"", "left_abroad", "regime_holds"}
    assert {one.topic for one in told(explanation(variance=None))} == {"removal", "made"}
