"""Moments of decision: the only times at which a soldier's choice is evaluated.

Most come from the calendar of occasions (``engine.calendar``); those that follow from events, such
as having been confided in or being invited along, join on their day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import OPTIONS, SERVING
from breakrank.kernel import kernel, lean

if TYPE_CHECKING:
    from breakrank.force import Force


@dataclass
class Moments:
    """Today's deciders and what the mechanisms say of them. Arrays have one entry for each decider.

    Attributes
    ----------
    who : positions, ascending, each once (int32); ``occasion`` why today (uint8 code).
    identity, rank, unit, state, dependants : the deciders' own columns of the force.
    terms : float64 (term, decider), in utility units; rows belong to the mechanisms' terms.
    open : bool (option, decider), which options exist for whom.
    utility, chance : float64 (option, decider), after the choice; chances of those who plainly stay
        are written only for a witness.
    choice : uint8, the option taken; ``count`` int64 (option,), how many took it.
    margin : float64, how far each is on the opposed side (see ``mechanisms.preference``), once weighed.
    leader : int32, who asks each decider to come along (position), -1 nobody.
    """

    who: NDArray[np.int32]
    occasion: NDArray[np.uint8]
    identity: NDArray[np.uint32]
    rank: NDArray[np.uint8]
    unit: NDArray[np.int32]
    state: NDArray[np.uint8]
    dependants: NDArray[np.uint8]
    terms: NDArray[np.float64]
    open: NDArray[np.bool_]
    utility: NDArray[np.float64]
    chance: NDArray[np.float64]
    choice: NDArray[np.uint8]
    count: NDArray[np.int64]
    margin: NDArray[np.float64]
    leader: NDArray[np.int32]

    @property
    def n(self) -> int:
        """Return the number of deciders."""
        return len(self.who)

    def took(self, *options: int) -> bool:
        """Return whether anyone took one of these options."""
        count = self.count.tolist()
        return any(count[o] for o in options)


@kernel
def deciders(
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    extra: NDArray[np.int32],
    extra_occasion: int,
    fate: NDArray[np.uint8],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Merge two ascending lists of soldiers and keep those who serve; the higher occasion counts."""
    n, m = who.shape[0], extra.shape[0]
    out = np.empty(n + m, np.int32)
    kind = np.empty(n + m, np.uint8)
    i = j = k = 0
    while i < n or j < m:
        if j >= m or (i < n and who[i] < extra[j]):
            w, c = who[i], occasion[i]
            i += 1
        elif i >= n or extra[j] < who[i]:
            w, c = extra[j], np.uint8(extra_occasion)
            j += 1
        else:
            w, c = who[i], max(occasion[i], np.uint8(extra_occasion))
            i += 1
            j += 1
        if fate[w] == SERVING:
            out[k] = w
            kind[k] = c
            k += 1
    return out[:k], kind[:k]


@lean
def _gather(
    cards: NDArray[np.void],
    who: NDArray[np.int32],
    identity: NDArray[np.uint32],
    rank: NDArray[np.uint8],
    unit: NDArray[np.int32],
    state: NDArray[np.uint8],
    dependants: NDArray[np.uint8],
) -> None:
    """Write what stands on the cards of `who` into columns of their own."""
    for j in range(who.shape[0]):
        card = cards[who[j]]
        identity[j] = card["identity"]
        rank[j] = card["rank"]
        unit[j] = card["unit"]
        state[j] = card["state"]
        dependants[j] = card["dependants"]


_CARD = np.dtype(
    [("identity", "u4"), ("unit", "i4"), ("rank", "u1"), ("state", "u1"), ("dependants", "u1")], align=True
)


class MomentBuffers:
    """What moments are opened with: room for a day's terms and utilities, and a card of each soldier.

    The room is used again every day, because large arrays are slow to come by. A card holds what every
    moment reads of a soldier in one place: one wait for memory instead of five.
    """

    def __init__(self) -> None:
        self._room = np.empty(0)
        self._of: Force | None = None
        self._cards = np.empty(0, _CARD)

    def cards(self, force: Force) -> NDArray[np.void]:
        """Return the cards of a force, one for each soldier."""
        if self._of is not force:
            self._cards = np.empty(force.n, _CARD)
            for name in _CARD.names or ():
                self._cards[name] = getattr(force, name)
            self._of = force
        return self._cards

    def clear(self, rows: int, n: int, zeros: int) -> NDArray[np.float64]:
        """Return an array, float64 (rows, n), valid until the next call; the first `zeros` rows are zero."""
        if len(self._room) < rows * n:
            self._room = np.empty(rows * n + rows * n // 4)
        array = self._room[: rows * n].reshape(rows, n)
        array[:zeros].fill(0.0)
        return array


def open_moments(
    who: NDArray[np.int32],
    occasion: NDArray[np.uint8],
    leader: NDArray[np.int32],
    force: Force,
    terms: int,
    buffers: MomentBuffers,
    options: int = len(OPTIONS),
) -> Moments:
    """Return moments with every term zero and only staying open, valid until the desk is cleared again."""
    n = len(who)
    available = np.zeros((options, n), np.bool_)
    available[0] = True
    rows = buffers.clear(terms + 2 * options, n, terms)
    columns = (
        np.empty(n, np.uint32),
        np.empty(n, np.uint8),
        np.empty(n, np.int32),
        np.empty(n, np.uint8),
        np.empty(n, np.uint8),
    )
    _gather(buffers.cards(force), who, *columns)
    return Moments(
        who,
        occasion,
        *columns,
        rows[:terms],
        available,
        rows[terms : terms + options],
        rows[terms + options :],
        np.zeros(n, np.uint8),
        np.zeros(options, np.int64),
        np.empty(n),
        leader,
    )
