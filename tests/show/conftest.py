"""What tests of charts and pages share: charts as they are specified, and a Chromium to open pages in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.chromium import started


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as chromium:
        yield chromium


@pytest.fixture
def plain_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give charts as specifications: Altair takes a second to make one an object of its own."""
    from breakrank.show import vegalite

    monkeypatch.setattr(vegalite, "altair", lambda spec: spec)
