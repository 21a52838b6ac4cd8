"""What a target reports, targets as likelihoods, and draws of parameters."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from breakrank import model
from breakrank.case import Case, load_case
from breakrank.case.ensemble import Free
from breakrank.case.models_evidence import Target
from breakrank.inference.observed import Figure, ObservedTarget, ObservedTargets, bound, ends, inside
from breakrank.model import catalogue
from breakrank.questions.forecasters import split
from tests.inference.toys import toy_case
from tests.mechanisms.civil_war import write_civil_war
from tests.new_cases import printed

N = 40_000
NUMBERS = np.arange(N)


def aim(*figures: Figure, unit: str = "soldiers", **more: object) -> ObservedTarget:
    told = more or {"value": 100}
    target = Target(
        id="t", label="T", measure="registered", date="2019-03-01", unit=unit, assumed="made up", **told
    )
    scale = "logit" if unit == "share" else "plain" if unit == "1 or 0" else "log"
    return ObservedTarget(target, figures, scale)


def test_a_late_count_is_one_of_the_days_before() -> None:
    one = aim(Figure(100, 100, 1, 0.0))
    y = one.counted(np.tile([[100.0, 90.0, 80.0]], (N, 1)), 1, "a", NUMBERS)
    found, times = np.unique(y, return_counts=True)
    np.testing.assert_allclose(found, np.log1p([80.0, 90.0, 100.0]))
    np.testing.assert_allclose(times / N, 1 / 3, atol=0.02)


def test_digests_follow_what_is_said_not_how(tmp_path: Path) -> None:
    case = toy_case(tmp_path)
    first = case.content.targets[0]
    same = first.model_copy(update={"label": "Other words"})
    other = first.model_copy(update={"value": 61.0})

    def digest(target: Target) -> str:
        from dataclasses import replace

        content = replace(case.content, targets=(target, *case.content.targets[1:]))
        return ObservedTargets.of(Case(content, case.catalogue)).digest

    assert digest(same) == ObservedTargets.of(case).digest != digest(other)


def test_draws_belong_to_seed_number_and_name(tmp_path: Path) -> None:
    free = Free.of(toy_case(tmp_path))
    z = free.drawn(3, "prior", np.arange(4000))
    assert np.abs(z.mean(0)).max() < 0.08
    np.testing.assert_allclose(np.cov(z, rowvar=False), np.eye(len(free)), atol=0.08)
    fewer = Free(free.names[1:], free.priors[1:])
    np.testing.assert_array_equal(fewer.drawn(3, "prior", np.arange(7, 19)), z[7:19, 1:])
    assert not np.array_equal(free.drawn(4, "prior", np.arange(5)), z[:5])
    values = free.values(z)
    for k, prior in enumerate(free.priors):
        assert prior.low <= values[:, k].min() <= values[:, k].max() <= prior.high
        assert np.median(values[:, k]) == pytest.approx(prior.median, abs=0.05 * (prior.high - prior.low))


def test_what_mechanisms_measure_is_known_to_whoever_is_handed_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = load_case(write_civil_war(tmp_path / "war"), catalogue)
    over = case.targets[0].model_copy(
        update={"id": "over", "measure": "went_over", "by": None, "against": None}
    )
    case = Case(replace(case.content, targets=(over,)), case.catalogue)
    monkeypatch.setattr(
        model, "_ASSEMBLIES", {(): model.BUILT_IN}
    )  # as in a process that has run no such case
    assert ObservedTargets.of(case).variables == ("went_over",)


DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return toy_case(tmp_path_factory.mktemp("cases"))


def target(case: Case, name: str, **more: object) -> Target:
    told = {"date": str(case.calendar.end), "measure": "registered", "unit": "soldiers", "assumed": "made up"}
    more = {"from" if k == "start" else k: x for k, x in more.items()}
    return Target(id=name, label=name, **{**told, **more})


def test_what_begins_before_the_calendar_is_left_out_everywhere(case: Case) -> None:
    """A calibration never read such a target; a hold-out that kept it looked for it in vain."""
    first, last = case.calendar.start, case.calendar.end
    early = target(case, "early", value=5, date=str(first + 9 * DAY), start=str(first - DAY))
    known = target(case, "known", value=5, date=str(first + 9 * DAY), start=str(first))
    after = target(case, "after", value=9, date=str(last + DAY))
    later = target(case, "later", value=9, start=str(first - 9 * DAY))
    targets = (early, known, after, later, target(case, "end", value=7))
    told = Case(printed(case.content, *targets), case.catalogue)
    assert [t.id for t in inside(told)] == ["known", "end"]
    assert ObservedTargets.of(told).ids == ("known", "end")
    assert [[t.id for t in part] for part in split(told, first + 20 * DAY)] == [["known"], ["end"]]


def test_ends_of_every_kind_of_figure(case: Case) -> None:
    assert ends(target(case, "a", value=3)) == (3, 3)
    assert ends(target(case, "a", range=[1, 4])) == (1, 4)
    assert ends(target(case, "a", at_most=3)) == (-np.inf, 3)
    assert ends(target(case, "a", at_least=3)) == (3, np.inf)
    assert [bound(target(case, "a", **{k: 3})) for k in ("value", "at_least", "at_most")] == [
        False,
        True,
        True,
    ]
