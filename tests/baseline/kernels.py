"""The keys of all compiled kernels: what each does, whatever module it stands in."""

from __future__ import annotations

import importlib
import json
import pkgutil
from pathlib import Path

from breakrank.kernel import KERNELS
from breakrank.kernel_files import key_of

KEYS = Path(__file__).with_name("kernels.json")


def keys() -> dict[str, list[str]]:
    """Return the keys of the kernels of the model and its optional mechanisms, by the function's name.

    Passes that are written for a model are left out: other tests of the process make some of their own.
    """
    for folder in ("engine", "force", "mechanisms"):
        package = importlib.import_module(f"breakrank.{folder}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    found: dict[str, list[str]] = {}
    for kernel in KERNELS:
        written = kernel.py_func.__code__.co_filename.startswith("<")
        if kernel.py_func.__module__.startswith("breakrank.") and not written:
            found.setdefault(kernel.py_func.__qualname__, []).append(key_of(kernel))
    return {name: sorted(found[name]) for name in sorted(found)}


def written_keys() -> dict[str, list[str]]:
    """Return the keys as they stand in the file."""
    found: dict[str, list[str]] = json.loads(KEYS.read_text("utf-8"))
    return found
