"""What a report says of how it was made, its ledger, and its words."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank import load_case
from breakrank.questions.paired import bases
from breakrank.show.evidence import Evidence
from breakrank.show.provenance import changes, told
from breakrank.show.tables import leaving
from breakrank.show.words import between, exact, interval, number, span, way
from breakrank.wording import HEDGES
from tests.new_cases import full_case
from tests.show.world import made


def test_values_set_by_hand_are_seen_in_the_case_itself(tmp_path: Path) -> None:
    case = load_case(full_case(tmp_path / "land"))
    assert told(case) == ""
    changed = case.set({"fear.on": 0, "force.strength": 1000})
    assert sorted(told(changed).split("; ")) == ["fear.on = 0", "force.strength = 1000"]
    written = changed.write(tmp_path / "as-used")
    assert told(load_case(written)) == told(changed)


def test_what_else_the_call_changed_is_said_after_the_values() -> None:
    result = made(runs=1, end="2019-01-05")
    assert changes(result) == ""
    assert changes(dataclasses.replace(result, changed="until 2019-01-05")) == "until 2019-01-05"


def test_a_bound_and_a_round_figure_are_written_as_such() -> None:
    case = breakrank.load_case("venezuela-2019")
    ledger = case.ledger.observations
    by_number = dict(enumerate((o for s in case.ledger.sources for o in ledger.values() if o.source == s), 1))
    said = [(by_number[int(row["number"])], row["figure"]) for row in Evidence(case).observation_rows()]
    hedged = {one.id: figure for one, figure in said if one.bound}
    assert hedged["panama-1989-ringleaders-executed"] == "at least 10 persons"
    assert all(figure.startswith(HEDGES[ledger[name].bound or ""]) for name, figure in hedged.items())


def test_few_runs_show_their_range_and_no_interval() -> None:
    world = made(runs=4)
    left = world.data["exits_rank"].sum(["day", "outcome", "rank"]).values
    last = leaving(world)[0].last
    assert (last.q05, last.q95) == (left.min(), left.max())
    assert world.answer["outcomes"].column("value").interval == "all 4 runs"


def test_a_number_is_rounded_the_same_wherever_it_stands() -> None:
    assert [number(v, "people") for v in (0.5, 1.5, 2.5, 5.5)] == ["1", "2", "3", "6"]
    assert between(0.0101, 0.0098, 0.0102, "share") == "1.01%"
    assert interval(0.0098, 0.0102, "share") == "0.98% to 1.02%"
    assert number(7.8, way("plots")) == "8"
    assert exact(12.5) == "12.5", "what a case gives is not rounded"
    assert span(-math.inf, 0.01, "share") == "at most 1%"


@pytest.mark.parametrize("unit", ["", "share", "people"])
def test_ends_of_many_intervals_differ_only_in_digits(unit: str) -> None:
    random = np.random.default_rng(1)
    for low, width in 10 ** random.uniform(-4, 3, (200, 2)):
        high = low + width
        if unit == "share":
            low, high = low / 3000, high / 3000
        ends = interval(low, high, unit).split(" to ")
        assert len({len(end.partition(".")[2]) for end in ends}) == 1
        assert unit == "people" or low == 0 or float(ends[0].replace(",", "").rstrip("%")) > 0


def test_what_a_number_rests_on_says_what_is_assumed_and_of_a_changed_one_the_change() -> None:
    case = breakrank.load_case("venezuela-2019", "point")
    payer = case.payers.named("colombia")
    said = Evidence(case).behind(payer.evidence, payer.assumed)
    assert said.startswith("in part assumed: No budget was published. The sum is")
    assert "with fewer later. On record: the outlet, in Vice News" in said
    assert Evidence(case).behind(None, "Invented.") == "assumed: Invented."
    name = next(name for name, one in case.parameters.items() if one.evidence)
    most = case.parameters[name].high
    assert bases(case.set({name: most}), [name])[0].says == f"assumed: Set to {most:g} by hand."
    assert bases(case, [name])[0].says.startswith("the outlet, in NPR")
