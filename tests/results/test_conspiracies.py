"""Plots and risings read back from a log made by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from breakrank.engine.codes import EVENTS, RISE
from breakrank.results.conspiracies import log_of, plots, risings
from tests.results.voices import log, plots_log, plotted


def test_a_plot_is_put_together_from_its_rows() -> None:
    rows = plotted(3, 10, RISE, 5, "broken", 40, 50)
    (plot,) = plots(log(*rows, (12, "pledged to a plot", 90, 3, 0.0)))
    assert (plot.founder, plot.aim, plot.founded, plot.ended, plot.end, plot.size) == (
        3,
        1,
        10,
        40,
        "broken",
        6,
    )
    assert sorted(plot.members) == [3, 50, 51, 52, 53, 54]
    kinds = [what for _, what, _ in plot.marks]
    assert kinds.count("declined") == 2
    assert kinds.count("arrested") == 2
    assert {"pledged", "tapped", "named"} <= set(kinds)


def test_one_founder_may_found_again_and_circles_may_overlap() -> None:
    rows = [
        *plotted(3, 10, 0, 2, "dissolved", 20, 50),
        *plotted(3, 30, 1, 1, "alive", 60, 50),  # the same comrade again
        (35, "founded a plot", 50, None, 0.0),
        (36, "joined a plot", 51, 50, 0.0),
        (37, "joined a plot", 51, 50, 1.0),
    ]
    first, second, third = plots(log(*rows))
    assert (first.end, first.size, first.ended) == ("dissolved", 3, 20)
    assert (second.end, second.ended, sorted(second.members)) == ("alive", -1, [3, 50, 51])
    assert sorted(third.members) == [50, 51]


def test_logs_come_back_out_of_a_table() -> None:
    mine = plots_log()
    names = pa.array(list(EVENTS))
    columns = {k: pa.array(v) for k, v in mine.items() if k not in ("event", "place")}
    columns["event"] = pa.DictionaryArray.from_arrays(pa.array(mine["event"].astype(np.int16)), names)
    columns["run"] = pa.array(np.full(len(mine["day"]), 2, np.int32))
    table = pa.table(columns)
    back = log_of(table, 2)
    for name in ("day", "soldier", "event", "other", "value"):
        np.testing.assert_array_equal(back[name], mine[name])
    assert len(plots(back)) == 41
    assert plots(log_of(table, 1)) == []
    assert risings(log()) == []
