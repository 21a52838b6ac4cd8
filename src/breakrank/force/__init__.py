"""The synthetic force: order of battle, soldiers, trust ties. Start at :func:`build_force`."""

from __future__ import annotations

from breakrank.force.build import build_force
from breakrank.force.columns import (
    BORDER_POST,
    CLASSMATE,
    ESCORT,
    GUARDS_POLITICIAN,
    KIN,
    UNIT,
    VEHICLE,
    ClassTable,
    FormationTable,
    Labels,
    Ties,
    UnitTable,
)
from breakrank.force.force import Force
from breakrank.force.parameters import PARAMETERS

__all__ = [
    "BORDER_POST",
    "CLASSMATE",
    "ESCORT",
    "GUARDS_POLITICIAN",
    "KIN",
    "PARAMETERS",
    "UNIT",
    "VEHICLE",
    "ClassTable",
    "Force",
    "FormationTable",
    "Labels",
    "Ties",
    "UnitTable",
    "build_force",
]
