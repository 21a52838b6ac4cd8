"""The chain of command of an answer as rows of a tree: the force, its branches, their regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.errors import UsageError
from breakrank.page.numbers import short
from breakrank.questions.run.command_tree import sentence, tree

if TYPE_CHECKING:
    from breakrank.results import Result


def command_rows(result: Result) -> dict[str, Any]:
    """Return the rows, each with its parent, its strength, and the shares gone, opposed and ever in a plot.

    Averages over runs. Shares of those still serving are opposed; a share that is not known is ``None``.

    Raises
    ------
    UsageError
        where the runs did not count by branch and region.
    """
    one = tree(result, None)
    if one is None:
        raise UsageError("these runs did not count by branch and region")
    case = result.case

    def shares(branch: int | None = None) -> dict[str, Any]:
        return {name: short(one.share(name, branch), 5) for name in ("gone", "opposed", "plotted")}

    rows: list[dict[str, Any]] = [
        {
            "id": "force",
            "parent": None,
            "label": "Whole force",
            "strength": int(one.strength.sum()),
            **shares(),
        }
    ]
    for b, branch in enumerate(case.force.branches):
        strength = round(float(one.strength[b].sum()))
        rows.append(
            {"id": branch.id, "parent": "force", "label": branch.label, "strength": strength, **shares(b)}
        )
        for r, region in enumerate(case.force.regions):
            if one.strength[b, r] <= 0:
                continue
            cell = {
                n: short(float(np.asarray(getattr(one, n))[b, r]), 5) for n in ("gone", "opposed", "plotted")
            }
            rows.append(
                {
                    "id": f"{branch.id}/{region.id}",
                    "parent": branch.id,
                    "label": region.label,
                    "strength": round(float(one.strength[b, r])),
                    **cell,
                }
            )
    return {"rows": rows, "source": one.source, "sentence": sentence(one)}
