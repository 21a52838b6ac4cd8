"""Names of scenarios, and digests that tell those of one name apart."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from breakrank.errors import UsageError
from breakrank.runs.store import Kept, StoredEnsemble, abbreviated, fits, prefix
from breakrank.runs.study import NamedChanges, beside


def test_a_name_says_what_is_changed() -> None:
    assert NamedChanges().name() == "case"
    assert NamedChanges(under="values").name("no-taps") == "no-taps under values"
    many = NamedChanges("values", {"b.x": 1e-7, "a.on": 0.0}, ("rumours.yaml", 1), dt.date(2019, 3, 1))
    words = "case under values with a.on=0, b.x=1e-07 and 1 event of rumours.yaml until 2019-03-01"
    assert many.name() == words
    assert many.name(values={"a.on": 1.0}) == words.replace("a.on=0", "a.on=1")
    assert NamedChanges(events=("two\nlines.yaml", 2)).name() == "case with 2 events of two?lines.yaml"
    close = [NamedChanges(values={"a.x": value}).name() for value in (0.12345678, 0.12345679)]
    assert close[0] != close[1], "a name does not round"
    assert (beside("no-taps"), beside("case")) == ("no-taps", "counterfactual case")


def kept(digest: str, seed: int, folder: str, code: str = "today") -> Kept:
    return Kept(StoredEnsemble(Path(folder), Path("aside")), "small", digest, seed, code, "case")


def test_the_shown_beginning_of_a_digest_finds_one_ensemble_of_its_seed() -> None:
    every = [
        kept("aaaaaaaa1111", 0, "0123456789"),
        kept("aaaaaaaa1122", 0, "1123456789"),
        kept("aaaaaaaa1111", 1, "2123456789"),
        kept("bbbbbbbb0000", 0, "3123456789", "today"),
        kept("bbbbbbbb0000", 0, "4123456789", "yesterday"),
    ]
    short = abbreviated(every)
    assert short == ["aaaaaaaa111", "aaaaaaaa112", "aaaaaaaa111", "3123456789", "4123456789"]
    for one, text in zip(every, short, strict=True):
        assert [k for k in every if k.seed == one.seed and fits(k, text)] == [one]
    assert abbreviated([]) == []
    assert abbreviated(every[3:4]) == ["bbbbbbbb"]


@pytest.mark.parametrize("typed", ["", "abc", "case", "12345*"])
def test_what_is_no_beginning_of_a_digest(typed: str) -> None:
    with pytest.raises(UsageError, match="4 or more of the digits"):
        prefix(typed)


def test_digests_may_be_typed_in_capitals() -> None:
    assert prefix("3F2A") == "3f2a"
