"""Whether the positions of the high command fit the order of battle."""

from __future__ import annotations

import math

from breakrank.case.check_force import TOLERANCE
from breakrank.case.check_words import known_id
from breakrank.case.content import Loaded
from breakrank.errors import gathered


def check_command(loaded: Loaded) -> None:
    """Check the branches and regions of positions, their places, and that weights add up to at most 1.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    content, document = loaded.content, loaded.documents["command.yaml"]
    regions = {r.id: r.states for r in content.force.regions}
    branches = [b.id for b in content.force.branches]
    with gathered() as found:
        for k, position in enumerate(content.command):
            with found.kept():
                if position.branch is not None:
                    known_id(position.branch, branches, "branch", document, (k, "branch"))
                if position.region is None:
                    continue
                known_id(position.region, regions, "region", document, (k, "region"))
                if position.capital and content.case.capital not in regions[position.region]:
                    raise document.error(
                        (k, "region"),
                        f"{position.id!r} sits in the capital ({content.case.capital}), "
                        f"which is not in the region {position.region!r}",
                        "Correct the region, or write capital: false.",
                    )
        total = math.fsum(p.weight for p in content.command)
        if total > 1 + TOLERANCE:
            raise document.error(
                (),
                f"the weights of the positions add up to {total:.6g}, and at most 1 is expected",
                f"They are shares of the forces' obedience: take {total - 1:.6g} away.",
            )
