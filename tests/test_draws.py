"""The draws are Philox4x32-10 to the letter, uniform, independent across their names, and named only once."""

import ast
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import breakrank
from breakrank.draws import (
    NEARLY,
    NOBODY,
    decision,
    exponential,
    fraction,
    gaussian,
    gaussian_nearly,
    luck_key,
    normal,
    philox,
    uniform,
    uniform_each,
    uniforms,
    words,
    words_each,
)
from breakrank.old_names import new_name

WORD = 0xFFFFFFFF
KEY = luck_key(7, "run", 3)
NAME = int(decision("test.draw"))
NO = int(NOBODY)
RARE = 1e-4
"""A statistic as odd as this under chance would be a defect; the draws are fixed, so a pass stays a pass."""

word = st.integers(0, WORD)


def plain_philox(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    """Philox4x32-10 as published (Salmon et al. 2011, section 3.3), in whole numbers of any size."""
    c, (a, b) = list(counter), key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 2**32)
        c = [high1 ^ c[1] ^ a, low1, high0 ^ c[3] ^ b, low0]
        a, b = (a + 0x9E3779B9) % 2**32, (b + 0xBB67AE85) % 2**32
    return tuple(c)


def as_ints(values: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(v) for v in values)


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((WORD,) * 4, (WORD,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_published_vectors(counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert as_ints(philox(*counter, *key)) == expected
    assert plain_philox(counter, key) == expected


@settings(max_examples=300, deadline=None)
@given(word, word, word, word, st.integers(0, 2**64 - 1))
def test_words_are_philox_of_who_whom_when_and_name(
    name: int, who: int, whom: int, when: int, key: int
) -> None:
    expected = plain_philox((who, whom, when, name), (key % 2**32, key >> 32))
    assert as_ints(words(np.uint64(key), name, who, whom, when)) == expected
    assert as_ints(philox(who, whom, when, name, key % 2**32, key >> 32)) == expected


@settings(max_examples=300, deadline=None)
@given(word, word, word, st.integers(0, 2**64 - 1))
def test_fractions_are_made_of_the_words(who: int, whom: int, when: int, key: int) -> None:
    w = plain_philox((who, whom, when, NAME), (key % 2**32, key >> 32))
    assert uniforms(np.uint64(key), NAME, who, whom, when) == tuple((v + 0.5) / 2**32 for v in w)
    fine = ((w[0] >> 5) * 2**25 + (w[1] >> 7) + 0.5) / 2**52
    assert uniform(np.uint64(key), NAME, who, whom, when) == fine
    assert exponential(np.uint64(key), NAME, who, whom, when) == pytest.approx(-np.log(fine), rel=1e-15)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, WORD - 1), st.integers(0, 40_000)), max_size=20),
    st.integers(0, 2**64 - 1),
)
def test_draws_of_many_are_the_draws_of_each(named: list[tuple[int, int]], key: int) -> None:
    who = np.array([w for w, _ in named], np.uint32)
    when = np.array([t for _, t in named], np.int64)
    each = [uniform(np.uint64(key), NAME, w, NO, t) for w, t in named]
    assert uniform_each(np.uint64(key), NAME, who, when).tolist() == each
    out = np.empty((4, len(who)), np.uint32)
    words_each(np.uint64(key), NAME, who, 7, out)
    for j, w in enumerate(who.tolist()):
        assert tuple(out[:, j].tolist()) == plain_philox((w, NO, 7, NAME), (key % 2**32, key >> 32))


def test_fractions_are_never_0_or_1() -> None:
    assert 0 < fraction(0) < fraction(WORD) < 1
    highest = ((WORD >> 5) * 2**25 + (WORD >> 7) + 0.5) / 2**52  # see above: how `uniform` is made
    assert highest < 1


def test_a_key_is_made_of_seed_name_and_number() -> None:
    for seed, name, number in ((0, "run", 0), (7, "run", 2**33 + 1), (2**64 - 1, "force", 5)):
        w = plain_philox((number % 2**32, number >> 32, int(decision(name)), 0), (seed % 2**32, seed >> 32))
        assert int(luck_key(seed, name, number)) == w[0] | w[1] << 32
    assert luck_key(2**64, "run") == luck_key(0, "run")
    assert luck_key(-1, "run") == luck_key(2**64 - 1, "run")


def test_normal_and_exponential_have_their_distributions() -> None:
    z = np.array([normal(KEY, NAME, i, NO, 0) for i in range(20_000)])
    e = np.array([exponential(KEY, NAME, i, NO, 0) for i in range(20_000)])
    assert stats.kstest(z, "norm").pvalue > RARE
    assert stats.kstest(e, "expon").pvalue > RARE
    assert z.mean() == pytest.approx(0, abs=0.03)
    assert z.std() == pytest.approx(1, abs=0.03)
    assert stats.skew(z) == pytest.approx(0, abs=0.08)
    assert stats.kurtosis(z) == pytest.approx(0, abs=0.15)
    assert e.mean() == pytest.approx(1, abs=0.03)
    assert e.var() == pytest.approx(1, abs=0.1)


def named_decisions() -> dict[str, list[str]]:
    """Return every decision the package names, with the files that name it."""
    root = Path(breakrank.__file__).parent
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "decision"
                and isinstance(node.args[0], ast.Constant)
            ):
                found[str(node.args[0].value)].append(path.relative_to(root).as_posix())
    return found


def belongs_to(owner: str, file: Path) -> bool:
    """Tell whether a file is its owner's, or a part that the owner's own file imports.

    Decisions keep the name that their mechanism or module had first: draws are keyed by it.
    """
    owner = {"queue_whatif": "asylum", "screening": "asylum"}.get(owner, owner)
    owner = new_name(f"{owner}.on").removesuffix(".on")
    home = Path(breakrank.__file__).parent / file.parent / f"{owner}.py"
    part = home.is_file() and f"{file.stem} import" in home.read_text(encoding="utf-8")
    return part or owner in file.as_posix()


def test_every_decision_is_named_once_and_has_a_code_of_its_own() -> None:
    found = named_decisions()
    assert len(found) > 20
    twice = {name: files for name, files in found.items() if len(files) > 1}
    assert not twice
    codes = {int(decision(name)) for name in [*found, "run", "force"]}
    assert len(codes) == len(found) + 2
    for name, files in found.items():
        assert belongs_to(name.split(".")[0], Path(files[0])), f"{name} is named in {files[0]}"


@settings(max_examples=500, deadline=None)
@given(word, word)
def test_what_is_nearly_a_gaussian_is_as_near_as_it_says(w0: int, w1: int) -> None:
    assert abs(gaussian_nearly.py_func(w0, w1) - gaussian(w0, w1)) <= NEARLY


@pytest.mark.parametrize("w0", [0, 1, WORD])
@pytest.mark.parametrize("w1", [0, WORD // 4, WORD // 2, WORD // 2 + 1, WORD])
def test_so_it_is_at_the_ends_of_the_series(w0: int, w1: int) -> None:
    assert abs(gaussian_nearly.py_func(w0, w1) - gaussian(w0, w1)) <= NEARLY
