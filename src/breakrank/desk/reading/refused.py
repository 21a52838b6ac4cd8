"""What a reader refuses, by name."""

from __future__ import annotations


class RefusedError(Exception):
    """A document that is not read, with the reason in words; crosses from the child as text."""
