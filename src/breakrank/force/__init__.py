"""The synthetic force: order of battle, soldiers, trust ties. Start at :func:`build_force`."""

from __future__ import annotations

from breakrank.force.build import build_force
from breakrank.force.force import Force

__all__ = ["Force", "build_force"]
