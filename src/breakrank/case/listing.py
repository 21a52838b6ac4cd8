"""A tuple of things with ids, found by position or by id."""

from __future__ import annotations

from typing import Protocol, TypeVar

from breakrank.errors import UsageError, nearest


class HasId(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Short name."""


T = TypeVar("T", bound=HasId)


class Listing(tuple[T, ...]):
    """Items in the order of the case file, e.g. the branches of a force.

    Examples
    --------
    >>> from breakrank.case.models_force import State
    >>> states = Listing([State(id="VE-A", label="Capital"), State(id="VE-S", label="Tachira")])
    >>> states.ids, states.position("VE-S"), states.named("VE-S").label
    (('VE-A', 'VE-S'), 1, 'Tachira')
    """

    __slots__ = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order."""
        return tuple(item.id for item in self)

    def position(self, id: str) -> int:  # noqa: A002 (the word of the case files)
        """Return where the item with this id stands; UsageError (with the nearest id) when there is none."""
        for k, item in enumerate(self):
            if item.id == id:
                return k
        raise UsageError(f"there is no {id!r} here{nearest(id, self.ids)}. Known: {', '.join(self.ids)}")

    def named(self, id: str) -> T:  # noqa: A002
        """Return the item with this id; UsageError (with the nearest id) when there is none."""
        return self[self.position(id)]
