"""Civil violence, model I: grievance, risk, and outbursts that come in waves (Epstein 2002).

Citizens and cops live on a torus. A citizen's grievance is G = H (1 − L): his own hardship H, and the
legitimacy L of the regime, which all see alike. He estimates the risk of arrest from those in sight, P = 1
− exp(−k ⌊C / A⌋), with C cops and A active citizens, himself among them, and is active if G − R P exceeds a
threshold, R being his aversion to risk. Cops arrest an active citizen in sight. Everyone moves to a free
site in sight before he acts.

Rounding C / A down matters: once active citizens outnumber cops in sight, the risk drops to nothing at
once, and with it the last restraint of everyone near. Without the rounding there are no outbursts. With it
there is long calm broken by outbursts; and a sudden loss of legitimacy brings one where the same loss,
spread out, passes: those who would have risen together are arrested one by one.

Where descriptions of the model differ, it is settled here so: sight is a disc on the torus; people act one
at a time in an order drawn anew each step; a cop moves to where he arrests; a term is 1 to `jail` whole
steps, served off the torus; whoever is released starts again from where he was arrested.

Source: J. M. Epstein (2002), "Modeling civil violence: an agent-based computational approach", Proceedings
of the National Academy of Sciences 99(suppl. 3). The rounding and the disc follow the Rebellion model of U.
Wilensky (2004).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from breakrank.classics.unrest import ACTIVE, Citizens, live, settle
from breakrank.classics.unrest_result import Contrast, Unrest
from breakrank.classics.words import whole, within
from breakrank.draws import WORDS, decision, luck_key, words_each
from breakrank.errors import UsageError


def civil_violence(
    legitimacy: float | Iterable[float] = 0.82,
    *,
    steps: int | None = None,
    size: int = 40,
    citizens: float = 0.70,
    cops: float = 0.04,
    vision: float = 7.0,
    jail: int = 30,
    threshold: float = 0.1,
    k: float = 2.3,
    rounding: bool = True,
    seed: int = 1,
) -> Unrest:
    """Run model I.

    Every draw is keyed by person and step, so that two runs with one seed share hardship, places and luck.

    Parameters
    ----------
    legitimacy : L, 0 to 1: one number, or one for each step (see :func:`loss`).
    steps : 1 to 100,000; 300 if left out. A path of legitimacy brings its own length.
    size : side of the torus, sites, 3 to 200.
    citizens, cops : share of sites that they take at first, 0 to 1 and together at most 1.
    vision : radius of the disc in sight, sites, 1 to 20 and less than half of `size`.
    jail : longest term, steps, 1 to 1 million.
    threshold : net grievance above which a citizen acts, -1 to 1.
    k : weight of cops for each active citizen in the risk, 0 to 100 (2.3: one to one means a risk of 0.9).
    rounding : whether C / A is rounded down.
    seed : of the draws.

    Raises
    ------
    UsageError
        for an argument out of its range.
    """
    path = _path(legitimacy, steps)
    whole("size", size, 3, 200)
    shares = within("citizens", citizens, 0, 1), within("cops", cops, 0, 1)
    if sum(shares) > 1:
        raise UsageError(f"citizens and cops take {sum(shares):g} of the sites; together at most 1")
    if within("vision", vision, 1, 20) >= size / 2:
        raise UsageError(f"vision is {vision:g}; on a torus of side {size} it must be less than {size / 2:g}")
    whole("jail", jail, 1, 1_000_000)
    within("threshold", threshold, -1, 1)
    within("k", k, 0, 100)
    sites = size * size
    many = round(citizens * sites)
    few = min(round(cops * sites), sites - many)
    # cops are numbered from the number of sites, so that more citizens leave their luck as it is
    who = np.concatenate([np.arange(many), sites + np.arange(few)]).astype(np.uint32)
    key = luck_key(seed, "classics.epstein")
    hardship, risk_aversion = (_words(key, "traits", who[:many])[:2] + 0.5) / 2.0**32
    place = _order(_words(key, "place", np.arange(sites, dtype=np.uint32)))[: len(who)]
    torus = settle(_in_sight(size, vision), place.astype(np.int32), many)
    minds = Citizens(hardship, risk_aversion, float(threshold), float(k), bool(rounding))
    active, jailed = np.zeros((2, len(path)), np.int32)
    height, most = torus.holds.copy(), 0
    for step, level in enumerate(path.tolist()):
        luck = _words(key, "step", who, step)
        live(torus, minds, _order(luck), luck, step, level, jail)
        active[step], jailed[step] = (torus.holds == ACTIVE).sum(), torus.inside.sum()
        if active[step] > most:
            most, height = active[step], torus.holds.copy()
    return Unrest(path, active, jailed, height.reshape(size, size), many, few, seed)


def loss(
    before: float = 0.9, after: float = 0.4, *, at: int = 60, over: int = 1, steps: int = 160
) -> NDArray[np.float64]:
    """Return a path of legitimacy, float64 (step,), that falls evenly over so many steps.

    Parameters
    ----------
    before, after : legitimacy before and after the fall, 0 to 1.
    at : the first step that has lost any.
    over : steps that the fall takes; 1: all at once.

    Raises
    ------
    UsageError
        for an argument out of its range.

    >>> loss(0.9, 0.5, at=1, over=4, steps=6).round(2).tolist()
    [0.9, 0.8, 0.7, 0.6, 0.5, 0.5]
    """
    within("before", before, 0, 1)
    within("after", after, 0, 1)
    whole("steps", steps, 1, 100_000)
    whole("at", at, 0, steps)
    whole("over", over, 1, 100_000)
    lost = np.clip((np.arange(steps) - at + 1) / over, 0, 1)
    path: NDArray[np.float64] = before + (after - before) * lost
    return path


def sudden_or_gradual(
    before: float = 0.9, after: float = 0.4, *, over: int = 50, cops: float = 0.09, seed: int = 1
) -> Contrast:
    """Let the regime lose legitimacy at once, and the same amount over `over` steps.

    Parameters are those of :func:`loss` and :func:`civil_violence`. More cops than there keep outbursts out
    that come without any loss.

    Raises
    ------
    UsageError
        for an argument out of its range.
    """
    steps = 120 + whole("over", over, 1, 10_000)
    sudden = civil_violence(loss(before, after, steps=steps), cops=cops, seed=seed)
    gradual = civil_violence(loss(before, after, over=over, steps=steps), cops=cops, seed=seed)
    return Contrast(sudden, gradual)


def _path(legitimacy: float | Iterable[float], steps: int | None) -> NDArray[np.float64]:
    if isinstance(legitimacy, Iterable):
        path = [within("legitimacy", level, 0, 1) for level in legitimacy]
        whole("the length of legitimacy", len(path), 1, 100_000)
        if steps not in (None, len(path)):
            raise UsageError(f"steps is {steps}, but legitimacy is given for {len(path)} steps")
        return np.array(path)
    count = 300 if steps is None else whole("steps", steps, 1, 100_000)
    return np.full(count, within("legitimacy", legitimacy, 0, 1))


def _words(key: np.uint64, name: str, who: NDArray[np.uint32], when: int = 0) -> NDArray[np.uint32]:
    words = np.empty((WORDS, len(who)), np.uint32)
    words_each(key, int(decision(f"classics.epstein.{name}")), who, when, words)
    return words


def _order(words: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return positions in the order of the first word; among equals the earlier goes first."""
    return np.argsort(words[0], kind="stable")


def _in_sight(size: int, vision: float) -> NDArray[np.uint32]:
    """Return the other sites in sight of each site, uint32 (site, other)."""
    reach = range(-int(vision), int(vision) + 1)
    steps = [(x, y) for x in reach for y in reach if 0 < x * x + y * y <= vision * vision]
    row, column = np.divmod(np.arange(size * size), size)
    seen = [(row + x) % size * size + (column + y) % size for x, y in steps]
    return np.stack(seen, axis=1).astype(np.uint32)
