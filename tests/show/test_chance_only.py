"""Where each parameter has one value, bands hold chance alone: they are named and drawn apart from others."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from breakrank.answer.charts import drawn_figures
from breakrank.case import Draws
from breakrank.questions.run.headline import doubt, finding, more
from breakrank.results.result import Result
from breakrank.results.uncertainty import FIXED
from breakrank.show.axes import Look
from breakrank.show.style import LIGHT
from tests.show.world import made


@pytest.fixture(scope="module")
def fixed() -> Result:
    return made(runs=24)


@pytest.fixture(scope="module")
def drawn(fixed: Result) -> Result:
    case = copy.copy(fixed.case)
    object.__setattr__(case, "draws", Draws(("fear.on",), np.ones((24, 1))))
    return replace(fixed, case=case)


def areas(result: Result) -> list[Any]:
    """Return the marks of all bands of the chart of all who left."""
    plots = {figure.name: found for figure, found in drawn_figures(result.answer, Look(LIGHT))}
    (panel,) = plots["left"]
    found: list[Any] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            if isinstance(mark := part.get("mark"), dict) and mark.get("type") == "area":
                found.append(mark)
            for one in part.values():
                walk(one)
        elif isinstance(part, list):
            for one in part:
                walk(one)

    walk(panel.drawn.spec())
    return found


def test_bands_are_outlined_by_dashes_and_not_filled(fixed: Result, drawn: Result) -> None:
    assert areas(fixed)
    assert all(mark["fillOpacity"] == 0 and mark["strokeDash"] for mark in areas(fixed))
    assert len(areas(drawn)) == len(areas(fixed))
    assert not any("strokeDash" in mark for mark in areas(drawn))


def test_the_headline_names_no_interval(fixed: Result, drawn: Result) -> None:
    for say in (finding, lambda one: more(one)[0]):
        said, other = (say(one) for one in (fixed, drawn))
        assert FIXED in doubt(fixed)
        assert "90% interval" not in said
        assert "90% interval" in other
        assert FIXED not in other


def test_the_report_and_the_printed_result_say_so_first(fixed: Result, drawn: Result) -> None:
    assert FIXED in fixed.answer.doubt
    assert FIXED not in drawn.answer.doubt
    assert repr(fixed).splitlines()[0].endswith(FIXED)
    assert FIXED not in repr(drawn)
