"""The posterior that comes with a case: read, refused, written, and left out of what the case is."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.case import Case, Draws, Posterior, fits, fitted_to, load_case, read_posterior, write_posterior
from breakrank.case.posterior import ABOUT, FOLDER, TABLE
from breakrank.errors import CaseError, FaultyCaseError, UsageError
from tests.mechanisms import files
from tests.mechanisms.civil_war import write_civil_war

VALUES = np.array([[1.0, 0.25], [2.0, 0.123456], [0.3, 1e-05]])


@pytest.fixture
def posterior(case: Case) -> Posterior:
    about = {"fitted_to": fitted_to(case), "simulations": 3, "made_with": {"numpy": "2"}}
    return Posterior(Draws(("fear.weight", "host.chance"), VALUES, shuffled=True), about)


@pytest.fixture
def kept(folder: Path, posterior: Posterior) -> Path:
    write_posterior(posterior, folder / FOLDER)
    return folder


def test_it_comes_with_the_case_and_is_no_part_of_it(kept: Path, case: Case, posterior: Posterior) -> None:
    loaded = load_case(kept, case.catalogue)
    assert loaded.posterior.draws == posterior.draws
    assert loaded.posterior.about["made_with"] == {"numpy": "2"}
    assert loaded == case
    assert loaded.draws is None
    assert "3 draws of 2 parameters, not used here" in repr(loaded)
    under = loaded.with_ensemble("posterior")
    assert under.draws == posterior.draws
    assert under.set({"fear.weight": 1}).posterior is not None
    assert pickle.loads(pickle.dumps(under)) == under


def test_it_knows_what_it_was_fitted_to(kept: Path, case: Case) -> None:
    text = (kept / "targets.yaml").read_text()
    loaded = load_case(kept, case.catalogue)
    assert loaded.posterior is not None
    assert fits(loaded.posterior, loaded)
    assert fits(loaded.posterior, loaded.set({"fear.weight": 1}).until(case.calendar.date(9)))
    (kept / "targets.yaml").write_text(text.replace("label: ", "label: Said otherwise, ", 1))
    told = load_case(kept, case.catalogue)
    assert told.posterior is not None
    assert fits(told.posterior, told)
    (kept / "targets.yaml").write_text(re.sub(r"range: \[", "range: [0.0", text, count=1))
    other = load_case(kept, case.catalogue)
    assert other.posterior is not None
    assert not fits(other.posterior, other)


def test_that_of_another_case_is_refused(folder: Path, case: Case, posterior: Posterior) -> None:
    other = Posterior(posterior.draws, {**posterior.about, "case": "elsewhere"})
    write_posterior(other, folder / FOLDER)
    whose = f"this is the posterior of elsewhere, and not of {case.id}"
    with pytest.raises(CaseError, match=rf"about\.yaml \(case\): {whose}"):
        load_case(folder, case.catalogue)
    for given in (other, folder / FOLDER):
        with pytest.raises(UsageError, match=whose):
            case.with_ensemble(given)


def test_what_is_written_reads_back(tmp_path: Path, posterior: Posterior, case: Case) -> None:
    write_posterior(posterior, tmp_path / "p")
    again = read_posterior(tmp_path / "p", case.catalogue)
    assert again.draws == posterior.draws
    assert dict(again.about) == dict(posterior.about)
    with pytest.raises(UsageError, match="not an empty folder"):
        write_posterior(posterior, tmp_path / "p")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        (TABLE, "fear.weight,host.chance\n1,inf\n", "no finite number"),
        (TABLE, "fear.weight,host.chance\n1,7\n", "draw 0 of host.chance is 7"),
        (TABLE, "fear.wieght\n1\n", "did you mean 'fear.weight'"),
        (TABLE, 'fear.weight,host.chance\n1,"0.5\n', f"{TABLE}:2"),
        (ABOUT, "- 1\n", "a mapping is expected"),
        (ABOUT, None, "missing"),
    ],
)
def test_what_cannot_be_used_is_named(kept: Path, case: Case, file: str, text: str | None, said: str) -> None:
    path = kept / FOLDER / file
    if text is None:
        path.unlink()
    else:
        path.write_text(text)
    with pytest.raises(CaseError) as error:
        load_case(kept, case.catalogue)
    assert said in str(error.value)
    assert FOLDER in str(error.value)


def test_a_digit_that_changed_is_found(kept: Path, case: Case) -> None:
    table = kept / FOLDER / TABLE
    text = table.read_text("utf-8")
    at = next(k for k in range(len(text) - 1, 0, -1) if text[k] in "2345678")
    table.write_text(f"{text[:at]}{int(text[at]) - 1}{text[at + 1 :]}", "utf-8")
    with pytest.raises(CaseError, match="its checksum differs"):
        load_case(kept, case.catalogue)


def test_a_slip_elsewhere_is_told_alone_where_the_posterior_is_of_an_added_mechanism(tmp_path: Path) -> None:
    folder = write_civil_war(tmp_path / "war")
    names = ("opposition.deaths", "fear.reach")
    values = np.array([[breakrank.load_case(folder).value(name) for name in names]])
    write_posterior(Posterior(Draws(names, values, shuffled=True)), folder / FOLDER)
    assert breakrank.load_case(folder).posterior is not None
    files.change(folder, "counterfactuals.yaml", "title:", "titel:")
    with pytest.raises(FaultyCaseError) as found:
        breakrank.check_case(folder)
    assert {error.place.file.name for error in found.value.errors if error.place.file} == {
        "counterfactuals.yaml"
    }
    files.change(folder, "counterfactuals.yaml", "titel:", "title:")
    files.write(folder / FOLDER, {TABLE: "opposition.deths\n1\n"})
    with pytest.raises(FaultyCaseError, match=r"did you mean 'opposition\.deaths'"):
        breakrank.check_case(folder)


def test_links_are_followed_no_more_than_in_the_rest_of_the_case(kept: Path, case: Case) -> None:
    elsewhere = kept.parent / "elsewhere"
    (kept / FOLDER).rename(elsewhere)
    (kept / FOLDER).symlink_to(elsewhere)
    with pytest.raises(CaseError, match="this is a link"):
        load_case(kept, case.catalogue)
    (kept / FOLDER).unlink()
    (kept / FOLDER).symlink_to(kept / "nowhere")
    with pytest.raises(CaseError, match="this is a link"):
        load_case(kept, case.catalogue)
