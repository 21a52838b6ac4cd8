"""Measures against plain NumPy on the same arrays."""

import datetime as dt
from typing import Any

import numpy as np
import pytest

from breakrank.engine.codes import FATES as ENGINE_FATES
from breakrank.engine.observe import EXITS
from breakrank.errors import UsageError
from breakrank.labels import FATES, OUTCOMES
from breakrank.model import catalogue
from breakrank.results.measures import check_question, coordinates, measure, measure_of, read_by
from breakrank.results.outcomes import called
from breakrank.runs.carry_out import simulate
from tests.results.fake import fake_case, fake_result
from tests.results.fake_case import target as fake_target
from tests.results.guests import ENGINE, GuestCase

RESULT = fake_result(5)
DATA = RESULT.data
FEB_23 = 53


def values(name: str) -> Any:
    return DATA[name].values.astype(float)


def test_every_measure_reads_a_variable_of_the_table() -> None:
    for found in catalogue().measures.values():
        assert "" in found.sources
        for dim, source in found.sources.items():
            assert source.variable in catalogue().outputs
            assert not dim or dim in catalogue().outputs[source.variable].dims
            assert set(source.at) <= set(catalogue().outputs[source.variable].dims)


def test_totals_count_from_the_first_day_to_the_date_inclusive() -> None:
    found = measure(DATA, "registered", "2019-02-23")
    assert np.array_equal(found, values("registered")[:, : FEB_23 + 1].sum(1))
    found = measure(DATA, "registered", dt.date(2019, 3, 23), since="2019-02-23")
    assert np.array_equal(found, values("registered")[:, FEB_23 : FEB_23 + 29].sum(1))
    assert np.array_equal(measure(DATA, "shot"), values("shot").sum(1))


def test_totals_by_rank_branch_and_route() -> None:
    exits = values("exits_rank")
    assert np.array_equal(measure(DATA, "quiet_desertion"), exits[:, :, 0].sum((1, 2)))
    found = measure(DATA, "open_defection", by={"rank": "nco"})
    assert np.array_equal(found, exits[:, :, 2, 1].sum(1))
    found = measure(DATA, "registered_exit", by={"rank": ["junior", "senior"]})
    assert np.array_equal(found, exits[:, :, 1, 2:4].sum((1, 2)))
    found = measure(DATA, "quiet_desertion", by={"branch": ("guard",)})
    assert np.array_equal(found, values("exits_branch")[:, :, 0, 1].sum(1))
    found = measure(DATA, "left_abroad", by={"route": "trails"})
    assert np.array_equal(found, values("exits_route")[:, :, 2].sum(1))
    found = measure(DATA, "registered", by={"rank": "general"})
    assert np.array_equal(found, values("registered_rank")[:, :, 4].sum(1))


def test_levels_read_the_date() -> None:
    assert np.array_equal(measure(DATA, "opposed", "2019-01-09"), values("opposed")[:, 8])
    assert np.array_equal(measure(DATA, "serving"), values("fates")[:, -1, 0])
    assert np.array_equal(measure(DATA, "embassy", "2019-06-01"), values("fates")[:, 151, 6])
    assert np.array_equal(measure(DATA, "hiding", by={"rank": "nco"}), values("fate_rank")[:, 2, 1])


def test_share_left_is_a_share_of_the_strength() -> None:
    left = values("exits_route")[:, :82].sum((1, 2))
    assert np.allclose(measure(DATA, "share_left", "2019-03-23"), left / 160_000, rtol=1e-15)
    found = measure(DATA, "share_left", by={"rank": "general"})
    strength = values("fate_rank")[:, :, 4].sum(1)
    assert np.allclose(found, values("crossed_rank")[:, :, 4].sum(1) / strength, rtol=1e-15)


def test_rate_ratio_compares_the_month_after_with_the_weeks_before() -> None:
    left = values("exits_route").sum(2)
    after = (left[:, FEB_23 : FEB_23 + 30].sum(1) + 0.5) / 30
    before = (left[:, FEB_23 - 28 : FEB_23].sum(1) + 0.5) / 28
    assert np.allclose(measure(DATA, "rate_ratio", "2019-02-23"), after / before, rtol=1e-15)
    before = (left[:, 22:FEB_23].sum(1) + 0.5) / 31
    found = measure(DATA, "rate_ratio", "2019-02-23", since="2019-01-23")
    assert np.allclose(found, after / before, rtol=1e-15)


