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

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import WORDS, decision, fraction, luck_key, words_each
from breakrank.errors import UsageError
from breakrank.kernel import kernel
from breakrank.show import vegalite as vl
from breakrank.show.axes import SQUARE
from breakrank.show.style import SMALL, Theme
from breakrank_classics.shared import DASH, Field, finished, palette, tree, whole, within

FREE, QUIET, ACTIVE, COP = 0, 1, 2, 3
"""What a site holds."""
LONG = 500
"""Width of a chart by step, px."""
OUTBURST = 50
"""More active citizens than this make an outburst."""


class Outburst(NamedTuple):
    """A spell with more than :data:`OUTBURST` active: its first and last step, and its peak."""

    first: int
    last: int
    peak: int


@dataclass(frozen=True, eq=False, repr=False)
class Unrest:
    """What happened on the torus.

    Attributes
    ----------
    legitimacy : float64 (step,), 0 to 1.
    active, jailed : int32 (step,), citizens at the end of each step; the others are quiet.
    height : uint8 (size, size), the torus when most were active: 0 free, 1 quiet, 2 active, 3 cop.
    citizens, cops : their numbers.
    seed : of the draws.
    """

    legitimacy: NDArray[np.float64]
    active: NDArray[np.int32]
    jailed: NDArray[np.int32]
    height: NDArray[np.uint8]
    citizens: int
    cops: int
    seed: int

    @property
    def outbursts(self) -> tuple[Outburst, ...]:
        """All spells of unrest, in order."""
        loud = np.concatenate([[False], self.active > OUTBURST, [False]])
        edges = np.flatnonzero(np.diff(loud)).tolist()
        spells = zip(edges[::2], edges[1::2], strict=True)
        return tuple(Outburst(a, b - 1, int(self.active[a:b].max())) for a, b in spells)

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> vl.Chart:
        """Return two charts: active citizens step by step, and the torus when most were active."""
        look, size = palette(theme), len(self.height)
        many = len(self.outbursts)
        field = _active(look, len(self.active), int(self.active.max()))
        left = field.layered(
            f"{many} outburst{'s' * (many != 1)} in {len(self.active):,} steps",
            f"of {self.citizens:,} citizens, most at once {self.active.max():,}",
            field.line(list(enumerate(self.active.tolist())), look.baseline, 1.4),
        )
        kinds = {ACTIVE: "active", QUIET: "quiet", COP: "cops"}
        rows = [
            {"x": x, "y": y, "kind": kinds[what]}
            for y, line in enumerate(self.height.tolist())
            for x, what in enumerate(line)
            if what in kinds
        ]
        colours = vl.Scale(domain=list(kinds.values()), range=[look.hidden, look.loyal, look.record])
        key = vl.Legend(
            title=None, orient="bottom", symbolType="square", labelColor=look.muted, labelFontSize=SMALL
        )
        place: dict[str, Any] = {
            "scale": vl.Scale(domain=[-0.5, size - 0.5], nice=False, zero=False),
            "axis": None,
        }
        torus = (
            vl.rows_of(rows)
            .mark("square", size=max(1.0, SQUARE / size - 1) ** 2, opacity=1)
            .encode(
                x=vl.field("x:Q", **place),
                y=vl.field("y:Q", **place),
                color=vl.field("kind:N", scale=colours, legend=key),
            )
        )
        # the offset brings its heading level with the chart on the left, whose axis has a title
        heading = vl.Title(text="The torus at its most active", subtitle="each square a person", offset=25)
        right = vl.layered([torus], width=SQUARE, height=SQUARE, title=heading)
        return finished(look, left, right)

    def __repr__(self) -> str:
        ends = f"{self.legitimacy[0]:g}", f"{self.legitimacy[-1]:g}"
        rows = {
            "people": f"{self.citizens:,} citizens, {self.cops} cops, seed {self.seed}",
            "steps": len(self.active),
            "legitimacy": ends[0] if np.ptp(self.legitimacy) == 0 else " to ".join(ends),
            "active": f"median {np.median(self.active):g}, most {self.active.max()}",
            "outbursts": len(self.outbursts),
        }
        return tree("Unrest (Epstein 2002, model I)", rows)


@dataclass(frozen=True, repr=False)
class Contrast:
    """The same loss of legitimacy at once and spread out, with the same luck."""

    sudden: Unrest
    gradual: Unrest

    def plot(self, *, theme: Literal["light", "dark"] = "light") -> vl.Chart:
        """Return a chart of active citizens and legitimacy in both, the gradual one dashed."""
        look = palette(theme)
        sudden, gradual = self.sudden, self.gradual
        steps = len(sudden.active)
        field = _active(look, steps, int(max(sudden.active.max(), gradual.active.max())))
        left = field.layered(
            f"At once: {sudden.active.max():,} active; spread out: {gradual.active.max():,}",
            f"of {sudden.citizens:,} citizens, the same luck",
            field.line(list(enumerate(sudden.active.tolist())), look.baseline),
            field.line(list(enumerate(gradual.active.tolist())), look.counterfactual, dash=DASH),
            *(
                field.note(int(run.active.argmax()), int(run.active.max()), word, colour, above=above)
                for run, word, colour, above in (
                    (sudden, "at once", look.baseline, False),
                    (gradual, "spread out", look.counterfactual, True),
                )
            ),
        )
        field = Field(look, "step", "legitimacy", (0, steps), (0, 1))
        right = field.layered(
            "The same loss of legitimacy",
            "dashed: spread out",
            field.line(list(enumerate(sudden.legitimacy.tolist())), look.baseline),
            field.line(list(enumerate(gradual.legitimacy.tolist())), look.counterfactual, dash=DASH),
        )
        return finished(look, left, right)

    def __repr__(self) -> str:
        rows = {
            name: f"most active {run.active.max()}, outbursts {len(run.outbursts)}"
            for name, run in (("sudden", self.sudden), ("gradual", self.gradual))
        }
        return tree("Contrast (Epstein 2002, model I)", rows)


