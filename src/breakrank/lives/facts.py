"""What patterns may ask of soldiers and of events: each fact by its name, with what makes it true."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from breakrank.case.models_routes import Crossing
from breakrank.engine import codes
from breakrank.force.columns import BORDER_POST, ESCORT, GUARDS_POLITICIAN, VEHICLE
from breakrank.lives.columns import Column, Incidents, Lives, Mask
from breakrank.lives.together import officers

_FAMILY: Final = 1
_POST: Final = 2
_LOW: Final = 0.5


def _sergeants(lives: Lives) -> Mask:
    ranks = lives.case.force.ranks
    nco = [k for k, r in enumerate(ranks) if r.school == "nco"]
    return np.isin(
        lives.force.rank, nco or [k for k, r in enumerate(ranks) if r.school != "officer" and k > 0]
    )


def _has(flag: int) -> Callable[[Lives], Mask]:
    return lambda lives: (lives.force.access & flag) != 0


OF_A_SOLDIER: Final[Mapping[str, Callable[[Lives], Mask]]] = {
    "opposed at the end": lambda lives: lives.opposed,
    "dependants": lambda lives: lives.force.dependants > 0,
    "kin abroad": lambda lives: lives.force.kin_abroad.astype(np.bool_),
    "vehicle": _has(VEHICLE),
    "border post": _has(BORDER_POST),
    "escort duty": _has(ESCORT),
    "guards a politician": _has(GUARDS_POLITICIAN),
    "in intelligence": lambda lives: lives.trained,
    "officer": lambda lives: officers(lives, 0, None),
    "lowest officer": lambda lives: officers(lives, 0, 1),
    "middle officer": lambda lives: officers(lives, 1, -1),
    "highest rank": lambda lives: lives.force.rank == len(lives.case.force.ranks) - 1,
    "sergeant": _sergeants,
}
"""Each takes the lives of a run and returns bool (soldier,)."""


def _by_vehicle(lives: Lives, rows: Incidents) -> Mask:
    head = np.where(rows.other >= 0, rows.other, rows.who)
    access = lives.force.access
    return np.asarray(((access[rows.who] | access[head]) & VEHICLE) != 0)


def _closed(lives: Lives, rows: Incidents) -> Mask:
    return lives.on_ways(rows, lives.case.route_daily("open") == 0)


def _leads(there: Callable[[Crossing], bool]) -> Callable[[Lives, Incidents], Mask]:
    def holds(lives: Lives, rows: Incidents) -> Mask:
        those = np.array([there(c) for c in lives.case.crossings], np.bool_)
        return lives.on_ways(rows, np.broadcast_to(those, (lives.case.calendar.days, those.size)))

    return holds


def _own_state(lives: Lives, rows: Incidents) -> Mask:
    case = lives.case
    home = np.array([*(case.force.states.position(c.state) for c in case.crossings), -1], np.int64)
    return np.asarray(home[rows.way] == lives.force.state[rows.who])


def _beside_a_shut_gate(lives: Lives, rows: Incidents) -> Mask:
    case = lives.case
    closed, violence = case.route_daily("open") == 0, case.route_daily("violence")
    shunned = np.zeros(closed.shape, np.bool_)
    for k, crossing in enumerate(case.crossings):
        for j, gate in enumerate(case.crossings):
            if gate.kind in ("bridge", "road") and gate.state == crossing.state:
                shunned[:, k] |= closed[:, j] & (violence[:, j] > gate.violence)
    return lives.on_ways(rows, shunned)


def _in_a_group(lives: Lives, rows: Incidents) -> Mask:
    return (rows.other >= 0) | (lives.followers[rows.who] > 0)


Facts = Mapping[str, Callable[[Lives, Incidents], Column]]

OF_AN_EVENT: Final[Facts] = {
    "opposed": lambda lives, rows: lives.opposed_then[rows.who],
    "with family": lambda _, rows: rows.value == _FAMILY,
    "from his post": lambda _, rows: rows.value == _POST,
    "leading": lambda lives, rows: lives.followers[rows.who] > 0,
    "following": lambda _, rows: rows.other >= 0,
    "in a group": _in_a_group,
    "by vehicle": _by_vehicle,
    "from his own state": _own_state,
    "closed": _closed,
    "beside a shut gate": _beside_a_shut_gate,
    "to the host": _leads(lambda way: way.host),
    "to the opposition": _leads(lambda way: way.at_home),
    "at a site": lambda lives, rows: lives.at_site(rows.who, rows.day) >= 0,
    "low morale": lambda _, rows: rows.value < _LOW,
    "to kin": lambda _, rows: rows.value == 0,
    "rightly": lambda _, rows: rows.value >= 1,
    "of the high command": lambda _, rows: rows.value >= codes.OF_THE_HIGH_COMMAND,
}
"""Each takes lives and rows of an event and returns bool (row,). Those put together bring their own."""


def fact(lives: Lives, rows: Incidents, name: str) -> Mask:
    """Return for each row whether a fact holds; one that belongs to other events holds of none."""
    if name in rows.facts:
        return rows.facts[name]
    made = OF_AN_EVENT.get(name)
    return np.zeros(len(rows.who), np.bool_) if made is None else np.asarray(made(lives, rows), np.bool_)
