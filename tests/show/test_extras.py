"""A library of an optional extra that is not installed is named, with the extra to install."""

from __future__ import annotations

import pytest

from breakrank.errors import UsageError
from breakrank.show.extras import require


def test_a_missing_extra_is_named() -> None:
    require("a test", "json", extra="page")
    with pytest.raises(UsageError, match=r"a test needs no_such_library.*breakrank\[page\]"):
        require("a test", "json", "no_such_library", extra="page")
