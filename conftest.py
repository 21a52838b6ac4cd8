"""Which files are looked through for tests: examples in docstrings only where there are any.

To look for examples, pytest would import every file of the package, in each process that runs tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave files of the package out that show no example."""
    if collection_path.suffix == ".py" and collection_path.is_relative_to(HERE / "src"):
        return ">>> " not in collection_path.read_text("utf-8") or None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Look for no examples in the tests themselves."""
    found = yield
    inside = file_path.is_relative_to(HERE / "tests")
    return [each for each in found if not (inside and isinstance(each, DoctestModule))]
