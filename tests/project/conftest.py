"""What these tests have read of the sources is put away after them: it would slow down all that follow."""

from collections.abc import Iterator

import pytest

from tests.project import trees


@pytest.fixture(scope="package", autouse=True)
def _put_away() -> Iterator[None]:
    yield
    for each in (trees.sources, trees.parsed, trees.nodes):
        each.cache_clear()
