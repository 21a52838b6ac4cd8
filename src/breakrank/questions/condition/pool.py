"""Worlds of several searches put together: each search has filtered draws and luck of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from breakrank.case.draws import Draws, Luck, LuckPath
from breakrank.case.worlds import Worlds
from breakrank.errors import UsageError
from breakrank.questions.condition.choose import FoundWorlds, SettledWorlds, ToldFigure
from breakrank.questions.condition.further import earlier
from breakrank.wording import listed

SAME = ("case", "given", "strength", "model")
"""What worlds have to share."""


def pooled(several: Sequence[Worlds]) -> FoundWorlds:
    """Return the worlds of all searches as those of one.

    What counts again what another figure counts is as the first search found it. How likely lives of the
    prior agreed with a figure is the mean over searches.

    Parameters
    ----------
    several : at least one, told of the same figures.

    Raises
    ------
    UsageError
        for worlds of different cases, days, forces, models, steps, parameters or figures, or of the same
        seed twice.
    """
    first, *others = several
    steps = _steps(first)
    for other in others:
        for key in SAME:
            one, two = first.about[key], other.about[key]
            if one != two:
                raise UsageError(f"worlds that are put together share their {key}: {one} and {two} differ")
        if (more := _steps(other)) != steps:
            raise UsageError(
                f"worlds that are put together have taken as many steps: {steps} and {more} differ\n"
                "  Let those that have taken fewer take the others first."
            )
        if differ := sorted(set(first.draws.names) ^ set(other.draws.names)):
            raise UsageError(
                f"worlds that are put together draw the same parameters; these differ in {listed(differ)}"
            )
        if [row["id"] for row in other.figures] != [row["id"] for row in first.figures]:
            raise UsageError("worlds that are put together were told of the same figures; these were not")
    luck = first.draws.luck
    assert luck is not None
    paths = [_paths(worlds, luck.seed) for worlds in several]
    seeds = [{path.seed for path in of_one} for of_one in paths]
    if len(set().union(*seeds)) < sum(map(len, seeds)):
        raise UsageError("worlds that are put together were made with different seeds; name each folder once")
    names = first.draws.names
    order = [[worlds.draws.names.index(name) for name in names] for worlds in several]
    values = np.concatenate([w.draws.values[:, here] for w, here in zip(several, order, strict=True)])
    sizes = [0, *np.cumsum([worlds.origins.max() + 1 for worlds in several])[:-1].tolist()]
    origins = np.concatenate([worlds.origins + size for worlds, size in zip(several, sizes, strict=True)])
    figures = zip(*(map(earlier, worlds.figures) for worlds in several), strict=True)
    return FoundWorlds(
        draws=Draws(names, values, luck=Luck(luck.seed, tuple(chain(*paths)), luck.until)),
        figures=tuple(_mean(found) for found in figures),
        filtered=sum(worlds.about["filtered"] for worlds in several),
        failed=sum(worlds.about["failed"] for worlds in several),
        sharp=sum(worlds.about["effective_unsoftened"] for worlds in several),
        power=min(worlds.about["power"] for worlds in several),
        effective=sum(worlds.about["effective"] for worlds in several),
        counts=np.empty((len(values), 0)),
        settled=SettledWorlds(steps, origins) if steps else None,
    )


def _steps(worlds: Worlds) -> int:
    return int(worlds.about["settled"]["steps"]) if "settled" in worlds.about else 0


def _paths(worlds: Worlds, seed: int) -> list[LuckPath]:
    """Return paths of luck that say under which seed they count, if not under this one."""
    luck = worlds.draws.luck
    assert luck is not None
    under = [luck.under(row) for row in range(len(luck.paths))]
    own = [None if one == seed else one for one in under]
    return [replace(path, seed=one) for path, one in zip(luck.paths, own, strict=True)]


def _mean(found: Sequence[ToldFigure]) -> ToldFigure:
    before, bits = np.mean([(one.before, one.information) for one in found], axis=0).tolist()
    return replace(found[0], before=before, information=bits)
