"""A measure says which variables it reads, so that no others need to be."""

from __future__ import annotations

import numpy as np

from breakrank.model import catalogue
from breakrank.results.measures import measure, read_by
from tests.results.fake import fake_result


def test_the_variables_that_are_named_are_enough() -> None:
    data = fake_result(4).data
    recorded = [name for name in catalogue().measures if read_by(name)[0] in data]
    assert len(recorded) > 50
    for name in recorded:
        have = [v for v in read_by(name) if v in data]
        date = "2019-06-30" if catalogue().measures[name].kind == "ratio" else None
        few, every = (measure(of, name, date) for of in (data[[*have, "field_credibility"]], data))
        assert np.array_equal(few, every, equal_nan=True), name
