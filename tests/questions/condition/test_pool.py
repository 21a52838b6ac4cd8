"""Worlds of several searches, put together and gone on with by steps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.case.worlds import Worlds, load_worlds
from breakrank.errors import UsageError
from breakrank.questions.condition import search
from breakrank.questions.condition.condition import condition, hashes, pooled, silently, take_steps
from breakrank.runs.backends import Cores
from tests.questions.condition.test_condition import FIGURES, counted
from tests.questions.condition.toys import EARLY, TOY, TOYS, case_told

HERE = silently(Cores(1), TOY)
pytestmark = pytest.mark.usefixtures("few_lives")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return case_told(tmp_path_factory.mktemp("toy"), *FIGURES)


@pytest.fixture(scope="module")
def searches(told: Case) -> tuple[Worlds, Worlds]:
    one, two = (condition(told, "record", 30, seed, workers=1, simulators=TOYS) for seed in (1, 2))
    return one, two


def seeds(worlds: Worlds) -> set[int]:
    luck = worlds.draws.luck
    assert luck is not None
    return {luck.under(row) for row in range(len(luck.paths))}


def test_worlds_put_together_are_lived_as_before(told: Case, searches: tuple[Worlds, Worlds]) -> None:
    found = pooled(searches)
    one, two = searches
    both = replace(one, draws=found.draws)
    assert (counted(both, told) == np.concatenate([counted(one, told), counted(two, told)])).all()
    assert seeds(both) == seeds(one) | seeds(two)
    assert found.filtered == one.about["filtered"] + two.about["filtered"]
    bits = [worlds.figures[0]["bits"] for worlds in searches]
    assert found.figures[0].information == pytest.approx(np.mean(bits))
    assert pooled([one]).draws.luck == one.draws.luck


def test_they_go_on_by_steps_which_add_up(
    told: Case, searches: tuple[Worlds, Worlds], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(search, "STEPS", 3)
    how: dict[str, Any] = {"carry": HERE, "simulators": TOYS}
    found = take_steps(told, searches, 12, 40, **how)
    assert len(found.draws) == 40
    assert found.about["settled"]["steps"] == 12
    assert seeds(found) == seeds(searches[0]) | seeds(searches[1])
    assert found.counted == hashes(np.split(counted(found, told), 2, axis=1)), "as who replays them finds"
    again = load_worlds(found.save(tmp_path / "worlds"), told)
    assert again.draws == found.draws
    assert (again.origins == found.origins).all()
    assert again.about["settled"]["starts"] == len(set(found.origins.tolist())) > 1
    on = take_steps(told, [again], 12, 40, **how)
    assert on.about["settled"]["steps"] == 24
    assert set(on.origins.tolist()) <= set(found.origins.tolist()), "relatives stay relatives"
    assert len(take_steps(told, [again], 1, 25, **how).draws) == 25
    with pytest.raises(UsageError, match="steps"):
        take_steps(told, [again], 989, **how)


def test_what_does_not_go_together_is_refused(told: Case, searches: tuple[Worlds, Worlds]) -> None:
    one, two = searches
    gone = replace(two, about={**two.about, "settled": {"steps": 30}})
    with pytest.raises(UsageError, match=r"have taken as many steps: 0 and 30 differ\n"):
        pooled([one, gone])
    with pytest.raises(UsageError, match="different seeds; name each folder once"):
        take_steps(told, [one, one], 10, carry=HERE, simulators=TOYS)
    early = condition(told, EARLY, 20, 3, workers=1, simulators=TOYS)
    with pytest.raises(UsageError, match="share their given: 2025-06-30 and 2025-02-10 differ"):
        pooled([one, early])
    fewer = replace(two, about={**two.about, "figures": two.figures[:1]})
    with pytest.raises(UsageError, match="same figures"):
        pooled([one, fewer])
    names = one.draws.names
    more = replace(two, draws=replace(two.draws, names=(*names[:-1], "decision.baseline_leave")))
    with pytest.raises(UsageError, match=r"differ in decision\.baseline_leave and"):
        pooled([one, more])
    other = Case(replace(told.content, targets=told.targets[:1]), told.catalogue)
    with pytest.raises(UsageError, match="told another record, which differs in registered-1"):
        take_steps(other, [one], 10, carry=HERE, simulators=TOYS)


def test_steps_change_what_worlds_draw_within_its_own_prior(
    told: Case, searches: tuple[Worlds, Worlds]
) -> None:
    one, _ = searches
    how: dict[str, Any] = {"carry": HERE, "simulators": TOYS}
    names = one.draws.names
    turned = replace(one, draws=replace(one.draws, names=names[::-1], values=one.draws.values[:, ::-1]))
    found = take_steps(told, [turned], 10, 20, **how)
    for name, column in zip(found.draws.names, found.draws.values.T, strict=True):
        prior = told.parameters[name].prior
        assert prior is not None
        assert all(0 < prior.cdf(float(value)) < 1 for value in column), name
    with pytest.raises(UsageError, match=r"draw other parameters .* differ in belief\.candour"):
        take_steps(told.set({"belief.candour": 0.4}), [one], 10, 20, **how)
