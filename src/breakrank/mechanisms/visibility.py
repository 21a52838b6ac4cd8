"""How far something is noticed: hardly while few take part, by all once many do."""

from __future__ import annotations

from breakrank.kernel import lean


@lean
def share_noticed(size: float, half: float) -> float:
    """Return how far `size` people (0 or more) are noticed, 0 to 1; `half` people (above 0) are by half."""
    return size / (half + size)
