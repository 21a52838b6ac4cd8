"""Which files are looked through for tests: examples in docstrings only where there are any.

To look for examples, pytest would import every file of the package, in each process that runs tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

HERE = Path(__file__).parent
SOURCES = (HERE / "src", HERE / "packages/desk/src")
TESTS = (HERE / "tests", HERE / "packages/desk/tests")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave files of the packages out that show no example."""
    if collection_path.suffix == ".py" and any(map(collection_path.is_relative_to, SOURCES)):
        return ">>> " not in collection_path.read_text("utf-8") or None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Look for no examples in the tests themselves."""
    found = yield
    inside = any(map(file_path.is_relative_to, TESTS))
    return [each for each in found if not (inside and isinstance(each, DoctestModule))]
