"""The template: complete, commented, checked, and never over somebody's work."""

from pathlib import Path

import numpy as np
import pytest

from breakrank.case import check_case, load_case, new_case
from breakrank.errors import UsageError
from breakrank.model import catalogue
from breakrank.spec import Catalogue, Field, Parameter


def test_every_parameter_stands_at_its_typical_value(pristine: Path, catalogue: Catalogue) -> None:
    case = load_case(pristine, catalogue)
    text = (pristine / "parameters.yaml").read_text()
    for name, declared in catalogue.parameters.items():
        assert case.value(name) == declared.typical
        assert case.parameters[name].unit == declared.unit
        if name != "force.strength":
            assert f"# {declared.about}" in text
            assert "Typical value" in case.parameters[name].assumed
    assert "# National" in text
    assert "Opp 1990" in text
    for name in catalogue.fields:
        assert np.isfinite(case.daily(name)).all()


@pytest.mark.parametrize("name", ["My Case 2", "país-norte", "yes", "1e3"])
def test_folder_names(tmp_path: Path, catalogue: Catalogue, name: str) -> None:
    folder = new_case(tmp_path / name, catalogue)
    assert folder == tmp_path / name
    assert load_case(folder, catalogue).calendar.days == 181


def test_nothing_is_written_over(tmp_path: Path, catalogue: Catalogue) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("months of work")
    with pytest.raises(UsageError, match="not an empty folder"):
        new_case(tmp_path / "mine", catalogue)
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError):
        new_case(tmp_path / "file", catalogue)
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    (tmp_path / "empty").mkdir()
    assert new_case(tmp_path / "empty", catalogue).is_dir()


def test_odd_declarations_are_written_safely(tmp_path: Path) -> None:
    odd = Catalogue.of(
        [
            Parameter(
                "a.b", "per year: #1", -1e-7, 1e300, 1e-7, "first: 'x'\nsecond # line", "Who 1999: why"
            ),
            Parameter("c.d", "0.5", float("-inf"), float("inf"), -2.5, "no limits"),
        ],
        [
            Field("f", "% of %", 5, 1e9, "about: {x}"),
            Field("g", "yes", -3, -2, "below 0", ("state", "branch")),
        ],
        catalogue().outputs.values(),
        catalogue().measures.values(),
    )
    folder = new_case(tmp_path / "odd", odd)
    case = load_case(folder, odd)
    assert case.value("a.b") == 1e-7
    assert case.value("c.d") == -2.5
    assert case.daily("f").min() == 6
    assert case.daily("g").shape == (181, 3, 2)
    assert check_case(folder, odd) == []
