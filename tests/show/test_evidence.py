"""The ledger as a report shows it."""

from __future__ import annotations

import breakrank
from breakrank.questions.paired import bases
from breakrank.show.evidence import Evidence
from breakrank.wording import HEDGES


def test_a_bound_and_a_round_figure_are_written_as_such() -> None:
    case = breakrank.load_case("venezuela-2019")
    ledger = case.ledger.observations
    by_number = dict(enumerate((o for s in case.ledger.sources for o in ledger.values() if o.source == s), 1))
    said = [(by_number[int(row["number"])], row["figure"]) for row in Evidence(case).observation_rows()]
    hedged = {one.id: figure for one, figure in said if one.bound}
    assert hedged["panama-1989-ringleaders-executed"] == "at least 10 persons"
    assert all(figure.startswith(HEDGES[ledger[name].bound or ""]) for name, figure in hedged.items())


def test_what_a_number_rests_on_says_what_is_assumed_and_of_a_changed_one_the_change() -> None:
    case = breakrank.load_case("venezuela-2019", "point")
    payer = case.payers.named("colombia")
    said = Evidence(case).behind(payer.evidence, payer.assumed)
    assert said.startswith("in part assumed: No budget was published. The sum is")
    assert "with fewer later. On record: the outlet, in Vice News" in said
    assert Evidence(case).behind(None, "Invented.") == "assumed: Invented."
    name = next(name for name, one in case.parameters.items() if one.evidence)
    most = case.parameters[name].high
    assert bases(case.set({name: most}), [name])[0].says == f"assumed: Set to {most:g} by hand."
    assert bases(case, [name])[0].says.startswith("the outlet, in NPR")
