from __future__ import annotations

import json
from typing import Any

import pytest

from breakrank.errors import UsageError
from breakrank.questions.run.charts import chart
from breakrank.questions.run.figures import FIGURES
from breakrank.show.look import Look
from breakrank.show.style import DARK
from tests.show.valid import validated
from tests.show.world import made


@pytest.fixture(scope="module")
def result() -> Any:
    return made()


def test_a_chart_is_one_of_altairs(result: Any) -> None:
    spec = chart(result).to_dict()
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/v6")
    assert spec["datasets"]


@pytest.mark.parametrize("name", [None, *(name for name in FIGURES if name != "map")])
def test_every_chart_is_valid_vega_lite(result: Any, name: str | None, plain_charts: None) -> None:
    spec: Any = chart(result, name)
    assert validated(spec)["datasets"]


def test_charts_hold_quantiles_and_not_runs(result: Any, plain_charts: None) -> None:
    spec = json.dumps(chart(result, "ranks"))
    assert '"q05"' in spec
    assert '"run"' not in spec
    assert len(spec) < 400_000


def test_unknown_chart_names_the_nearest(result: Any) -> None:
    with pytest.raises(UsageError, match="did you mean 'ranks'"):
        chart(result, "rank")


def test_unknown_theme_is_refused(result: Any) -> None:
    with pytest.raises(UsageError, match="theme is 'blue'"):
        chart(result, theme="blue")  # type: ignore[arg-type]


def test_dark_chart_has_dark_ground(result: Any, plain_charts: None) -> None:
    spec: Any = chart(result, "left", theme="dark")
    assert spec["config"]["background"] == DARK.paper


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
