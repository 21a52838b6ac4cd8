"""The lives of those who end inside the country can be told."""

from __future__ import annotations

import pytest

from breakrank.labels import WHERE
from breakrank.lives.life import ENDED


@pytest.mark.parametrize("fate", WHERE)
def test_every_fate_ends_in_words(fate: str) -> None:
    assert ENDED[fate].startswith("he ")
