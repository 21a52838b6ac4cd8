"""What a case hangs on: levers that move what is counted, and what is said of them."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank.answer.answer import Answer
from breakrank.cli import main
from breakrank.questions import guide as guiding
from breakrank.questions.declared import Guide
from breakrank.questions.guide import Lever, levers
from breakrank.results.outcomes import leading_measure
from breakrank.runs.carry_out import Account, Making
from breakrank.runs.store import AnyStore
from breakrank.runs.study import Study
from tests.mechanisms.civil_war import EASY, civil_war
from tests.new_cases import without_priors


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> breakrank.Case:
    return breakrank.load_case(without_priors(tmp_path_factory.mktemp("guide") / "small"))


@pytest.fixture(scope="module")
def found(case: breakrank.Case) -> dict[str, Lever]:
    return {one.name: one for one in levers(case)}


def test_a_parameter_moves_within_its_prior_or_range(case: breakrank.Case, found: dict[str, Lever]) -> None:
    passes = found["opportunity.rate"]
    known = case.parameters[passes.name]
    assert known.low <= passes.down.value(passes.name) < known.value < passes.up.value(passes.name)
    assert passes.assumed == (not known.evidence)
    venezuela = breakrank.load_case("venezuela-2019", "point")
    prior = venezuela.parameters[passes.name].prior
    (mine,) = (one for one in levers(venezuela) if one.name == passes.name)
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


class Listed(Making):
    """Keeps what was asked of it, and stops at the third study if it is told to."""

    def __init__(self, folder: Path | None = None, stops: bool = False) -> None:
        super().__init__(folder, workers=1)
        self.asked: list[tuple[int, int, set[str]]] = []
        self._stops = stops

    def made(self, study: Study, store: AnyStore, what: str, *more: Any) -> Account:
        self.asked.append((study.seed, study.runs, {s.name.rpartition(" ")[0] for s in study.scenarios[1:]}))
        account = super().made(study, store, what, *more)
        return replace(account, interrupted=self._stops and len(self.asked) == 3)


def ask(case: breakrank.Case, making: Making) -> Answer:
    return Guide(of="quiet_desertion", runs=8).answer(case.until("2025-02-28"), making)


def test_what_was_finished_before_an_interrupt_is_not_run_again(
    case: breakrank.Case, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(guiding, "levers", lambda small: levers(small)[30:33])
    whole = ask(case, Listed())
    first = Listed(tmp_path / "s", stops=True)
    cut = ask(case, first)
    assert cut.provenance.interrupted
    assert cut.provenance.runs == 3
    again = Listed(tmp_path / "s")
    assert ask(case, again) == whole
    cells = 1 + 2 * 3  # the case, and three levers at both ends
    reused = [account.reused for each in (first, again) for account in each.accounts]
    assert reused[:6] == [0, cells, 0, cells, 3 * cells, 8 * cells]


def test_only_the_strongest_of_a_round_are_tried_further(
    case: breakrank.Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guiding, "levers", lambda small: levers(small)[28:34])
    monkeypatch.setattr(guiding, "ROUNDS", ((1, 4), (2, 2)))
    making = Listed()
    answer = ask(case, making)
    rounds = [(seed, runs, len(names)) for seed, runs, names in making.asked]
    assert rounds[:3] == [(0, 1, 6), (0, 2, 4), (1, 8, 2)]
    names = [names for _, _, names in making.asked]
    assert names[0] > names[1] > names[2]
    assert names[2] >= set(answer.table("levers").index)
    assert any(note.startswith("6 national parameters and fields were changed") for note in answer.notes)


def test_what_cannot_act_is_no_lever(tmp_path: Path) -> None:
    war = civil_war(tmp_path / "montara")
    names = {one.name for one in levers(war)}
    assert {"war.reserve", "war.evasion", "war.deaths", "war.lost_posts"} <= names
    fields = tmp_path / "montara" / "fields.yaml"
    text = fields.read_text("utf-8")
    for of, gone in (
        ("call_up", {"war.reserve", "war.evasion"}),
        ("contact", {"war.deaths", "war.opportunities", "war.lost_posts"}),
    ):
        fields.write_text(re.sub(rf"({of}: .*value: )[0-9.]+", r"\g<1>0", text), "utf-8")
        still = breakrank.load_case(tmp_path / "montara").set(EASY)
        assert names - {one.name for one in levers(still)} >= gone
    fields.write_text(text, "utf-8")
    nobody = war.set({"war.reserve": 0})
    assert "war.evasion" not in {one.name for one in levers(nobody)}


@pytest.mark.thorough
def test_the_levers_of_the_template(
    case: breakrank.Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = case.write(tmp_path / "small")
    asked = ["case", "guide", str(folder), "--of", "quiet_desertion", "--until", "2025-03-31", "--runs", "16"]
    assert main([*asked, "--json", "--workers", "2"]) == 0
    told = json.loads(capsys.readouterr().out)["tables"]
    levers_told = [row["name"] for row in told["levers"]["rows"]]
    assert len(levers_told) == 10
    rows = [row for row in told["effects"]["rows"] if row["measure"] == "quiet_desertion"]
    assert [row["name"] for row in rows] == levers_told
    sizes = [abs(row["mean"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert all(row["low"] > 0 or row["high"] < 0 for row in rows)
    (rate,) = (row for row in rows if row["name"] == "opportunity.rate")
    assert rate["after"] > rate["before"]  # more occasions, more who leave
    assert main([*asked[:4], "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err
