"""Every sentence is made from numbers: with other numbers it is another, without them there is none."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from breakrank.questions.explain.result import Explanation
from breakrank.questions.explain.scales import Mean
from breakrank.questions.explain.sentences import (
    considered,
    heaviest,
    interactions,
    removals,
    sentences,
    served,
    strongest,
    told,
    variance,
    weighed,
)
from breakrank.questions.explain.sobol import LUCK, Share
from tests.questions.explain import made_up
from tests.questions.explain.made_up import HOLDS, LEFT, effect, explanation, mean, removal, scales


def only(found: object) -> str:
    (text,) = list(found)  # type: ignore[call-overload]
    assert isinstance(text, str)
    return text


def test_every_sentence_holds_a_number_and_ends() -> None:
    found = sentences(explanation())
    assert len(found) >= 12
    for text in found:
        assert re.search(r"\d", text), text
        assert text.endswith("."), text
        assert "nan" not in text
        assert "  " not in text
    assert len(set(found)) == len(found)


def test_who_served_though_opposed() -> None:
    assert only(served(scales())) == (
        "Of all soldiers 97.4% (95% interval 96.4% to 98.4%) served to the end, although 80.5% (95% interval "
        "79.5% to 81.5%) of them were privately opposed by then."
    )
    assert "and 30% (95% interval 29% to 31%) of them" in only(served(scales(opposed=0.3)))
    assert "served to the end" not in "".join(served(replace(scales(), served=Mean(math.nan, 0, 0, 0))))
    assert "(one run)" in only(served(replace(scales(), served=Mean(0.9, math.nan, math.nan, 1))))


def test_what_was_open_to_them() -> None:
    text = only(considered(scales()))
    assert "86% (95% interval 85% to 87%) had moments of decision" in text
    assert "2.6 on average" in text
    assert "at such a moment was 1.2% (95% interval 1.1% to 1.3%)" in text
    assert not list(considered(replace(scales(), considered=Mean(math.nan, math.nan, math.nan, 0))))


def test_what_weighed() -> None:
    text, base = weighed(scales())
    assert "log-odds of −9.7 at a moment" in base
    assert "how rare leaving is" not in text
    order = [
        "watched and caught (−1.96, 95% interval −2.01 to −1.91)",
        "dependants to feed",
    ]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)
    assert "for it were the challenger is believed in (+2.40, 95% interval +2.39 to +2.41)" in text
    other = next(weighed(scales(fear=-0.1)))
    assert other.index("dependants to feed") < other.index("watched and caught (−0.1")
    assert not list(weighed(replace(scales(), weights=())))


def test_what_weighed_most_for_whom() -> None:
    assert "“watched and caught” weighed most against leaving the country for 90%" in only(heaviest(scales()))
    nobody = [replace(w, heaviest=Mean(math.nan, math.nan, math.nan, 0)) for w in scales().weights]
    assert not list(heaviest(replace(scales(), weights=tuple(nobody))))


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


def test_interactions_by_what_the_second_does_without_the_first() -> None:
    assert only(interactions(removal(), LEFT)) == (
        "Crossed out of the country by 2019-03-23: switching off grievance alone changes it by −1,000 "
        "soldiers, and by −27,000 soldiers if fear is already off. The difference is their interaction: "
        "−26,000 soldiers (95% interval −26,700 to −25,300)."
    )
    unclear = replace(
        removal(), beyond={("fear", "grievance"): (effect(LEFT, ("fear", "grievance"), 5, 6, 9),)}
    )
    assert "of 1 pairs of mechanisms, none has an interaction" in only(interactions(unclear, LEFT))


def test_variance_in_words() -> None:
    found = list(variance(made_up.variance(), LEFT))
    assert found[0] == (
        "Over the priors, 93% (95% interval 88% to 98%) of the variance of the logarithm of crossed out "
        "of the country "
        "by 2019-03-23 is due to the parameters together; 6% (95% interval 1% to 11%) would remain as "
        "chance if all of them were known."
    )
    assert "with all they interact with: challenger 50% (95% interval 45% to 55%) and fear 30%" in found[1]
    assert "of 3 parameters with a prior, 2 can be told from chance with 1,024 prior simulations" in found[2]
    assert "The first is challenger.weight: it alone accounts for 33%" in found[2]
    assert "a higher value goes with more" in found[2]
    assert list(variance(made_up.variance(), HOLDS)) == []


def test_no_share_and_no_parameter_told() -> None:
    given = made_up.variance()
    faint = tuple(
        s if s.group == LUCK else Share(s.group, 0.0, -0.1, 0.1, 0.02, 0.0, 0.1)
        for s in given.shares["left_abroad"]
    )
    chance = tuple(replace(s, score=1.0) for s in given.screened["left_abroad"])
    found = list(
        variance(replace(given, shares={"left_abroad": faint}, screened={"left_abroad": chance}), LEFT)
    )
    assert "with 128 rows, no mechanism's parameters have a share that can be told from zero" in found[1]
    assert "the effect of none can be told from chance" in found[2]
    way = replace(given.screened["left_abroad"][0], sign=-0.57)
    text = list(variance(replace(given, screened={"left_abroad": (way,)}), LEFT))[-1]
    assert "a higher value goes with less" in text
    spread = replace(way, share=0.0, sign=0.0, spread=0.2)
    text = list(variance(replace(given, screened={"left_abroad": (spread,)}), LEFT))[-1]
    assert "it changes the spread of the outcome, and accounts for 20%" in text


@pytest.mark.parametrize(
    "changed",
    [
        {"scales": scales(served=0.9)},
        {"removal": removal(after=20_000.0)},
        {"scales": None},
        {"variance": None},
        {"runs": 41},
        {"seed": 8},
    ],
)
def test_other_numbers_make_other_sentences(changed: dict[str, object]) -> None:
    assert sentences(explanation(**changed)) != sentences(explanation())


def test_topics_and_outcomes() -> None:
    found = told(explanation())
    assert {one.topic for one in found} == {"stay", "removal", "pairs", "variance", "made"}
    assert {one.outcome for one in found} == {"", "left_abroad", "regime_holds"}
    bare: Explanation = explanation(scales=None, variance=None)
    assert {one.topic for one in told(bare)} == {"removal", "pairs", "made"}
    assert mean(0.5).runs == 4
