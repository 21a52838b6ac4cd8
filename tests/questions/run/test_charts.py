from __future__ import annotations

import json
from typing import Any

import pytest

from breakrank.errors import UsageError
from breakrank.questions.run.charts import chart
from breakrank.questions.run.figures import FIGURES
from breakrank.show.look import Look
from tests.show.valid import validated
from tests.show.world import made


@pytest.fixture(scope="module")
def result() -> Any:
    return made()


@pytest.mark.parametrize("name", [None, *(name for name in FIGURES if name != "map")])
def test_every_chart_is_valid_vega_lite(result: Any, name: str | None) -> None:
    spec: Any = chart(result, name)
    assert validated(spec)["datasets"]


def test_unknown_chart_names_the_nearest(result: Any) -> None:
    with pytest.raises(UsageError, match="did you mean 'ranks'"):
        chart(result, "rank")


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("kind", ["one run", "one day", "nobody leaves", "ten years"])
def test_unusual_results_can_be_drawn(name: str, kind: str, unusual: dict[str, Any]) -> None:
    figure = FIGURES[name](unusual[kind], Look())
    assert figure.sentence
    assert "nan" not in figure.sentence
    for panel in figure.panels:
        assert "nan" not in panel.sentence
        assert json.dumps(panel.drawn.spec(), allow_nan=False)


@pytest.fixture(scope="module")
def unusual() -> dict[str, Any]:
    return {
        "one run": made(runs=1, end="2019-03-31"),
        "one day": made(runs=3, end="2019-01-01"),
        "nobody leaves": made(runs=3, end="2019-03-31", still=True),
        "ten years": made(runs=2, end="2028-12-31"),
    }
