"""What a reader refuses, by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class RefusedError(Exception):
    """A document that is not read, with the reason in words; crosses from the child as text."""


@contextmanager
def unless_broken(what: str) -> Iterator[None]:
    """Refuse a document by name, whatever a parser raises on hostile bytes.

    What says more goes on as it is: a reason in words, too little memory, nesting, a package that is missing.
    """
    try:
        yield
    except (RefusedError, ImportError, MemoryError, RecursionError):
        raise
    except Exception as error:
        raise RefusedError(f"the {what} is broken ({type(error).__name__})") from None
