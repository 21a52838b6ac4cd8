"""Whether a change touched anything: the utilities of all who decide, moment by moment, in pairs of runs.

Where no outcome differs in any pair, either the change moves nothing that soldiers weigh, or it moves too
little for anyone to choose otherwise. The two are told apart by making a few pairs again under a witness.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from breakrank.engine.observe import Witness
from breakrank.model import model_of

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.moments import Moments
    from breakrank.engine.run import Run

PAIRS = 3
"""Pairs of runs that are made again at most."""


class _Utilities(Witness):
    """Sums up the utilities of all moments of a run."""

    def __init__(self) -> None:
        super().__init__(())
        self.sum = sha256()

    def see(self, run: Run, moments: Moments) -> None:  # noqa: ARG002
        """Take the moments of one day in."""
        n = moments.n
        for part in (moments.who[:n], moments.utility[:, :n]):
            self.sum.update(np.ascontiguousarray(part).tobytes())


def untouched(case: Case, other: Case, seed: int, runs: int) -> str:
    """Say that a change touched nothing and why, or that nobody chose otherwise.

    Parameters
    ----------
    case, other : two cases of which no outcome differs in any of `runs` pairs under `seed`.
    """
    for run in range(min(runs, PAIRS)):
        sums = []
        for one in (case, other):
            seen = _Utilities()
            model_of(one, seed, run).witnessed(seed, run, seen)
            sums.append(seen.sum.digest())
        if sums[0] != sums[1]:
            return "The change moves what soldiers weigh, but nobody chose otherwise in these pairs of runs."
    why = "; ".join(_reasons(case, other)) or "nothing that a mechanism of the case reads is different"
    many = min(runs, PAIRS)
    looked = "the one pair" if many == 1 else f"any of {many} pairs"
    return f"This change touched nothing: no soldier's utility moved in {looked} looked at. Why: {why}."


def _reasons(case: Case, other: Case) -> Iterator[str]:
    """Yield why each part of a change does nothing."""
    if case.digest == other.digest:
        yield "both cases are the same"
        return
    first, last = case.calendar.start, case.calendar.end
    before, after = ({e.id: e for e in one.content.events} for one in (case, other))
    changed = [e for e in {**before, **after}.values() if before.get(e.id) != after.get(e.id)]
    for event in changed:
        if event.date > last:
            yield f"the event {event.id} is of {event.date}, after the last day ({last})"
        elif not event.effects:
            yield f"the event {event.id} has no effect"
    fields = {effect.field for e in changed for effect in e.effects if e.date <= last}
    fields |= {f for f in case.catalogue.fields if not np.array_equal(case.daily(f), other.daily(f))}
    owners = _owners(case)
    for field in sorted(fields):
        if np.array_equal(case.daily(field), other.daily(field)):
            yield f"{field} is the same on every day from {first} to {last} (at a bound, or a multiple of 0)"
        else:
            yield _through(case, field, owners.get(field, ""))
    for name, one in other.parameters.items():
        if name in case.parameters and case.value(name) != one.value:
            yield _through(case, name, name.partition(".")[0])


def _owners(case: Case) -> dict[str, str]:
    from breakrank.model import assembly

    return {f.name: kind.name for kind in assembly(case.mechanisms).mechanisms for f in kind.fields}


def _through(case: Case, what: str, mechanism: str) -> str:
    """Say why a field or parameter of a mechanism does nothing."""
    switch = f"{mechanism}.on"
    if not mechanism:
        return f"no mechanism of the case reads {what}"
    if switch in case.parameters and case.value(switch) < 0.5:
        return f"{what} acts through {mechanism}, which is switched off"
    return f"{what} acts through {mechanism}, and moves none of its terms"
