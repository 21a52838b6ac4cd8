"""The synthetic force: order of battle, soldiers, trust ties. Start at :func:`build_force`."""

from __future__ import annotations

from breakrank.force.build import build_force
from breakrank.force.establishment import PARAMETERS
from breakrank.force.force import (
    BORDER_POST,
    CLASSMATE,
    ESCORT,
    GUARDS_POLITICIAN,
    KIN,
    UNIT,
    VEHICLE,
    ClassTable,
    Force,
    FormationTable,
    Labels,
    Ties,
    UnitTable,
)

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