def _active(look: Theme, steps: int, most: int) -> Field:
    return Field(look, "step", "active citizens", (0, steps), (0, max(10, most)), width=LONG, nice=True)


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


class Torus(NamedTuple):
    """Who is where. People are numbered citizens first; written to by :func:`live`.

    ``in_sight`` uint32 (site, other) the sites in sight of each site; ``holds`` uint8 (site,) what a site
    holds and ``holder`` int32 (site,) who, -1 where it is free; ``at`` int32 (person,) his site, or where
    he was arrested; ``inside`` bool (person,) in jail, or out of it and not yet back on the torus; ``back``
    int64 (person,) the step in which he is let out.
    """

    in_sight: NDArray[np.uint32]
    holds: NDArray[np.uint8]
    holder: NDArray[np.int32]
    at: NDArray[np.int32]
    inside: NDArray[np.bool_]
    back: NDArray[np.int64]


class Citizens(NamedTuple):
    """What citizens think: ``hardship`` and ``risk_aversion`` float64 (person,), the rest alike for all."""

    hardship: NDArray[np.float64]
    risk_aversion: NDArray[np.float64]
    threshold: float
    k: float
    rounding: bool


def settle(in_sight: NDArray[np.uint32], at: NDArray[np.int32], citizens: int) -> Torus:
    """Return a torus with people at the given sites: so many `citizens`, all quiet, and then the cops."""
    sites, people = len(in_sight), len(at)
    holds, holder = np.zeros(sites, np.uint8), np.full(sites, -1, np.int32)
    holds[at[:citizens]], holds[at[citizens:]] = QUIET, COP
    holder[at] = np.arange(people)
    return Torus(in_sight, holds, holder, at.copy(), np.zeros(people, np.bool_), np.zeros(people, np.int64))


@kernel
def _move(torus: Torus, i: int, word: int, near: NDArray[np.int64]) -> bool:
    """Send i to a free site in sight (out of jail: or where he was); return whether he is on the torus."""
    free = 0
    for site in torus.in_sight[torus.at[i]]:
        near[free] = site  # kept if it counts: a branch here would be mispredicted for every fourth site
        free += torus.holds[site] == FREE
    if torus.inside[i] and torus.holds[torus.at[i]] == FREE:
        near[free] = torus.at[i]
        free += 1
    if free > 0:
        if not torus.inside[i]:
            _leave(torus, torus.at[i])
        torus.at[i] = near[int(fraction(word) * free)]
    return free > 0 or not torus.inside[i]


@kernel
def _leave(torus: Torus, site: int) -> None:
    torus.holds[site] = FREE
    torus.holder[site] = -1


@kernel
def _stand(torus: Torus, i: int, site: int, what: int) -> None:
    torus.inside[i] = False
    torus.at[i] = site
    torus.holds[site] = what
    torus.holder[site] = i


@kernel
def _rebels(torus: Torus, minds: Citizens, i: int, legitimacy: float) -> bool:
    """Return whether citizen i is active, given those in sight; he counts himself among the active."""
    cops, active = 0, 1
    for site in torus.in_sight[torus.at[i]]:
        if torus.holds[site] == COP:
            cops += 1
        elif torus.holds[site] == ACTIVE:
            active += 1
    ratio = float(cops // active) if minds.rounding else cops / active
    risk = 1 - math.exp(-minds.k * ratio)
    net = minds.hardship[i] * (1 - legitimacy) - minds.risk_aversion[i] * risk
    return bool(net > minds.threshold)


@kernel
def _suspect(torus: Torus, i: int, word: int, near: NDArray[np.int64]) -> int:
    """Return an active citizen in sight of cop i, -1 if there is none."""
    seen = 0
    for site in torus.in_sight[torus.at[i]]:
        if torus.holds[site] == ACTIVE:
            near[seen] = torus.holder[site]
            seen += 1
    return near[int(fraction(word) * seen)] if seen > 0 else -1


@kernel
def live(
    torus: Torus,
    minds: Citizens,
    order: NDArray[np.int64],
    luck: NDArray[np.uint32],
    step: int,
    legitimacy: float,
    jail: int,
) -> None:
    """Let everyone live through one step, in the given order of persons.

    The words of a person's luck, uint32 (4, person), say: his turn (in `order` already), where he goes, whom
    he arrests, and for how long he goes to jail if he is arrested.
    """
    citizens = len(minds.hardship)
    near = np.empty(torus.in_sight.shape[1] + 1, np.int64)
    for i in order:
        if torus.inside[i] and step < torus.back[i]:
            continue
        if not _move(torus, i, luck[1, i], near):
            continue
        here = torus.at[i]
        if i < citizens:
            # he has left his old site, and does not see his own
            _stand(torus, i, here, ACTIVE if _rebels(torus, minds, i, legitimacy) else QUIET)
            continue
        _stand(torus, i, here, COP)
        suspect = _suspect(torus, i, luck[2, i], near)
        if suspect >= 0:
            _leave(torus, here)
            _stand(torus, i, torus.at[suspect], COP)
            torus.inside[suspect] = True
            torus.back[suspect] = step + 1 + int(fraction(luck[3, suspect]) * jail)
