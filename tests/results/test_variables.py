from __future__ import annotations

import numpy as np

from breakrank.engine.codes import FATES as ENGINE_FATES
from breakrank.engine.observe import EXITS
from breakrank.labels import FATES, OUTCOMES
from breakrank.model import catalogue
from breakrank.results.measures import coordinates
from tests.results.fake import fake_case

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
