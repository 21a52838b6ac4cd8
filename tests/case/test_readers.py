"""The readers: whatever is in a file, it is read or refused with a CaseError, and never anything else."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from breakrank.case import Case, load_case
from breakrank.case.documents import read_json, read_yaml
from breakrank.case.files import to_yaml
from breakrank.case.tables import read_table
from breakrank.case.values import Keyed, Listed
from breakrank.errors import CaseError
from breakrank.spec import Catalogue
from tests.case.conftest import TURNS

FILE = Path("some.yaml")


def test_lines_are_known() -> None:
    text = "# one\na: 1\nb:\n  - x\n  - y: 2\n    z: {k: 3}\n"
    document = read_yaml(text, FILE)
    assert document.data == {"a": 1, "b": ["x", {"y": 2, "z": {"k": 3}}]}
    places = [
        (("a",), 2, "a"),
        (("b",), 3, "b"),
        (("b", 0), 4, "b[0]"),
        (("b", 1), 5, "b[1]"),
        (("b", 1, "z", "k"), 6, "b[1].z.k"),
        (("b", 1, "gone", "deep"), 5, "b[1].gone.deep"),
        (("b", 9), 3, "b.9"),
        (("gone",), None, "gone"),
    ]
    for path, line, key in places:
        place = document.place(*path)
        assert (place.line, place.key) == (line, key)


def test_json_is_placed_by_feature() -> None:
    text = '{"type": "FeatureCollection", "features": [{"id": 1}, {"geometry": {"coordinates": [1, 2]}}]}'
    document = read_json(text, Path("borders.geojson"))
    assert document.data == json.loads(text)
    error = document.error(("features", 1, "geometry", "coordinates", 0), "this is odd")
    assert str(error) == "borders.geojson (feature 2: geometry.coordinates.0): this is odd"
    assert document.place("features", 0).key == "feature 1"
    assert document.place("type").key == "type"


@pytest.mark.parametrize(
    ("inside", "says"),
    [
        ('"a": {"b": 1, "b": 2}', "(feature 2: a): the key 'b' is written twice"),
        ('"a": ' + "[" * 30 + "]" * 30, "values are nested more than 20 levels deep"),
        ('"a": [NaN]', "(feature 2: a.0): the number nan is not finite"),
        ('"a": 1e999', "(feature 2: a): the number inf is not finite"),
        (r'"a": "\u001b[2J"', "(feature 2: a): a text holds the hidden character #x001b"),
        (r'"\ud800": 1', "(feature 2): a text holds the hidden character #xd800"),
    ],
)
def test_what_json_may_not_hold_is_told_by_feature(inside: str, says: str) -> None:
    text = f'{{"features": [{{}}, {{{inside}}}, {{"z": 1, "z": 2}}]}}'
    with pytest.raises(CaseError) as caught:
        read_json(text, Path("borders.geojson"))
    assert says in str(caught.value)
    assert str(caught.value).startswith("borders.geojson (feature 2")


PLAIN = st.recursive(
    st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=TURNS), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=TURNS), max_size=8),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text("abc.-", min_size=1, max_size=5), PLAIN, max_size=4) | st.lists(PLAIN, max_size=4)
)
@settings(deadline=None)
def test_what_is_written_is_read_again(data: Any) -> None:
    assert read_yaml(to_yaml(data), FILE).data == data


@given(PLAIN)
@settings(deadline=None)
def test_json_is_read_as_python_reads_it(data: Any) -> None:
    assert read_json(json.dumps(data), FILE).data == data
    assert read_json(json.dumps(data, ensure_ascii=False, indent=2), FILE).data == data


def _walk(data: Any) -> None:
    """Fail on anything that a reader must not let through."""
    assert data is None or isinstance(data, dict | list | str | bool | int | float)
    if isinstance(data, dict):
        assert not isinstance(data, Keyed) or set(data) == set(data.lines)
        for key, value in data.items():
            assert isinstance(key, str)
            _walk(value)
    elif isinstance(data, list):
        assert not isinstance(data, Listed) or len(data) == len(data.lines)
        for value in data:
            _walk(value)
    elif isinstance(data, float):
        assert math.isfinite(data)


MARKS = st.text(st.sampled_from(list("ab01.:,-{}[]\"'#&*!|>%@`~? \n\t\\\ufeff\x85é\x00")), max_size=60)


@given(MARKS)
@example("- - - - a\n- b")
@example("? ")
@example("%YAML 9.9\n--- a")
@example("a: |\n  text\n  more")
@example("{a: 1, b}")
@settings(deadline=None)
def test_any_text_is_read_as_yaml_or_refused(text: str) -> None:
    try:
        document = read_yaml(text, FILE)
    except CaseError:
        return
    _walk(document.data)


@given(MARKS)
@settings(deadline=None)
def test_any_text_is_read_as_json_or_refused(text: str) -> None:
    try:
        document = read_json(text, FILE)
    except CaseError:
        return
    _walk(document.data)


@given(st.text(st.sampled_from(list("ab,\"'#\n\r 1")), max_size=60))
@settings(deadline=None)
def test_any_text_is_read_as_a_table_or_refused(text: str) -> None:
    try:
        rows = read_table("a,b\n" + text, FILE, ("a", "b")).rows
    except CaseError:
        return
    assert all(set(r.cells) == {"a", "b"} and all(r.cells.values()) for r in rows)


SLOTS = [
    ("force.yaml", "value: 5000"),
    ("force.yaml", "repression: 0.2"),
    ("force.yaml", "opportunity: 0.6"),
    ("force.yaml", "share: 0.7"),
    ("force.yaml", "tier: 1"),
    ("force.yaml", "leads: 10"),
    ("force.yaml", "size: 1000"),
    ("routes.yaml", "capture: 0.05"),
    ("routes.yaml", "days: 0.2"),
    ("command.yaml", "weight: 0.35"),
    ("sites.yaml", "capacity: 60"),
    ("sites.yaml", "rations_per_day: 3"),
    ("sites.yaml", "stay_limit: 30"),
    ("payers.yaml", "amount: 20000"),
    ("fields.yaml", "value: 0.3"),
    ("events.yaml", "value: 0.3"),
    ("events.yaml", "half_life: 30"),
    ("parameters.yaml", "value: 60"),
    ("targets.yaml", "at_most: 10"),
    ("case.yaml", "breakrank: 2"),
    ("evidence/observations.yaml", "value: 5000"),
]

SCALARS = (
    st.floats().map(repr)
    | st.integers().map(str)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
    | st.sampled_from(
        [
            *(".inf", "-.inf", ".nan", "1e999", "9" * 400, "0x" + "f" * 30, "~", "null", "true", "''", "[1]"),
            *("{a: 1}", "&a 1", "*a", "!!float 1", "1_000", "1,000", "2019-01-01", "0b11", "1:30", "<<"),
            *("=", "-", "?"),
        ]
    )
)


@given(st.sampled_from(SLOTS), SCALARS)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_number_slot_takes_a_number_or_refuses(
    folder: Path, catalogue: Catalogue, slot: tuple[str, str], scalar: str
) -> None:
    file, good = slot
    path = folder / file
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(good, f"{good.split(':')[0]}: {scalar}", 1), encoding="utf-8", newline="")
    try:
        case = load_case(folder, catalogue)
    except CaseError:
        pass
    else:
        assert isinstance(case, Case)
        assert all(math.isfinite(p.value) for p in case.parameters.values())
        assert len(case.digest) == 64
    finally:
        path.write_text(before, encoding="utf-8")


def test_a_comma_within_braces_is_explained(tmp_path: Path) -> None:
    with pytest.raises(
        CaseError, match="a comma ends a value: put a text that holds one in quotes"
    ) as raised:
        read_yaml("- {id: a, label: South, and West}\n", tmp_path / "a.yaml")
    assert "the key 'and West' has no value" in str(raised.value)
