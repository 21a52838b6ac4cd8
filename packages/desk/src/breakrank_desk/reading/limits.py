"""What a document may cost, and what is refused by name. Whatever is read is hostile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

CPU_SECONDS: Final = 20
"""Processor time for one document; the child is killed after it."""
WALL_SECONDS: Final = 90
"""Time on the wall for one document, for a child that waits instead of working."""
MEMORY: Final = 1_000_000_000
"""Bytes of address space of the child."""
FILE_BYTES: Final = 20_000_000
"""Size of one file."""
UNPACKED_BYTES: Final = 60_000_000
"""What a packed archive may unfold to."""
PAGES: Final = 500
"""Pages of a PDF that are read."""
LEVELS: Final = 255
"""Nesting of tags; the parser cuts a page off beyond it, so such pages are refused."""
BLOCKS: Final = 5_000
"""Blocks of one document that are kept."""
CHARACTERS: Final = 2_000_000
"""Characters of one document that are kept."""
DOCUMENTS: Final = 2_000
"""Pages of one web archive that are kept."""
FILES: Final = 20_000
"""Files of one folder."""


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
