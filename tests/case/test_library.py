"""The built-in cases load, check and agree with the other parts of the package."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import list_cases
from tests.programs import python


@pytest.mark.parametrize("name", list_cases())
def test_each_loads_and_every_field_is_finite(name: str) -> None:
    case = breakrank.load_case(name)
    assert case.id == name
    for field in case.catalogue.fields.values():
        values = case.daily(field.name)
        assert np.isfinite(values).all()
        assert values.min() >= field.low
        assert values.max() <= field.high


@pytest.mark.parametrize("name", list_cases())
def test_each_is_written_and_read_again(name: str, tmp_path: Path) -> None:
    case = breakrank.load_case(name)
    again = breakrank.load_case(case.write(tmp_path / name))
    assert again.digest == case.digest


@pytest.mark.parametrize("name", list_cases())
def test_nothing_in_it_is_warned_of(name: str) -> None:
    assert [str(warning) for warning in breakrank.check_case(name)] == []


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, breakrank.case; "
        "heavy = {'scipy', 'xarray', 'pandas', 'numba', 'pyarrow', 'networkx', 'altair'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    python("-c", code, env={"PYTHONPATH": ":".join(p for p in sys.path if p)})
