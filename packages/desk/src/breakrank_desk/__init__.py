"""The evidence desk: from reports to coded observations that a human accepts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from breakrank_desk.desk import Desk
    from breakrank_desk.proposals import Proposal
    from breakrank_desk.texts import Paragraph, Text

__all__ = ["Desk", "Paragraph", "Proposal", "Text"]
_WHERE = {"Desk": "desk", "Proposal": "proposals", "Paragraph": "texts", "Text": "texts"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (any of the names above)
    if name not in _WHERE:
        raise AttributeError(f"module 'breakrank_desk' has no attribute {name!r}")

    return getattr(import_module(f"breakrank_desk.{_WHERE[name]}"), name)
