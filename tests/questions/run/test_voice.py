"""The figures of plots and risings: what they say, what they leave out, and when there is nothing to draw."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from typing import Any

import numpy as np
import pytest

from breakrank import load_case
from breakrank.model import build
from breakrank.questions.run import command_tree, headline
from breakrank.questions.run import risings as months
from breakrank.questions.run.against_record import against
from breakrank.questions.run.charts import chart
from breakrank.questions.run.recorded import NEEDS, recorded
from breakrank.questions.run.voice_figures import VOICE
from breakrank.show.look import Look
from tests.questions.run.voiced import voiced
from tests.results.fake_case import target
from tests.results.test_outcomes import OtherTargets
from tests.results.voices import log
from tests.show.valid import validated
from tests.show.world import made


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


@pytest.mark.parametrize("name", VOICE)
def test_results_made_before_there_were_plots_say_so(result: Any, name: str) -> None:
    older = made(runs=3)
    gone = [v for v in older.data.data_vars if v in {n for needs in NEEDS.values() for n in needs}]
    gone += [v for v in older.data.data_vars if str(v).endswith("_region")]
    older = type(older)(data=older.data.drop_vars(gone), case=older.case, seed=older.seed)
    assert not recorded(older, name)
    assert VOICE[name](older, Look()).sentence.endswith(".")
    assert recorded(result, name)


def test_months_count_runs_by_their_best_outcome(result: Any) -> None:
    one = months.months(result)
    data = result.data
    january = data["risings"].values[:, :31].any(axis=1)
    assert one.share[0].sum() == pytest.approx(january.mean())
    assert one.share[0, 2] == pytest.approx(data["won"].values[:, :31].any(axis=1).mean())
    assert len(one.starts) == 12
    assert one.holds == data["regime_holds"].values[:, -1].mean()


def test_the_record_stands_over_its_month(result: Any) -> None:
    january = target(
        "january",
        "Rising in January",
        "risings",
        "2019-01-31",
        start=dt.date(2019, 1, 1),
        unit="risings",
        value=1.0,
    )
    year = target("year", "Risings in the year", "risings", "2019-12-31", unit="risings", value=2.0)
    case = OtherTargets()
    object.__setattr__(case, "asked", (january, year))
    one = months.months(dataclasses.replace(result, case=case))
    assert [(p, text) for p, text, _ in one.counted] == [(0, "1")], "the year's figure fits no month"


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


def test_the_record_of_yes_or_no_stands_in_the_table_only(result: Any) -> None:
    case = OtherTargets()
    asked = [
        target("holds", "In place", "regime_holds", "2019-12-31", unit="1 or 0", value=1.0),
        target("taken", "Taken", "rising_arrested", "2019-01-31", value=27.0),
        target("january", "Risings", "risings", "2019-01-31", unit="risings", value=1.0),
    ]
    object.__setattr__(case, "asked", tuple(asked))
    changed = dataclasses.replace(result, case=case)
    assert [a.targets for a in against(changed)] == [("january",)]
    rows = {o.id: o for o in changed.outcomes()}
    january = result.data.isel(day=slice(31))
    caught = np.where(january["risings"].values > 0, january["arrested"].values, 0)
    caught = (caught + january["surrendered"].values).sum(axis=1)
    assert rows["taken"].median == np.median(caught) > 0
    holds = rows["holds"]
    assert (headline.middle(holds, ""), headline.said(holds, "")) == ("88% of runs", "yes")


@pytest.mark.parametrize(("number", "told"), [(1, "1 rising."), (2, "2 risings.")])
def test_the_risings_of_a_single_run_are_counted(number: int, told: str) -> None:
    day = dt.date(2019, 1, 31)
    one = months.Months(1, (day,), (day,), np.array([[0.0, 0.0, 1.0]]), np.array([float(number)]), np.nan, ())
    assert months.sentence(one) == f"The one run has {told}"
