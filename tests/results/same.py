"""Whether two results hold the same bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.results.result import Result


def assert_same_data(one: xr.Dataset, other: xr.Dataset) -> None:
    assert one.identical(other)
    assert list(one.variables) == list(other.variables)
    for name in one.variables:
        left, right = one[name].values, other[name].values
        assert left.dtype == right.dtype, name
        assert left.tobytes() == right.tobytes(), name


def assert_same_bits(one: Result, other: Result) -> None:
    assert_same_data(one.data, other.data)
    assert (one.events is None) == (other.events is None)
    if one.events is not None:
        assert one.events.schema.equals(other.events.schema)
        assert one.events.equals(other.events)
