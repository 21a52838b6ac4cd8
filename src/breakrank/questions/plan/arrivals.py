"""What if times as many people come: each one who comes in a run stands for so many.

The runs keep their force, so its soldiers, their luck and the worlds that agree with the record stay. What
a host has is divided instead: places, money, caseworkers, and the numbers at which a town grows tense. What
comes out is counted so many times. That is the same as a larger force before the same host, since no rate of
the model depends on the size of the force. Crowding acts back as in any run: on who is put out, on what is
told at home, and on who leaves after that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from breakrank.case.changes import counterfactual
from breakrank.case.models_events import Changes
from breakrank.errors import UsageError
from breakrank.results.whole_force import times as as_many

if TYPE_CHECKING:
    import xarray as xr

    from breakrank.case import Case

FEWEST, MOST = 0.25, 10.0
"""Times as many people as may be asked for."""
_DIVIDED = ("reception.places", "reception.funding")
_TENSION = "reception.tension_numbers"
_STAFF = "asylum_staff"


def check_arrivals(times: float) -> float:
    """Return how many times as many people come, if it can be asked; UsageError otherwise."""
    if not FEWEST <= times <= MOST:
        raise UsageError(f"arrivals {times:g}: a number from {FEWEST:g} to {MOST:g} is expected")
    return float(times)


def crowded(case: Case, times: float) -> Case:
    """Return a case in which everyone who comes stands for `times` people.

    Caseworkers are whole, so in the runs they are those of the case to within half of `times`.

    Raises
    ------
    UsageError
        for a number that cannot be asked.
    """
    if check_arrivals(times) == 1:
        return case
    values = {name: case.value(name) / times for name in _DIVIDED if name in case.parameters}
    edit = {}
    staff = case.content.fields.get(_STAFF)
    if staff is not None and staff.value:
        edit = {"fields": {_STAFF: {"value": max(1, round(staff.value / times))}}}
    if _TENSION in case.parameters:
        draws, most = case.draws, case.declared[_TENSION].high
        if draws is not None and _TENSION in draws.names:
            drawn = draws.values.copy()
            column = draws.names.index(_TENSION)
            drawn[:, column] = (drawn[:, column] * times).clip(max=most)
            case = case.with_draws(replace(draws, values=drawn))
        else:
            values[_TENSION] = min(case.value(_TENSION) * times, most)
    return counterfactual(case, Changes(id="arrivals", title=called(times), set=values, edit=edit))


def counted(data: xr.Dataset, times: float) -> xr.Dataset:
    """Return what runs of such a case counted of people, files and money, so many times."""
    return data if times == 1 else as_many(data, times)


STAYS = "places, funds and caseworkers of the host stay as they are"
"""What is said beside it."""


def called(times: float) -> str:
    """Return what it is called.

    >>> called(2), called(0.5)
    ('2 times as many people come', '0.5 times as many people come')
    """
    return f"{times:g} times as many people come"
