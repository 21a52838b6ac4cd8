"""The figures of plots and risings: what they say, what they leave out, and when there is nothing to draw."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from breakrank import load_case
from breakrank.model import build
from breakrank.questions.run import command_tree
from breakrank.questions.run import risings as months
from breakrank.questions.run.charts import chart
from breakrank.questions.run.voice_figures import VOICE
from breakrank.show.look import Look
from tests.questions.run.voiced import voiced
from tests.results.voices import log
from tests.show.valid import validated


@pytest.fixture(scope="module")
def result() -> Any:
    return voiced()


@pytest.mark.parametrize("name", VOICE)
def test_every_figure_is_drawn_and_told(result: Any, name: str) -> None:
    figure = VOICE[name](result, Look())
    assert figure.sentence.endswith(".")
    assert figure.table.rows
    assert all(len(row) == len(figure.table.columns) for row in figure.table.rows)
    for panel in figure.panels:
        assert panel.sentence.endswith(".")
        assert json.dumps(panel.drawn.spec(), allow_nan=False)
    spec: Any = chart(result, name)
    assert all(validated(spec)["datasets"].values())


def test_months_count_runs_by_their_best_outcome(result: Any) -> None:
    one = months.months(result)
    data = result.data
    january = data["risings"].values[:, :31].any(axis=1)
    assert one.share[0].sum() == pytest.approx(january.mean())
    assert one.share[0, 2] == pytest.approx(data["won"].values[:, :31].any(axis=1).mean())
    assert len(one.starts) == 12
    assert one.holds == data["regime_holds"].values[:, -1].mean()


def test_tree_of_a_log_counts_soldiers_by_branch_and_region() -> None:
    case = load_case("venezuela-2019", "values").set({"force.strength": 3000})
    force = build(case, 7)
    rows = [
        (5, "founded a plot", 10, None, 0.0),
        (6, "joined a plot", 11, 10, 0.0),
        (9, "left for the border", 10, None, 0.0),
        (9, "arrested", 12, None, 0.0),
        (12, "released by a patron", 12, None, 0.0),
        (9, "arrested", 13, None, 0.0),
    ]
    bare = voiced(runs=2, logs={0: log(*rows)})
    kept = [v for v in bare.data.data_vars if not str(v).endswith("_region")]
    bare = type(bare)(data=bare.data[kept], case=case, seed=7, events=bare.events)
    one = command_tree.tree(bare, force)
    assert one is not None
    each = 160_000 / 3000
    assert one.strength.sum() == pytest.approx(3000 * each)
    assert np.nansum(one.gone * one.strength) == pytest.approx(2 * each)
    assert np.nansum(one.plotted * one.strength) == pytest.approx(2 * each)
    assert np.isnan(one.opposed).all()
    assert "not known" in str(command_tree.table(one).rows)
