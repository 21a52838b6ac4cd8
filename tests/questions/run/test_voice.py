"""What the record says of an uprising, in the table of outcomes."""

from __future__ import annotations

import dataclasses

import numpy as np

from breakrank.questions.run import headline
from breakrank.questions.run.against_record import against
from tests.results.fake_case import target
from tests.results.test_outcomes import OtherTargets
from tests.show.world import made


def test_the_record_of_yes_or_no_stands_in_the_table_only() -> None:
    result = made(runs=8)
    case = OtherTargets()
    asked = [
        target("holds", "In place", "regime_holds", "2019-12-31", unit="1 or 0", value=1.0),
        target("taken", "Taken", "uprising_arrested", "2019-01-31", value=27.0),
        target("january", "Uprisings", "uprisings", "2019-01-31", unit="uprisings", value=1.0),
    ]
    object.__setattr__(case, "asked", tuple(asked))
    changed = dataclasses.replace(result, case=case)
    assert [a.targets for a in against(changed)] == [("january",)]
    rows = {o.id: o for o in changed.outcomes()}
    january = result.data.isel(day=slice(31))
    caught = np.where(january["uprisings"].values > 0, january["arrested"].values, 0)
    caught = (caught + january["surrendered"].values).sum(axis=1)
    assert rows["taken"].median == np.median(caught) > 0
    holds = rows["holds"]
    assert (headline.middle(holds, ""), headline.said(holds, "")) == ("88% of runs", "yes")
