"""Plots and uprisings read back from a log made by hand."""

from breakrank.engine.codes import RISE
from breakrank.lives.stories import plots, uprisings
from tests.results.voices import log, plotted, risen


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
    assert {"pledged", "wiretapped", "named"} <= set(kinds)


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


def test_a_launch_carries_its_members_and_aim() -> None:
    (plot,) = plots(log((3, "founded a plot", 1, None, 0.0), (9, "plot launched", 1, None, 1012.0)))
    assert (plot.end, plot.size) == ("launched", 12)


def test_a_uprising_is_put_together_from_its_rows() -> None:
    (one,) = uprisings(log(*risen(119, 7)))
    assert (one.day, one.outcome, one.size) == (119, "collapsed", 93)
    assert (len(one.participants), len(one.reneged)) == (93, 3)
    assert 7 in one.participants


def test_an_empty_log_has_neither() -> None:
    assert plots(log()) == []
    assert uprisings(log()) == []
