"""What worlds learned: a parameter that moved is found, one that did not is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case.draws import FOLDER
from breakrank.case.library import case_folder
from breakrank.case.worlds import Worlds, load_worlds
from breakrank.questions.condition.terminal import in_words, learned


@pytest.fixture(scope="module")
def case() -> breakrank.Case:
    return breakrank.load_case("venezuela-2019", "values")


@pytest.fixture(scope="module")
def worlds(case: breakrank.Case) -> Worlds:
    return load_worlds(Path(case_folder("venezuela-2019")) / FOLDER, case)


DRAWS = 100


def drawn_anew(case: breakrank.Case, worlds: Worlds, seed: int, moved: str = "") -> Worlds:
    """Return a hundred worlds whose parameters are as in the prior, but one that lies in its upper half."""
    luck = np.random.default_rng(seed)
    columns = []
    for name in worlds.draws.names:
        prior = case.parameters[name].prior
        assert prior is not None
        share = luck.random(DRAWS)
        columns.append(prior.quantile(0.5 + share / 2 if name == moved else share))
    draws = replace(worlds.draws, values=np.array(columns).T, luck=None)
    return replace(worlds, draws=draws, about=dict(worlds.about) | {"effective": float(len(draws))})


def test_what_moved_is_found_and_what_did_not_is_not(case: breakrank.Case, worlds: Worlds) -> None:
    moved = "fear.risk_weight"
    first, *others = learned(case, drawn_anew(case, worlds, 7, moved))
    assert (first.name, first.subsystem, first.beyond) == (moved, 3, True)
    assert first.middle > 0.7
    assert first.moved == pytest.approx(0.5, abs=0.05)
    assert sum(one.beyond for one in others) <= 3  # one in a hundred of 43, and luck


def test_the_paragraph_names_parts_of_which_nothing_is_learned(case: breakrank.Case, worlds: Worlds) -> None:
    found = learned(case, drawn_anew(case, worlds, 7, "fear.risk_weight"))
    assert {one.name for one in found} == set(worlds.draws.names)
    words = in_words(found)
    assert f"Of {len(found)} parameters, {sum(one.beyond for one in found)} have moved" in words
    assert found[0].name in words
    nothing = tuple(replace(one, beyond=False) for one in found)
    assert "the force; grievance; fear" in in_words(nothing)
