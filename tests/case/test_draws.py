"""Draws of parameters as part of a case."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from breakrank.case import Case, Draws, load_case
from breakrank.case.files import DRAWS, LARGEST, text_of
from breakrank.errors import CaseError, UsageError

NAMES = ("fear.weight", "host.chance", "fear.on")
VALUES = np.array([[1.0, 0.1, 1.0], [2.0, 0.2, 0.0], [0.1 + 0.2, 0.3, 1.0]])


@pytest.fixture
def drawn(case: Case) -> Case:
    return case.with_draws(Draws(NAMES, VALUES, each=2))


def test_two_runs_share_a_row_and_rows_come_round_again(drawn: Case) -> None:
    assert drawn.draws.rows(7, range(8)).tolist() == [0, 0, 1, 1, 2, 2, 0, 0]
    assert drawn.drawn(7, 3).value("host.chance") == 0.2
    assert drawn.drawn(7, 3).value("fear.on") == 0
    assert drawn.drawn(7, 3).draws is None


def test_the_seed_chooses_which_rows_come_first_and_none_comes_twice_before_all_have() -> None:
    draws = Draws(("a",), np.arange(256.0)[:, None], shuffled=True)
    orders = [draws.rows(seed, range(512)).tolist() for seed in range(4)]
    for order in orders:
        assert sorted(order[:256]) == list(range(256))
        assert order[256:] == order[:256]
    assert len({frozenset(order[:40]) for order in orders}) == 4
    assert draws.rows(3, [41, 7]).tolist() == [orders[3][41], orders[3][7]]
    assert draws.of(3, 41) == {"a": orders[3][41]}


def test_a_run_of_a_case_with_draws_is_the_case_with_that_row_set(drawn: Case, case: Case) -> None:
    assert drawn.drawn(7, 4).digest == case.set(dict(zip(NAMES, VALUES[2].tolist(), strict=True))).digest


def test_what_is_set_by_hand_is_no_longer_drawn(drawn: Case) -> None:
    fixed = drawn.set({"host.chance": 0.9})
    assert fixed.draws.names == ("fear.weight", "fear.on")
    assert fixed.drawn(7, 0).value("host.chance") == 0.9
    assert fixed.set({"fear.weight": 1, "fear.on": 1}).draws is None
    own = drawn.set({"host.chance": drawn.value("host.chance")})
    assert own.draws == fixed.draws
    assert "host.chance" in own.by_hand, "to fix a drawn parameter at the case's own value changes its runs"


def test_draws_stay_when_something_else_changes(drawn: Case) -> None:
    assert drawn.until(drawn.calendar.date(20)).draws == drawn.draws
    assert drawn.set({"fear.memory": 80}).draws == drawn.draws
    assert drawn.with_events([]).draws == drawn.draws


def test_draws_are_part_of_what_a_case_is(drawn: Case, case: Case) -> None:
    assert drawn != case
    assert drawn.with_draws(None) == case
    moved = VALUES.copy()
    moved[0, 0] = np.nextafter(moved[0, 0], 2)
    others = [
        Draws(NAMES, VALUES, 1),
        Draws(NAMES, moved, 2),
        Draws(NAMES[::-1], VALUES[:, [2, 1, 0]], 2),
        Draws(NAMES, VALUES, 2, shuffled=True),
    ]
    assert len({case.with_draws(d).digest for d in (*others, drawn.draws)} - {None}) == 5
    assert pickle.loads(pickle.dumps(drawn)) == drawn


def test_a_written_case_has_the_same_bits_of_every_draw(drawn: Case, tmp_path: Path) -> None:
    folder = drawn.write(tmp_path / "case")
    again = load_case(folder, drawn.catalogue)
    assert again == drawn
    assert np.array_equal(again.draws.values, VALUES)
    assert "3 draws of 3 parameters, 2 runs to each" in repr(again)


@pytest.mark.parametrize(
    ("names", "values", "said"),
    [
        (("fear.wieght",), [[1.0]], "did you mean .fear.weight"),
        (("fear.weight",), [[1.0], [-1.0]], "draw 1 of fear.weight is -1"),
        (("fear.on",), [[0.5]], "draw 0 of fear.on is 0.5"),
        (("force.strength",), [[1000.0]], "cannot be drawn"),
    ],
)
def test_draws_that_the_model_cannot_be_run_under(
    case: Case, names: tuple[str, ...], values: list[list[float]], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        case.with_draws(Draws(names, np.array(values)))


@pytest.mark.parametrize(
    ("names", "values", "each", "said"),
    [
        ((), np.zeros((1, 0)), 1, "at least one parameter"),
        (("a", "a"), np.zeros((1, 2)), 1, "none twice"),
        (("a",), np.zeros((0, 1)), 1, "at least one row"),
        (("a",), np.zeros(3), 1, "shape"),
        (("a",), np.array([[0.0], [np.nan]]), 1, "draw 1 of a"),
        (("a",), np.zeros((1, 1)), 0, "each has to be"),
    ],
)
def test_tables_that_are_no_draws(names: tuple[str, ...], values: np.ndarray, each: int, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Draws(names, values, each)


@pytest.mark.parametrize("content", [b"", b"no JSON", b"[1]", b'{"names": []}', b"[" * 100_000])
def test_a_broken_file_of_draws_is_named(drawn: Case, tmp_path: Path, content: bytes) -> None:
    folder = drawn.write(tmp_path / "case")
    (folder / DRAWS).write_bytes(content)
    with pytest.raises(CaseError, match=DRAWS):
        load_case(folder, drawn.catalogue)


def test_more_draws_than_a_case_can_hold_are_neither_written_nor_read(
    drawn: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = drawn.write(tmp_path / "case")
    with (folder / DRAWS).open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(CaseError, match="larger than 16 MB"):
        load_case(folder, drawn.catalogue)
    monkeypatch.setattr("breakrank.case.files.LARGEST", 100)
    with pytest.raises(UsageError, match="more than a case can hold"):
        text_of(drawn.draws)


def test_draws_of_an_earlier_version_are_not_left_aside(drawn: Case, tmp_path: Path) -> None:
    folder = drawn.write(tmp_path / "case")
    (folder / DRAWS).rename(folder / "draws.npz")
    with pytest.raises(CaseError, match="earlier version"):
        load_case(folder, drawn.catalogue)
