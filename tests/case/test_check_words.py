"""What a message tells of the ids that are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank.case.check_words import MOST_TOLD, known_id
from breakrank.case.documents import read_yaml
from breakrank.case.pattern_words import LOGGED
from breakrank.errors import CaseError


def test_of_many_known_ids_the_likest_are_told() -> None:
    document = read_yaml("- event: lost his post\n", Path("patterns.yaml"))
    known = (*LOGGED, "broke out of a lost post")
    with pytest.raises(CaseError) as refused:
        known_id("lost his post", known, "event", document, (0, "event"))
    told = refused.value.remedy.removeprefix("Known: ").removesuffix(", ....").split(", ")
    assert len(told) == MOST_TOLD
    assert "broke out of a lost post" in told[:5]
    with pytest.raises(CaseError, match=r"Known: b, a\."):
        known_id("c", ("b", "a"), "event", document, (0, "event"))
