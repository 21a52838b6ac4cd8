"""Loading a case, and those that come with the package."""

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import breakrank
from breakrank.case import Case, Listing, files, list_cases, load_case
from breakrank.case.files import files_of
from breakrank.errors import UsageError
from breakrank.spec import Catalogue
from tests.case.conftest import edit
from tests.programs import python


def test_an_unknown_name_names_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(UsageError, match="did you mean 'venezuela-2019'"):
        load_case("venezuela-2018", catalogue)
    with pytest.raises(UsageError, match="Built-in cases: "):
        load_case("", catalogue)


def test_a_byte_order_mark_and_windows_lines_do_no_harm(
    folder: Path, case: Case, catalogue: Catalogue
) -> None:
    for path in folder.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_case(folder, catalogue) == case


def test_originals_of_copies(folder: Path, catalogue: Catalogue) -> None:
    edit(
        folder,
        "evidence/sources.yaml",
        "  reliability: low ",
        "  copy_of: yearbook-2024\n  reliability: low ",
    )
    ledger = load_case(folder, catalogue).ledger
    assert ledger.original("ministry-2025").id == "yearbook-2024"
    assert ledger.independent(["strength-ministry", "strength-yearbook"]) == 1
    assert repr(ledger) == "Ledger of 4 observations from 3 sources (2 independent)"
    with pytest.raises(UsageError, match="did you mean 'herald-2025'"):
        ledger.original("herald")


def test_a_case_is_frozen_and_travels(case: Case) -> None:
    with pytest.raises(AttributeError):
        case.title = "other"
    copy = pickle.loads(pickle.dumps(case))
    assert copy == case
    assert hash(copy) == hash(case)
    assert copy.catalogue == case.catalogue
    assert isinstance(copy.events, Listing)


def test_route_daily_follows_the_schedule(case: Case) -> None:
    is_open, capture = case.route_daily("open"), case.route_daily("capture")
    first, last = case.calendar.day("2025-03-01"), case.calendar.day("2025-03-31")
    assert is_open.shape == (181, 2)
    assert is_open[:, 0].sum() == 181 - 31
    assert not is_open[first : last + 1, 0].any()
    assert is_open[first - 1, 0] == is_open[last + 1, 0] == 1
    assert set(capture[:, 0]) == {0.05, 0.2}
    assert set(case.route_daily("violence")[:, 0]) == {0.01}
    assert is_open[:, 1].all()
    with pytest.raises(UsageError, match="none of open"):
        case.route_daily("closed")


@pytest.mark.parametrize("name", sorted(list_cases()))
def test_a_case_is_written_alike_without_libyaml(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = breakrank.load_case(name).content
    quick = files_of(content)
    own = vars(files._Dumper)
    plain: Any = type("Plain", (yaml.SafeDumper,), {k: own[k] for k in own if not k.startswith("__")})
    monkeypatch.setattr(files, "_Dumper", plain)
    files._entry.cache_clear()
    assert files_of(content) == quick


@pytest.mark.parametrize("name", list_cases())
def test_each_loads_and_every_field_is_finite(name: str) -> None:
    case = breakrank.load_case(name)
    assert case.id == name
    for field in case.catalogue.fields.values():
        values = case.daily(field.name)
        assert np.isfinite(values).all()
        assert values.min() >= field.low
        assert values.max() <= field.high


@pytest.mark.parametrize("name", list_cases())
def test_each_is_written_and_read_again(name: str, tmp_path: Path) -> None:
    case = breakrank.load_case(name)
    again = breakrank.load_case(case.write(tmp_path / name))
    assert again.digest == case.digest


@pytest.mark.parametrize("name", list_cases())
def test_nothing_in_it_is_warned_of(name: str) -> None:
    assert [str(warning) for warning in breakrank.check_case(name)] == []


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, breakrank.case; "
        "heavy = {'scipy', 'xarray', 'pandas', 'numba', 'pyarrow', 'networkx', 'altair'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    python("-c", code, env={"PYTHONPATH": ":".join(p for p in sys.path if p)})
