"""Identities, digests and plans: what is the same run, what is told apart, and what is still to be made."""

from __future__ import annotations

import ast
import datetime as dt
import time
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import breakrank
from breakrank import plugins
from breakrank.errors import UsageError
from breakrank.runs import identity
from breakrank.runs.identity import (
    MODEL,
    ensemble_identity,
    model_digest,
    model_sources,
    source_digest,
)
from breakrank.runs.store import Kept, StoredEnsemble, abbreviated, fits, prefix
from breakrank.runs.study import NamedChanges, Scenario, Study, beside, missing
from breakrank.spec import defaults
from tests.runs.engines import BROKEN, GOOD

KEYS = st.tuples(st.sampled_from(["", "a"]), st.sampled_from(["", "a"]), st.integers(0, 1))
"""Code, scenario and seed, few enough for pairs that differ in one of them."""


@settings(deadline=None)
@given(KEYS, KEYS)
def test_two_runs_are_one_if_and_only_if_all_is_the_same(one: Any, other: Any) -> None:
    assert (ensemble_identity(*one) == ensemble_identity(*other)) == (one == other)


@settings(deadline=None)
@given(st.text(max_size=4), st.text(max_size=4), st.text(max_size=4))
def test_nothing_slips_from_one_part_into_the_next(a: str, b: str, c: str) -> None:
    if b:
        assert ensemble_identity(a + b, c, 1) != ensemble_identity(a, b + c, 1)
    assert ensemble_identity(a, b, 11) != ensemble_identity(a, b + "1", 1)


def test_the_source_is_named_without_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was learned from runs is not undone by another version of NumPy; what is kept of runs may be."""
    source, model = source_digest(), model_digest()
    assert len({source, model, source_digest(GOOD), source_digest(BROKEN)}) == 4
    model_digest.cache_clear()
    monkeypatch.setattr("numpy.__version__", "0")
    assert source_digest() == source == source_digest(added=plugins.source_digest(()))
    assert model_digest() != model
    monkeypatch.undo()
    model_digest.cache_clear()
    assert model_digest() == model


BESIDE = {
    "errors": "what errors say",
    "kernel_files": "where compiled code is kept",
    "kernel_key": "by what compiled code is found",
    "old_names": "what errors say, and under which names draws of a prior are keyed",
    "plugins": "what stands for added mechanisms, part of the case's digest",
    "case.check_*": "refuses what cannot be run",
    "case.content": "holds what is read, all of it part of the case's digest",
    "case.dates": "reads dates",
    "case.explain": "what errors say",
    "case.ledger": "evidence",
    "case.models_patterns": "what one may ask",
    "case.posterior": "reads draws, which are part of the case's digest",
    "case.values": "reads numbers and texts",
    "case.source": "reads files",
    "case.documents": "reads files",
}
"""What parts of the model import that computes no run, and why."""


def test_the_digest_covers_all_that_the_model_imports() -> None:
    root = Path(breakrank.__file__).parent
    assert all((root / name).exists() for name in MODEL)
    sources = model_sources(root)
    own = {path.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for path in sources}
    odd = set()
    for source in sources.values():
        tree = ast.parse(source)
        checked = {id(one) for node in ast.walk(tree) if _for_the_checker(node) for one in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and id(node) not in checked:
                module = f"{node.module}"
                if module.startswith("breakrank.") and module not in own:
                    odd.add(module.removeprefix("breakrank."))
    assert {name for name in odd if not any(fnmatch(name, known) for known in BESIDE)} == set()


def _for_the_checker(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_the_digest_is_kept_and_a_damaged_one_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, code, count = source_digest(), identity._of_the_code(), list[int]()

    def counted(_: object) -> str:
        count.append(1)
        return code

    monkeypatch.setenv("BREAKRANK_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("breakrank.meaning.meaning", counted)
    for content, times in ((None, 1), (None, 1), ("rubbish", 2), ("ab", 3), (None, 3)):
        if content is not None:
            (kept,) = (tmp_path / "digests").iterdir()
            kept.write_text(content)
        identity._of_the_model.cache_clear()
        assert (source_digest(), len(count)) == (fresh, times)
    monkeypatch.undo()
    identity._of_the_model.cache_clear()
    assert source_digest() == fresh


def test_threads_read_the_source_one_after_the_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    under_way, most = [], []

    def slow(_: object) -> str:
        under_way.append(1)
        most.append(len(under_way))
        time.sleep(0.05)
        under_way.pop()
        return "00" * 32

    monkeypatch.setattr(identity.meaning, "meaning", slow)
    monkeypatch.setattr(identity, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(identity, "write_whole", lambda *_: None)  # none finds what another has kept
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(lambda _: identity._of_the_code(), range(4))) == {"00" * 32}
    assert most == [1, 1, 1, 1]


def test_another_value_of_the_package_is_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    before, known = source_digest(), dict(defaults())
    known["fear.risk_weight"] = known["fear.risk_weight"] | {"value": 6.5}
    monkeypatch.setattr(identity, "defaults", lambda: known)
    monkeypatch.setattr(identity, "_of_the_model", identity._of_the_model.__wrapped__)
    assert source_digest() != before
    known["fear.risk_weight"] = defaults()["fear.risk_weight"] | {"source": "Another reason."}
    assert source_digest() == before


def test_another_version_of_the_package_computes_the_same_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    before = model_digest()
    model_digest.cache_clear()
    monkeypatch.setattr("breakrank.__version__", "99")
    assert model_digest() == before


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    digests=st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
    runs=st.integers(1, 12),
    finished=st.dictionaries(st.sampled_from("abc"), st.sets(st.integers(0, 15))),
    without=st.sets(st.integers(0, 80), max_size=5),
)
def test_a_plan_is_what_is_missing_and_each_run_once(
    digests: list[str], runs: int, finished: dict[str, set[int]], without: set[int]
) -> None:
    plan = missing(digests, runs, finished, without)
    assert plan == sorted(set(plan))
    made = [(digests[n // runs], n % runs) for n in plan]
    assert len(made) == len(set(made)), "no run is made for two scenarios that are the same"
    assert not any(run in finished.get(digest, ()) for digest, run in made)
    assert not without & set(plan)
    firsts = {digests.index(d) * runs + r: (d, r) for d in set(digests) for r in range(runs)}
    wanted = {(d, r) for n, (d, r) in firsts.items() if r not in finished.get(d, ()) and n not in without}
    assert set(made) == wanted
    after = {d: finished.get(d, set()) | {r for e, r in made if e == d} for d in digests}
    assert missing(digests, runs, after, without) == [], "carried out, it is empty"


@pytest.fixture(scope="module")
def case() -> breakrank.Case:
    return breakrank.load_case("venezuela-2019", "point")


def test_scenarios_of_a_study_have_names_that_differ(case: breakrank.Case) -> None:
    with pytest.raises(UsageError, match="two scenarios are called 'case'"):
        Study((Scenario(case), Scenario(case)), 3)
    with pytest.raises(UsageError, match=r"a scenario cannot be called '\\n'"):
        Study((Scenario(case, "\n"),), 3)


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
