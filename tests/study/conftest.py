from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _workers_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers take over this process's path; the engines of the tests have to be on it."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
