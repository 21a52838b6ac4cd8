"""A purge is counted by those it discharges, and by nobody who leaves the force in another way."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import breakrank
from breakrank.engine.codes import EV_DISCHARGED, EV_SET_FREE, FATES
from breakrank.model import Model, build
from breakrank.results.outcome_names import called

MANY_PLOTS = {"force.strength": 16_000, "plots.from_start": 400, "counterintelligence.sentence_days": 60}


@cache
def purged(chance: float) -> tuple[int, int, int, int]:
    """Return the purge count of a year, discharges and releases in its log, and who is out at the end."""
    case = breakrank.load_case("venezuela-2019", "values").set(MANY_PLOTS | {"regime.purge": chance})
    run = Model(case, build(case, 3)).replicate(3, 0, log=True)
    assert run.events is not None
    discharged, freed = (int(np.sum(run.events["event"] == e)) for e in (EV_DISCHARGED, EV_SET_FREE))
    out = int(run.series["fates"][-1, FATES.index("discharged")])
    return int(run.series["discharged"].sum()), discharged, freed, out


def test_those_set_free_from_prison_are_not_counted_as_purged() -> None:
    counted, discharged, freed, out = purged(1)
    assert counted == discharged > 20
    assert freed > 20
    assert out == discharged + freed
    assert called("discharged") == "Discharged in a purge"


@pytest.mark.parametrize("chance", [0.1, 0.5])
def test_the_readier_the_regime_is_to_purge_the_more_are_discharged(chance: float) -> None:
    assert purged(0)[0] == 0
    assert 0 < purged(chance)[0] < purged(1)[0]
