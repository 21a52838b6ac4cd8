"""What the docs and docstrings name of the packages is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("src/breakrank/**/*.py"), ROOT / "README.md"]
FILES += ROOT.glob("packages/desk/src/**/*.py")
WALKS = re.compile(r"^```(?:diff|python)\n# .*?^```", re.M | re.S)
"""Changes that a page makes to files that it names, which a test of their own makes."""
GROUPS = {"breakrank.commands", "breakrank.desk.proposers", "breakrank.mechanisms"}
"""Names of entry points, which are no modules."""


def is_there(name: str) -> bool:
    """Say whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for k in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            if part in getattr(found, "__annotations__", {}):
                return True
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_what_is_named_is_there() -> None:
    named: dict[str, Path] = {}
    for path in FILES:
        text = WALKS.sub("", path.read_text("utf-8"))
        found = re.findall(r"(?<![\w./-])breakrank(?:_desk)?(?:\.[A-Za-z_]\w*)+", text)
        named |= dict.fromkeys(set(found) - GROUPS, path)
    assert {name: str(path) for name, path in named.items() if not is_there(name)} == {}
