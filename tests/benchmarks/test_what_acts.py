"""What is measured of the model as a whole, rates that others counted, and a simple model in two ways."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from benchmarks.base_rates import ASKED, HEADS, LEADERS, SEED, SOURCES, Rates, elsewhere, led_by
from benchmarks.calibrations import distance
from benchmarks.hindcasts import one_step_errors
from benchmarks.interventions import CASE, WORST, Change, declared, findings, reading, row, worst
from benchmarks.report import markdown
from benchmarks.simple_model import NAMES, Inputs, Outcome, Parameters, implementation, make_inputs
from benchmarks.what_acts import ratio
from breakrank import list_cases, load_case, simulate
from breakrank.case.changes import counterfactual
from breakrank.literature import cited
from breakrank.results.measures import measure

VENEZUELA = load_case("venezuela-2019", "point")
CHANGES = declared(VENEZUELA)


def test_forty_interventions_are_declared() -> None:
    assert sorted({each.item for each in CHANGES if each.expected}) == list(range(1, 41))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.id)
def test_each_changes_the_case_and_asks_within_its_days(change: Change) -> None:
    case = VENEZUELA.until(change.until)
    assert counterfactual(case, change).digest != case.digest
    known = {each.id for each in CHANGES} | {CASE}
    for part in change.expected:
        days = [day for day in (part.since, part.date) if day]
        if part.than is not None:
            assert part.than.without in known
            assert reading(part, part.than) != reading(part)
            days += [part.than.since, part.than.date]
        assert all(case.calendar.start <= day <= change.until for day in days)
    assert change.against in known


def test_what_became_of_an_intervention_is_judged() -> None:
    small = VENEZUELA.set({"force.strength": 2000})
    oath = [each for each in CHANGES if each.item == 29]
    more, less = (row(*one) for one in findings(small, oath, 2, 5))
    assert (more["argued"], less["argued"]) == ("more", "less than the first")
    assert more["difference"] != "0"
    assert {more["verdict"], less["verdict"]} <= {*WORST}


def test_the_worst_part_of_an_intervention_counts() -> None:
    assert worst(["right", "outside band", "right"]) == "outside band"
    assert worst(["too few pairs", "no effect shown"]) == "no effect shown"
    assert worst(["right"]) == "right"


def test_a_ratio_of_means_has_the_interval_of_the_delta_method() -> None:
    large, small = np.array([2.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0])
    middle, low, high = ratio(large, small)
    spread = 1.6449 * math.sqrt(4 / 3 / 16 + 1 / 3 / 4)
    assert middle == 2
    assert low == pytest.approx(2 * math.exp(-spread), rel=1e-4)
    assert high == pytest.approx(2 * math.exp(spread), rel=1e-4)
    assert all(math.isnan(each) for each in ratio(large, np.zeros(3)))


LIMITS = (Path(__file__).parents[2] / "docs" / "explanation" / "limits.md").read_text(encoding="utf-8")
ENTRIES = yaml.safe_load(SOURCES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["id"])
def test_a_rate_has_a_source_that_was_read(entry: dict[str, object]) -> None:
    (work,) = cited(str(entry["cite"]))
    assert work.is_checked
    assert entry["read"]
    assert work.label in " ".join(LIMITS.split())


def test_rates_are_those_of_a_run_and_a_year() -> None:
    counts = dict(zip(ASKED, (40.0, 20.0, 10.0, 5.0, 300.0), strict=True))
    found = Rates("A case", years=0.5, soldiers=1000.0, runs=10, totals=counts, led={})
    assert found.row == ("A case", "0.5", "8.0", "4.0", "2.0", "5 of 10", "3%")


def test_every_coup_attempt_has_a_leader_of_some_rank() -> None:
    eager = {
        "force.strength": 3000,
        "plots.from_start": 3000,
        "plots.baseline_join": 0,
        "uprising.strength": 0.02,
    }
    case = load_case("philippines-1986", "point").set({"force.strength": 3000, **eager}).until("1985-06-30")
    result = simulate(case, runs=2, seed=SEED, log_runs=2)
    led = led_by(case, result)
    assert led.keys() == LEADERS.keys()
    attempts, won = (sum(counts) for counts in zip(*led.values(), strict=True))
    assert attempts == measure(result.data, "coup_attempts").sum() > 0
    assert 0 < won <= measure(result.data, "uprisings_won").sum()


def test_the_page_of_limits_has_the_table() -> None:
    head, ruler, first = markdown(HEADS, [elsewhere()]).splitlines()
    table = LIMITS.partition(head)[2].partition("\n<!-- end")[0].splitlines()
    assert table[1:3] == [ruler, first]
    assert [row.split(" | ")[0].strip("| ") for row in table[3:]] == [
        load_case(c).title for c in list_cases()
    ]


def forecast(target: str, as_of: str, median: float, **other: object) -> dict[str, object]:
    about = {"case": "a", "forecaster": "model", "kind": "figure", "unit": "soldiers", "date": "2020-05-01"}
    return {**about, "target": target, "as_of": as_of, "median": median, "observed_low": 99.0} | {
        "observed_high": 99.0,
        **other,
    }


def test_each_figure_has_the_error_of_the_last_forecast_of_the_model() -> None:
    rows = pd.DataFrame(
        [
            forecast("count", "2020-02-01", 9.0),
            forecast("count", "2020-04-01", 49.0),
            forecast("count", "2020-04-01", 0.0, forecaster="last value"),
            forecast("share", "2020-03-01", 0.5, unit="share", observed_low=0.7, observed_high=0.8),
            forecast("met", "2020-03-01", 1.0, kind="yes or no"),
        ]
    )
    errors = one_step_errors(rows).set_index("target")["error"]
    assert errors["count"] == pytest.approx(np.log(2))
    assert errors["share"] == pytest.approx(np.log(3))
    assert len(errors) == 2


def test_means_are_apart_in_standard_deviations() -> None:
    x = np.random.default_rng(0).normal(size=5000)
    assert distance(3 * x + 1.5, 3 * x) == pytest.approx(0.5, rel=0.02)
    assert distance(np.ones(3), np.ones(3)) == 0


SOLDIERS, DAYS = 2_000, 60
LIVELY = Parameters(rate=12, confide=0.5, constant=-4.0, belief_weight=2.0, gone_weight=3.0, memory=20)
"""Much happens within these days, so that a wrong step anywhere shows."""
OTHERS = [name for name in NAMES if name != "engine"]
WIDTH = 4.0
"""Standard errors that two means may lie apart: one comparison in 16,000 would fail by chance."""


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return make_inputs(SOLDIERS, 1)


def replicates(
    key: str, inputs: Inputs, parameters: Parameters, count: int, days: int = DAYS
) -> list[Outcome]:
    if key == "mesa":
        pytest.importorskip("mesa", reason="Mesa is not installed (pip install 'breakrank[benchmark]')")
    begin = implementation(key, inputs, parameters, days)
    return [begin(seed)() for seed in range(count)]


def apart(key: str, inputs: Inputs, parameters: Parameters, declared: Parameters) -> dict[str, float]:
    """Return by counted how many standard errors an implementation's mean lies from that of the engine.

    The engine runs under the `declared` parameters. If both are one model, all replicates have the same
    standard deviation, which is estimated within each and pooled.
    """
    count = 5 if key == "mesa" else 30
    both = [replicates(key, inputs, parameters, count), replicates("engine", inputs, declared, 30)]
    found = {}
    for counted in both[0][0].measures():
        values = [np.array([one.measures()[counted] for one in ones]) for ones in both]
        squares = sum(v.var() * len(v) for v in values)
        spread = math.sqrt(squares / sum(len(v) - 1 for v in values))
        error = spread * math.sqrt(sum(1 / len(v) for v in values))
        found[counted] = abs(values[0].mean() - values[1].mean()) / error
    return found


@pytest.mark.parametrize("parameters", [Parameters(), LIVELY], ids=["declared", "lively"])
@pytest.mark.parametrize("key", OTHERS)
def test_all_agree(key: str, parameters: Parameters, inputs: Inputs) -> None:
    found = apart(key, inputs, parameters, parameters)
    assert len(found) == 5
    assert {counted: errors for counted, errors in found.items() if errors > WIDTH} == {}


@pytest.mark.parametrize("key", NAMES)
def test_without_influence_leaving_is_a_known_chance(key: str, inputs: Inputs) -> None:
    alone = Parameters(rate=12, confide=0, constant=-2, belief_weight=0, gone_weight=0)
    found = replicates(key, inputs, alone, 4)
    leave = alone.chance / (1 + math.exp(-alone.constant))
    share = 1 - (1 - leave) ** DAYS
    trials = SOLDIERS * len(found)
    exits = sum(o.exits.sum() for o in found)
    assert abs(exits / trials - share) <= WIDTH * math.sqrt(share * (1 - share) / trials)
    assert sum(o.confidings.sum() for o in found) == 0
    belief = alone.prior_opposed / (alone.prior_opposed + alone.prior_loyal)
    assert [o.belief for o in found] == pytest.approx([belief] * len(found), rel=1e-6)
