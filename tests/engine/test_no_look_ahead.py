"""No mechanism reads tomorrow: a change from a day on leaves all days before it as they were, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from breakrank import Case
from breakrank.engine.replicate import Replicate
from breakrank.model import Model
from breakrank.spec import Field
from tests.engine.worlds import PLOTTING, busy, force_of
from tests.mechanisms.civil_war import civil_war

CASE = busy(500, "2019-03-01", **{name.replace(".", "__"): value for name, value in PLOTTING.items()})
DAY = 30
FELT = ("credibility", "pay", "posting", "call", "host_reputation")
"""Fields whose change shows within three weeks, even in so small a force."""


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Case:
    case = civil_war(tmp_path_factory.mktemp("montara") / "montara")
    return case.set({"force.strength": 800}).until(case.calendar.date(60))


def changed(case: Case, field: Field) -> Case:
    """Return a case in which a field is far from its usual level from a day on."""
    high = min(field.high, field.low + 40)
    effect = {"field": field.name, "op": "set", "value": field.low + 0.9 * (high - field.low)}
    date = str(case.calendar.date(DAY))
    event = {"id": "change", "date": date, "title": "A change", "assumed": "Invented.", "effects": [effect]}
    return case.with_events([event])


def days(run: Replicate, first: int, end: int) -> list[bytes]:
    """Return the daily counts and the log of some days, as bytes."""
    series = [x[first:end].tobytes() for _, x in sorted(run.series.items()) if x.ndim and len(x) > end]
    rows = (run.events["day"] >= first) & (run.events["day"] < end)
    return series + [column[rows].tobytes() for _, column in sorted(run.events.items())]


def runs(case: Case, name: str) -> tuple[Replicate, Replicate]:
    force, field = force_of(case), case.catalogue.fields[name]
    one, other = (Model(c, force).replicate(1, 3, log=True) for c in (case, changed(case, field)))
    return one, other


@pytest.mark.parametrize("name", sorted(CASE.catalogue.fields))
def test_no_mechanism_reads_a_later_day(name: str) -> None:
    one, other = runs(CASE, name)
    assert days(one, 0, DAY) == days(other, 0, DAY)
    if name in FELT:
        assert days(one, DAY, DAY + 21) != days(other, DAY, DAY + 21)


@pytest.mark.parametrize("name", ["contact", "credibility", "amnesty", "call", "scarcity", "posting", "held"])
def test_nor_does_one_of_a_war(war: Case, name: str) -> None:
    one, other = runs(war, name)
    assert np.array_equal(days(one, 0, DAY), days(other, 0, DAY))
