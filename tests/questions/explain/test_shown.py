"""What an explanation says: its finding, its grid of mechanisms by outcome, and its sentences."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank.answer.cells import UNCLEAR, parts, show
from tests.questions.explain.made_up import HOLDS, LEFT, effect, explanation, removals


def test_a_grid_of_mechanisms_by_outcome() -> None:
    ((_, grid),) = parts(explanation()["removals"])
    assert grid.columns == ("without", "left abroad 23 Mar 2019", "regime holds")
    rows = {row[0]: row[1:] for row in grid.rows}
    assert rows["fear"] == ("+34,700", "−60 points")
    assert rows["plots"] == (UNCLEAR, UNCLEAR)
    lost = removals()
    lost[1][0] = effect(LEFT, "fear", 1300, np.nan, np.nan)
    ((_, grid),) = parts(explanation(lost)["removals"])
    assert grid.rows[1][1] == "no runs"


def test_the_finding_is_of_the_mechanism_that_matters_most() -> None:
    answer = explanation()
    said = "Crossed out of the country by 23 Mar 2019: 1,300 soldiers; "
    said += "without fear 36,000, without grievance 300."
    assert answer.finding == answer.figures[0].title == said
    assert any("without routes, each switched off alone, almost nothing remains" in n for n in answer.notes)
    assert any("5% would have happened without any dated event" in note for note in answer.notes)
    assert {basis.of.partition(".")[0] for basis in answer.evidence} == {"fear", "grievance", "routes"}
    assert any("paragraph" in basis.says for basis in answer.evidence)
    nothing = [[effect(LEFT, "plots", 1300, 1301, 12, 0.5), effect(HOLDS, "plots", 1, 1, 0)]]
    assert "none of 1 mechanisms can be told from zero" in explanation(nothing).finding


@pytest.mark.parametrize("columns", [40, 80, 110])
def test_every_width_gets_whole_words(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    show(explanation())
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= columns
    assert {"grievance", "2019", "+34,700"} <= set(printed.split())


def test_tables_hold_every_number() -> None:
    rows = explanation().table("removals")
    assert len(rows) == 8
    fear = rows.query("without == 'fear' and outcome == 'left_abroad'").iloc[0]
    assert (fear["mean"], fear["low"], fear["high"], bool(fear["told"])) == (34_700, 34_200, 35_200, True)
    events = explanation().table("events")
    assert events.loc["left_abroad", "after"] == 65
    assert np.isnan(events.loc["regime_holds", "share"]), "a chance may rise: nothing of it remains"
