"""What ``import breakrank`` offers, and that it costs nothing."""

import re
from pathlib import Path

import pytest

import breakrank
from breakrank import model, plugins
from breakrank.questions.declared import QUESTIONS
from tests.programs import python


def test_there_are_fifteen_primary_outcomes_at_most_each_with_a_place_of_its_own() -> None:
    known = model.catalogue(tuple(plugins.OPTIONAL))
    places = sorted(m.primary for m in known.measures.values() if m.primary)
    assert places == list(range(1, len(places) + 1))
    assert len(places) <= 15
    assert known.primary[0] == "left_abroad"
    assert not {"went_over", "units_over"} & set(model.catalogue().primary)


ROOT = Path(__file__).parents[1]


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, breakrank, breakrank.results; "
        "print(*sorted({'numpy', 'numba', 'xarray', 'pandas', 'pydantic'} & set(sys.modules)))"
    )
    assert python("-c", code, env={"PYTHONPATH": str(ROOT / "src"), "SYSTEMROOT": ""}).strip() == ""


def test_every_public_name_is_there() -> None:
    for name in breakrank.__all__:
        assert getattr(getattr(breakrank, name), "__name__", name).rpartition(".")[2] == name
    assert set(breakrank.__all__) <= set(dir(breakrank))


def test_its_help_names_every_question_and_how_to_read_the_answer() -> None:
    told = breakrank.__doc__ or ""
    names = {kind.name.rpartition(" ")[2] for kind in QUESTIONS} | {"simulate"}
    assert names == set(re.findall(r"^``(\w+)``  ", told, re.MULTILINE))
    for word in ("show()", "plot()", "table()", "without_event", "events.ids", "list_cases"):
        assert word in told
    assert "doctest" not in told


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'simulat'"):
        _ = breakrank.simulat
