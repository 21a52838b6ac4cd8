from __future__ import annotations

import numpy as np

from breakrank.case.place_codes import places
from breakrank.engine.codes import FATES as ENGINE_FATES
from breakrank.engine.observed import EXITS
from breakrank.results.variables import FATES, OUTCOMES, VARIABLES, coordinates, days, field_variable
from breakrank.spec import Field
from tests.results.fake import fake_case

KNOWN = {"run", "day", *coordinates(fake_case())}


def test_ids_stand_in_the_order_of_the_engines_codes() -> None:
    assert tuple(FATES) == ENGINE_FATES
    assert {rule.at for rule in EXITS} == set(range(len(OUTCOMES)))


def test_every_variable_is_run_first_and_says_how_days_combine() -> None:
    for variable in VARIABLES.values():
        assert variable.dims[0] == "run"
        assert set(variable.dims) <= KNOWN
        assert "day" not in variable.dims[2:]
        assert variable.label
        assert variable.unit
        assert variable.aggregation in ("sum", "last", "mean")
        assert variable.name not in variable.dims, "xarray keeps that name for the coordinate"
        np.dtype(variable.dtype)


def test_daily_counts_are_the_variables_that_add_up() -> None:
    for variable in VARIABLES.values():
        if "day" in variable.dims:
            assert (variable.aggregation == "sum") == variable.unit.endswith(" per day"), variable.name


def test_fields_stand_under_their_name() -> None:
    variable = field_variable(Field("aid_pay", "US dollars a month", 0, 1, "about", ("rank",)))
    assert (variable.name, variable.dims, variable.label) == ("field_aid_pay", ("day", "rank"), "Aid pay")


def test_coordinates_and_days_come_from_the_case() -> None:
    case = fake_case()
    found = coordinates(case)
    assert found["route"][0] == "simon-bolivar-bridge"
    assert found["fate"][0] == "serving"
    calendar = days(case)
    assert calendar.dtype == "datetime64[ns]"
    assert str(calendar[0])[:10] == "2019-01-01"
    assert str(calendar[-1])[:10] == "2019-12-31"
    assert places(case) == (*found["state"], *found["route"])