def test_rate_ratio_stays_finite_and_stops_at_the_calendars_end() -> None:
    nobody = DATA.assign(exits_route=DATA["exits_route"] * 0)
    assert np.allclose(measure(nobody, "rate_ratio", "2019-02-23"), (0.5 / 30) / (0.5 / 28))
    left = values("exits_route").sum(2)
    after = (left[:, -5:].sum(1) + 0.5) / 5
    before = (left[:, -33:-5].sum(1) + 0.5) / 28
    assert np.allclose(measure(DATA, "rate_ratio", "2019-12-27"), after / before, rtol=1e-15)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"name": "registred"}, "no measure 'registred', did you mean 'registered'"),
        ({"name": "shot", "date": "2020-01-01"}, "outside the calendar, which runs from 2019-01-01"),
        ({"name": "shot", "date": "1 March"}, "is not a date"),
        ({"name": "shot", "date": "2019-03"}, "is not a date"),
        ({"name": "shot", "date": "2019-01-02", "since": "2019-01-03"}, "which is before it"),
        ({"name": "shot", "by": {"rank": "nco"}}, "shot by rank was not counted"),
        ({"name": "meals", "by": {"rank": "nco"}}, "not recorded by rank.*for the whole force only"),
        ({"name": "registered", "by": {"rnk": "nco"}}, "did you mean 'rank'"),
        ({"name": "registered", "by": {"rank": "nko"}}, "no rank 'nko', did you mean 'nco'"),
        (
            {"name": "registered", "by": {"rank": "nco", "branch": "army"}},
            "registered by rank and branch was not",
        ),
        ({"name": "registered", "by": {"branch": "army"}}, "registered by branch needs registered_branch"),
        ({"name": "serving", "date": "2019-03-01", "by": {"rank": "nco"}}, "on the last day only"),
        ({"name": "rate_ratio", "date": "2019-01-01"}, "at least one day before"),
    ],
)
def test_what_no_variable_answers_is_an_error(question: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        measure(DATA, **question)


def test_questions_are_checked_before_any_run() -> None:
    case = fake_case()
    check_question("registered", {"rank": ["general", "nco"]}, case)
    check_question("rate_ratio", None, case)
    with pytest.raises(UsageError, match="did you mean 'general'"):
        check_question("registered", {"rank": "generl"}, case)
    with pytest.raises(UsageError, match="do not count registered by state"):
        check_question("registered", {"state": "VE-A"}, case)


def test_ends_of_plots_have_no_day() -> None:
    with pytest.raises(UsageError, match="over the whole run only"):
        measure(DATA, "plots_leaked", "2019-03-01")
    with pytest.raises(UsageError, match="plots_leaked needs plot_ends"):
        measure(DATA.drop_vars("plot_ends"), "plots_leaked")


def test_a_part_against_another_is_a_ratio_that_stays_finite() -> None:
    nco, army = {"rank": ("nco",)}, {"rank": ("enlisted", "junior")}
    target = fake_target("nco-first", "", "quiet_desertion", "2019-02-28", by=nco, against=army)
    counted = measure(DATA, "quiet_desertion", "2019-02-28", by=nco)
    others = measure(DATA, "quiet_desertion", "2019-02-28", by=army)
    assert np.array_equal(measure_of(DATA, target), (counted + 0.5) / (others + 0.5))
    early = dt.date(2019, 1, 10)
    all_of_them = fake_target("all", "", "registered", "2019-02-28")
    assert np.array_equal(measure_of(DATA, all_of_them, early), measure(DATA, "registered", early))


def test_a_part_is_asked_for_within_the_name() -> None:
    by = {"rank": ("nco", "junior")}
    asked = "left:rank=nco+junior"
    assert np.array_equal(measure(DATA, asked), measure(DATA, "left", by=by))
    assert set(read_by("left:branch=army")) >= {"exits_branch"}
    assert called(asked).endswith(" (rank nco and junior)")
    assert called("left:rank=nco,branch=army").endswith(" (rank nco, branch army)")
    check_question(asked, None, fake_case())
    for wrong, said in (
        ("left:rank", "names no part of the force"),
        ("left:rank=", "names no part of the force"),
        ("left:rank=nco,rank=junior", "names no part of the force"),
        ("left:rnak=nco", "did you mean 'rank'"),
        ("left:rank=ncoo", "no rank 'ncoo', did you mean 'nco'"),
        ("lefft:rank=nco", "no measure 'lefft'"),
    ):
        with pytest.raises(UsageError, match=said):
            check_question(wrong, None, fake_case())


def test_what_runs_do_not_count_names_what_they_do() -> None:
    with pytest.raises(UsageError, match=r"do not count left by state\n.*by rank or branch; otherwise"):
        check_question("left:state=A", None, fake_case())
    with pytest.raises(UsageError, match="by rank on days before the last"):
        check_question("serving:rank=nco", None, fake_case(), last=False)
    check_question("serving:rank=nco", None, fake_case())


def test_the_variables_that_are_named_are_enough() -> None:
    data = fake_result(4).data
    recorded = [name for name in catalogue().measures if read_by(name)[0] in data]
    assert len(recorded) > 50
    for name in recorded:
        have = [v for v in read_by(name) if v in data]
        date = "2019-06-30" if catalogue().measures[name].kind == "ratio" else None
        few, every = (measure(of, name, date) for of in (data[[*have, "field_credibility"]], data))
        assert np.array_equal(few, every, equal_nan=True), name


KNOWN = {"run", "day", *coordinates(fake_case())}


def test_ids_stand_in_the_order_of_the_engines_codes() -> None:
    assert tuple(FATES) == ENGINE_FATES
    assert {rule.at for rule in EXITS} == set(range(len(OUTCOMES)))


def test_every_variable_is_run_first_and_says_how_days_combine() -> None:
    for variable in catalogue().outputs.values():
        assert variable.dims[0] == "run"
        assert set(variable.dims) <= KNOWN
        assert "day" not in variable.dims[2:]
        assert variable.label
        assert variable.unit
        assert variable.aggregation in ("sum", "last", "mean")
        assert variable.name not in variable.dims, "xarray keeps that name for the coordinate"
        np.dtype(variable.dtype)


def test_daily_counts_are_the_variables_that_add_up() -> None:
    for variable in catalogue().outputs.values():
        if "day" in variable.dims:
            assert (variable.aggregation == "sum") == variable.unit.endswith(" per day"), variable.name


GUEST_CASE: Any = GuestCase()
HOST = simulate(GUEST_CASE, runs=4, seed=3, workers=1, log_runs=0, simulator=ENGINE).data
MAY_1 = 120


def host_values(name: str) -> Any:
    return HOST[name].values.astype(float)


def test_who_is_in_sites() -> None:
    assert np.array_equal(measure(HOST, "in_sites", "2019-05-01"), host_values("stay_soldiers")[:, MAY_1, 0])
    persons = host_values("stay_soldiers") + host_values("stay_relatives")
    assert np.array_equal(measure(HOST, "persons_in_sites", "2019-05-01"), persons[:, MAY_1, 0])
    inside = host_values("site_soldiers") + host_values("site_relatives")
    found = measure(HOST, "persons_in_sites", "2019-05-01", by={"site": ["first-hotel", "second-hotel"]})
    assert np.array_equal(found, inside[:, MAY_1, 1:3].sum(1))
    found = measure(HOST, "in_sites", "2019-05-01", by={"site": "embassy-house"})
    assert np.array_equal(found, host_values("site_soldiers")[:, MAY_1, 3])
    check_question("in_sites", {"site": "first-hotel"}, GUEST_CASE)
    with pytest.raises(UsageError, match="did you mean 'first-hotel'"):
        check_question("in_sites", {"site": "first-hotl"}, GUEST_CASE)


def test_a_level_of_nobody_is_no_number() -> None:
    data = HOST.assign(morale=HOST["files_wait"] * np.nan)
    assert np.isnan(measure(data, "morale", "2019-05-01")).all()
    with pytest.raises(UsageError, match="morale needs morale, which these runs did not record"):
        measure(HOST, "morale")
