"""A measure says which variables it reads, so that no others need to be."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.model import catalogue
from breakrank.results.measures import measure, read_by
from tests.results.fake import fake_result


@pytest.mark.parametrize("name", catalogue().measures)
def test_the_variables_that_are_named_are_enough(name: str) -> None:
    data = fake_result(4).data
    have = [v for v in read_by(name) if v in data]
    if read_by(name)[0] not in data:
        pytest.skip("the made-up runs do not record it")
    date = "2019-06-30" if catalogue().measures[name].kind == "ratio" else None
    assert np.array_equal(
        measure(data[[*have, "field_credibility"]], name, date), measure(data, name, date), equal_nan=True
    )
