"""From a case to its synthetic force."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from breakrank.force.battle import order_of_battle, slot_kinds
from breakrank.force.establishment import Establishment
from breakrank.force.force import Force
from breakrank.force.ranks import deal_ranks
from breakrank.force.ties import build_ties
from breakrank.force.traits import academy_classes, access_chances, draw_people, household

if TYPE_CHECKING:
    from breakrank.case import Case


def build_force(case: Case, key: np.uint64) -> Force:
    """Build the synthetic force of a case: order of battle, soldiers, trust ties.

    Branches, stations and ranks have exactly the strengths of the case (largest remainder); who
    holds which rank, their service, household, access and ties are draws under `key`, named by
    identity (:mod:`breakrank.draws`). The same case and key give the same bits.

    Parameters
    ----------
    case : its force, crossings, capital, calendar and the parameters ``force.*`` are read.
    key : key of the draws, from :func:`breakrank.draws.luck_key`.

    Raises
    ------
    UsageError
        if ``force.strength`` is not in 1..10,000,000.
    """
    return force_of_plan(Establishment.of(case), np.uint64(key))


def force_of_plan(plan: Establishment, key: np.uint64) -> Force:
    """Build the synthetic force that an establishment describes; see :func:`build_force`."""
    formations, units = order_of_battle(plan)
    classes, first_class = academy_classes(plan)
    n = plan.n
    identity = np.arange(n, dtype=np.uint32)
    unit = np.repeat(np.arange(len(units), dtype=np.int32), units.size)
    branch = units.branch[unit]
    rank = deal_ranks(plan, key, slot_kinds(units), branch)
    years, dependants, access = (np.zeros(n, np.uint8) for _ in range(3))
    school_class, kin_abroad = np.zeros(n, np.uint32), np.zeros(n, np.bool_)
    draw_people(
        key,
        identity,
        rank,
        unit,
        plan.years,
        first_class,
        household(plan),
        plan.values["kin_abroad"],
        access_chances(plan, key, units),
        years,
        school_class,
        dependants,
        kin_abroad,
        access,
    )
    comrades, classmates, kin = (plan.values[name] for name in ("comrades", "classmates", "kin"))
    return Force(
        identity=identity,
        branch=branch,
        rank=rank,
        state=units.state[unit],
        unit=unit,
        years=years,
        school_class=school_class,
        dependants=dependants,
        kin_abroad=kin_abroad,
        access=access,
        units=units,
        formations=formations,
        classes=classes,
        labels=plan.labels,
        ties=build_ties(key, identity, unit, school_class, units, classes, (comrades, classmates, kin)),
    )
