"""What a case hangs on: levers that move what is counted, and what is said of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.cli import main
from breakrank.questions.examine.examine import measured_effect
from breakrank.questions.guide import guide as guiding
from breakrank.questions.guide.guide import Guide, Lever, Tried, levers
from breakrank.results.outcome_names import leading_measure
from breakrank.runs.backends import Cores
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.memory_store import AnyStore
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from tests.mechanisms.civil_war import EASY, civil_war
from tests.new_cases import without_priors


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> breakrank.Case:
    return breakrank.load_case(without_priors(tmp_path_factory.mktemp("guide") / "small"))


@pytest.fixture(scope="module")
def found(case: breakrank.Case) -> dict[str, Lever]:
    return {one.name: one for one in levers(case, {"venezuela-2019": breakrank.load_case("venezuela-2019")})}


def test_a_parameter_moves_within_its_prior_or_range(case: breakrank.Case, found: dict[str, Lever]) -> None:
    passes = found["opportunity.rate"]
    known = case.parameters[passes.name]
    assert known.low <= passes.down.value(passes.name) < known.value < passes.up.value(passes.name)
    assert passes.elsewhere == {"venezuela-2019": 2.8}
    assert passes.assumed == (not known.evidence)
    venezuela = breakrank.load_case("venezuela-2019", "values")
    prior = venezuela.parameters[passes.name].prior
    assert prior is not None
    (mine,) = (one for one in levers(venezuela, {}) if one.name == passes.name)
    assert mine.up.value(passes.name) == pytest.approx(prior.quantile(0.9))


def test_only_national_numbers_are_levers(case: breakrank.Case, found: dict[str, Lever]) -> None:
    scopes = {p.scope for name, p in case.catalogue.parameters.items() if name in found}
    assert scopes == {"national"}
    assert not [name for name in found if name.endswith(".on") or name == "force.strength"]


def test_a_field_is_halved_and_doubled_within_its_bounds(
    case: breakrank.Case, found: dict[str, Lever]
) -> None:
    pay = found["pay"]
    before, low, high = (np.asarray(c.daily("pay")) for c in (case, pay.down, pay.up))
    np.testing.assert_allclose(low, before / 2)
    np.testing.assert_allclose(high, 2 * before)
    bounds = {name: f for name, f in case.catalogue.fields.items() if name in found}
    for name, declared in bounds.items():
        assert np.asarray(found[name].up.daily(name)).max() <= declared.high


def test_what_the_record_counts_most_often_leads(case: breakrank.Case) -> None:
    assert leading_measure(breakrank.load_case("venezuela-2019")) == "registered"
    assert leading_measure(breakrank.load_case("east-germany-1989")) == "left_abroad"
    bare = type(case)(replace(case.content, targets=()), case.catalogue)
    assert leading_measure(bare) == "left_abroad"


def tried(lever: Lever, low: float, high: float, assumed: bool) -> Tried:
    luck = np.arange(8.0)
    effect = measured_effect(low + luck, high + luck, np.arange(8), True)
    return Tried(replace(lever, assumed=assumed), {"registered": effect})


def test_what_was_finished_before_an_interrupt_is_not_run_again(
    case: breakrank.Case, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(guiding, "levers", lambda small, others: levers(small, others)[30:33])
    reused: list[int] = []

    def carry(study: Study, kept: AnyStore, what: str) -> Account:
        account = carry_out(study, kept, Cores(1))
        reused.append(account.reused)
        return replace(account, interrupted=len(reused) == 3)

    def asked() -> Guide:
        return guiding.guide(case, carry, "quiet_desertion", runs=8, keep=lambda _: Store(tmp_path / "s"))

    whole = guiding.guide(case, lambda s, k, _: carry_out(s, k, Cores(1)), "quiet_desertion", runs=8)
    first = asked()
    assert first.cut_short
    again = asked()
    assert not again.cut_short
    cells = 1 + 2 * 3  # the case, and three levers at both ends
    assert reused == [0, cells, 0, cells, 3 * cells, 8 * cells]
    assert again.as_json() == whole.as_json()


def test_only_the_strongest_of_a_round_are_tried_further(
    case: breakrank.Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guiding, "levers", lambda small, others: levers(small, others)[28:34])
    monkeypatch.setattr(guiding, "ROUNDS", ((1, 4), (2, 2)))
    asked: list[tuple[int, int, set[str]]] = []

    def carry(study: Study, kept: AnyStore, what: str) -> Account:
        names = {one.name.rpartition(" ")[0] for one in study.scenarios[1:]}
        asked.append((study.seed, study.runs, names))
        return carry_out(study, kept, Cores(1))

    told = guiding.guide(case, carry, "quiet_desertion", runs=8)
    assert [(seed, runs, len(names)) for seed, runs, names in asked] == [(0, 1, 6), (0, 2, 4), (1, 8, 2)]
    assert asked[0][2] > asked[1][2] > asked[2][2] >= {one.lever.name for one in told.tried}
    assert (told.every, told.runs) == (6, 8)


def test_what_cannot_act_is_no_lever(tmp_path: Path) -> None:
    war = civil_war(tmp_path / "montara")
    names = {one.name for one in levers(war, {})}
    assert {"war.reserve", "war.evasion", "war.deaths", "war.lost_posts"} <= names
    fields = tmp_path / "montara" / "fields.yaml"
    text = fields.read_text("utf-8")
    for of, gone in (
        ("call_up", {"war.reserve", "war.evasion"}),
        ("contact", {"war.deaths", "war.opportunities", "war.lost_posts"}),
    ):
        fields.write_text(re.sub(rf"({of}: .*value: )[0-9.]+", r"\g<1>0", text), "utf-8")
        still = breakrank.load_case(tmp_path / "montara").set(EASY)
        assert names - {one.name for one in levers(still, {})} >= gone
    fields.write_text(text, "utf-8")
    nobody = war.set({"war.reserve": 0})
    assert "war.evasion" not in {one.name for one in levers(nobody, {})}


@pytest.mark.thorough
def test_the_levers_of_the_template(
    case: breakrank.Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = case.write(tmp_path / "small")
    asked = ["case", "guide", str(folder), "--of", "quiet_desertion", "--until", "2025-03-31", "--runs", "16"]
    assert main([*asked, "--json", "--workers", "2"]) == 0
    told = json.loads(capsys.readouterr().out)
    by = {one["name"]: one for one in told["levers"]}
    assert told["levers_tried"] > 60
    assert len(by) == 10
    effects = [one["effects"]["quiet_desertion"] for one in by.values()]
    sizes = [abs(one["at_high"] - one["at_low"]) for one in effects]
    assert sizes == sorted(sizes, reverse=True)
    assert all(low > 0 or high < 0 for low, high in (one["interval95"] for one in effects))
    occasions = by["opportunity.rate"]["effects"]["quiet_desertion"]
    assert occasions["at_high"] > occasions["at_low"]  # more occasions, more who leave
    assert main([*asked[:4], "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err
