"""Tables and bands of a result; where each parameter has one value, bands hold chance alone and say so."""

import copy
import datetime as dt
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from breakrank.answer.charts import drawn_figures
from breakrank.case import Draws
from breakrank.questions.run.answer import daily, observed_series
from breakrank.questions.run.headline import becoming, doubt, finding, frame, more
from breakrank.results.measures import find
from breakrank.results.result import Result
from breakrank.results.uncertainty import FIXED
from breakrank.show.axes import Look
from breakrank.show.style import LIGHT
from breakrank.show.tables import COLUMNS, POINTS, leaving, spread
from breakrank.show.terminal import NUMBER, WHOLE, Head, say_table
from tests.show.world import made


@pytest.fixture(scope="module")
def result() -> Any:
    return made(runs=8)


def test_bands_are_quantiles_over_runs(result: Any) -> None:
    one = leaving(result)[0]
    values = result.data["exits_rank"].sum(["outcome", "rank"]).cumsum("day").values
    assert one.last == spread(values[:, -1])
    frame = one.frame
    for low, high in pairwise(COLUMNS):
        assert (frame[low] <= frame[high]).all()
    assert (frame["median"].diff().dropna() >= 0).all()


@pytest.mark.parametrize("by", ["outcome", "rank", "branch"])
def test_groups_add_up_to_all(by: Any) -> None:
    one = made(runs=1)
    assert sum(s.last.median for s in leaving(one, by)) == leaving(one)[0].last.median > 0


def test_least_used_ways_are_drawn_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from breakrank.show import tables

    monkeypatch.setattr(tables, "ROUTES", 3)
    ways = leaving(made(runs=1), "route")
    assert [w.label for w in ways][-1] == "4 other ways"
    assert ways[0].last.median >= ways[1].last.median
    assert sum(w.last.median for w in ways) == made(runs=1).data["exits_route"].sum().item()


def test_long_calendars_are_thinned_to_the_last_day() -> None:
    long = made(runs=2, end="2028-12-31")
    one = leaving(long)[0]
    assert len(one.frame) <= POINTS
    assert str(one.frame["date"].iloc[-1].date()) == "2028-12-31"


def test_counting_from_a_day_starts_there(result: Any) -> None:
    values = result.data["registered"].values
    one = daily(result, find("registered"), dt.date(2019, 2, 23), {}, ())
    assert str(one.frame["date"].iloc[0].date()) == "2019-02-23"
    assert one.last.median == np.median(values[:, 53:].sum(axis=1))


def test_fates_leave_nobody_out(result: Any) -> None:
    one = becoming(result)
    assert one.serving + sum(f.mean for f in one.fates) == pytest.approx(one.strength)
    assert one.flow.sum() == pytest.approx(one.gone)
    assert frame(one)["mean"].sum() == pytest.approx(one.strength)


def test_observed_figures_stand_on_the_measure_they_count(result: Any) -> None:
    found = {ident: one for one, ids in observed_series(result) for ident in ids}
    assert set(found) == {"registered-february", "registered-month", "generals"}
    at = found["registered-month"].frame.set_index("date").loc["2019-03-23", "median"]
    outcome = next(o for o in result.outcomes() if o.id == "registered-month")
    assert at == outcome.median


@pytest.mark.parametrize("end", ["2019-12-31", "2021-09-30"])
def test_series_and_table_agree_on_the_days_of_the_record_however_long_the_calendar(end: str) -> None:
    answer = made(runs=3, end=end).answer
    daily, checked = answer["daily"].rows, 0
    for row in answer["outcomes"].records():
        if row["series"]:
            same = (
                (daily["id"] == row["series"]) & (daily["date"] == row["date"]) & (daily["group"] == "record")
            )
            (median,) = daily[same]["median"]
            assert median == row["median"]
            checked += 1
    assert checked == 3


def test_a_table_keeps_what_looks_like_markup_and_folds_long_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")  # as notebooks do, whose output is no terminal
    name = "a" * 80
    say_table([("[bold]name", Head()), ("n", NUMBER | WHOLE)], [("[red]x[/red]", "1"), (name, "12,345")])
    lines = capsys.readouterr().out.splitlines()
    assert "[bold]name" in lines[0] + lines[1]
    assert any("[red]x[/red]" in line and line.rstrip().endswith(" 1") for line in lines)
    assert "".join(lines).count("a") == len(name) + 1  # the head's own
    assert all(len(line) <= 60 and "\\u001b" not in line and "\033" not in line for line in lines)


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
