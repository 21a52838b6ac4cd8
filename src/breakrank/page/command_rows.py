"""The chain of command of an answer as rows of a tree: the force, its branches, their regions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.errors import UsageError
from breakrank.page.numbers import short
from breakrank.show.words import percent

if TYPE_CHECKING:
    from breakrank.results import Result

SHARES = ("gone", "opposed", "plotted")
"""The shares of a row: of all, and opposed of those still serving."""
NEEDS = ("strength_region", *(f"{name}_region" for name in SHARES))
"""The variables that rows are read from."""


@dataclass(frozen=True, eq=False, slots=True)
class Tree:
    """Averages over runs by branch and region.

    Attributes
    ----------
    strength : soldiers, shape (branch, region).
    shares : by name, the share in each, nan where it is not known.
    """

    strength: npt.NDArray[np.float64]
    shares: dict[str, npt.NDArray[np.float64]]

    def share(self, name: str, branch: int | None = None) -> float:
        """Return a share over a branch, or over all."""
        row = slice(None) if branch is None else slice(branch, branch + 1)
        values, weights = self.shares[name][row], self.strength[row]
        known = (weights > 0) & np.isfinite(values)
        return float(np.average(values[known], weights=weights[known])) if known.any() else float("nan")


def command_rows(result: Result) -> dict[str, Any]:
    """Return the rows, each with its parent, its strength, and the shares gone, opposed and ever in a plot.

    Averages over runs. Shares of those still serving are opposed; a share that is not known is ``None``.

    Raises
    ------
    UsageError
        where the runs did not count by branch and region.
    """
    if not all(name in result.data for name in NEEDS):
        raise UsageError("these runs did not count by branch and region")
    one, force = _tree(result), result.case.force

    def row(
        name: str, parent: str | None, label: str, strength: float, shares: list[float]
    ) -> dict[str, Any]:
        told = {share: short(value, 5) for share, value in zip(SHARES, shares, strict=True)}
        return {"id": name, "parent": parent, "label": label, "strength": round(strength)} | told

    rows = [row("force", None, "Whole force", float(one.strength.sum()), [one.share(n) for n in SHARES])]
    for b, branch in enumerate(force.branches):
        shares = [one.share(n, b) for n in SHARES]
        rows.append(row(branch.id, "force", branch.label, float(one.strength[b].sum()), shares))
        for r, region in enumerate(force.regions):
            if one.strength[b, r] > 0:
                cell = [float(one.shares[n][b, r]) for n in SHARES]
                name = f"{branch.id}/{region.id}"
                rows.append(row(name, branch.id, region.label, float(one.strength[b, r]), cell))
    source = f"average of {result.runs:,} runs" if result.runs > 1 else "the one run"
    return {"rows": rows, "source": source, "sentence": _sentence(result, one, source)}


def _tree(result: Result) -> Tree:
    size, *counts = (
        result.data[name].transpose("run", "branch", "region").mean("run").values.astype(np.float64)
        for name in NEEDS
    )
    found = dict(zip(SHARES, counts, strict=True))
    for name in ("gone", "plotted"):  # which are counted, not shares
        found[name] = np.divide(found[name], size, out=np.full(size.shape, np.nan), where=size > 0)
    return Tree(size, found)


def _sentence(result: Result, one: Tree, source: str) -> str:
    """Return which branch lost most, which plots most, and where."""
    force = result.case.force
    text = f"Of the whole force, {percent(one.share('gone'))} no longer serve at the end"
    text += f" and {percent(one.share('plotted'))} were ever in a plot ({source})."
    for name, words in (("gone", "The largest share is gone in"), ("plotted", "Plots are thickest in")):
        values = np.where(one.strength > 0, np.nan_to_num(one.shares[name]), -1)
        if values.max() > 0:
            b, r = np.unravel_index(int(values.argmax()), values.shape)
            where = f"{force.branches[b].label}, {force.regions[r].label}"
            text += f" {words} {where} ({percent(float(values[b, r]))})."
    return text
