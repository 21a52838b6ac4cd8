"""What an explanation says: its finding, its grid of mechanisms by outcome, and its sentences."""

from __future__ import annotations

import numpy as np

from breakrank.answer.cells import UNCLEAR, parts
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
