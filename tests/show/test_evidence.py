"""The ledger as a report shows it."""

from __future__ import annotations

import breakrank
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
