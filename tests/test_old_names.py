"""Names that changed: each leads to one that exists, none is in use, and messages and draws know them."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case.ensemble import Free
from breakrank.case.library import case_folder
from breakrank.case.models_patterns import PUT_TOGETHER
from breakrank.draws import decision, luck_key, uniform_each
from breakrank.engine.codes import EVENTS, OCCASIONS, OPTIONS
from breakrank.errors import BreakrankError, UsageError
from breakrank.model import catalogue
from breakrank.old_names import MECHANISMS, NAMES, first_name, new_name

WAR = ("dissolution", "opposition", "unit_defection", "war")


def test_every_old_name_leads_to_one_that_is_in_use_and_is_in_use_no_more() -> None:
    whole = catalogue(WAR)
    known = {*whole.parameters, *whole.fields, *whole.outputs, *whole.measures}
    known |= {*EVENTS, *OPTIONS, *OCCASIONS, *PUT_TOGETHER}
    switches = {name.partition(".")[0] for name in whole.parameters}
    assert set(NAMES.values()) <= known
    assert set(MECHANISMS.values()) <= switches
    assert not known & set(NAMES)
    assert not switches & set(MECHANISMS)
    assert len(set(NAMES.values())) == len(NAMES)


def test_the_first_name_is_the_old_one() -> None:
    for name in NAMES:
        assert first_name(new_name(name)) == name


@pytest.mark.parametrize(
    ("old", "new"),
    [("rising.loss", "uprising.loss"), ("plots.habit", "plots.baseline_plan"), ("ways_out.on", "routes.on")],
)
def test_setting_an_old_parameter_says_what_it_is_called_now(old: str, new: str) -> None:
    with pytest.raises(UsageError, match=f"there is no parameter '{old}'; it is called '{new}' now"):
        breakrank.load_case("venezuela-2019", "point").set({old: 1})


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("parameters.yaml", "ways_out.alert", "routes.alert"),
        ("targets.yaml", "risings", "uprisings"),
        ("events.yaml", "host_word", "host_reputation"),
    ],
)
def test_a_case_file_with_an_old_name_is_told_the_new_one(
    file: str, old: str, new: str, tmp_path: Path
) -> None:
    folder = tmp_path / "case"
    shutil.copytree(case_folder("crimea-2014"), folder)
    text = (folder / file).read_text("utf-8")
    assert new in text
    (folder / file).write_text(text.replace(new, old), "utf-8")
    with pytest.raises(BreakrankError, match=f"{old}'; it is called '{new}' now"):
        breakrank.load_case(folder)


def test_draws_from_a_prior_are_keyed_by_the_first_name() -> None:
    free = Free.of(breakrank.load_case("venezuela-2019", "point"))
    k = free.names.index("routes.joint_exit_weight")
    numbers = np.arange(5)
    u = uniform_each(
        luck_key(3, "calibrate.prior"),
        int(decision("ways_out.company")),
        numbers.astype(np.uint32),
        np.zeros(5, np.int64),
    )
    values = free.values(free.drawn(3, "prior", numbers))[:, k]
    assert np.allclose(values, free.priors[k].quantile(u))
