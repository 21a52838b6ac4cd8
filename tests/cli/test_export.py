"""``breakrank export`` and ``breakrank cite``: the same numbers for other programs, and what to cite."""

import importlib.util
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from breakrank import Result, __version__, load_case, load_result
from breakrank.cli import export
from breakrank.runs import part
from tests.cli.conftest import Call

needs_extra = pytest.mark.skipif(
    any(importlib.util.find_spec(n) is None for n in ("h5netcdf", "h5py", "zarr")),
    reason="the extra export is not installed",
)


@pytest.fixture(scope="module")
def made(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a result, and a store with the same runs and some of another seed."""
    from breakrank.cli import main

    folder = tmp_path_factory.mktemp("made")
    store = str(folder / "store")
    few = ["--runs", "3", "--until", "2025-02-15", "--workers", "1", "--quiet", "--store", store]
    assert main(["run", str(template), *few, "--out", str(folder / "result"), "--log-runs", "1"]) == 0
    assert main(["run", str(template), *few, "--out", str(folder / "other"), "--seed", "1"]) == 0
    return folder


@pytest.fixture(scope="module")
def result(made: Path) -> Result:
    return load_result(made / "result")


def test_what_chooses_among_a_store_is_refused_for_a_result(call: Call, made: Path, tmp_path: Path) -> None:
    for option, value in (("--seed", 9), ("--scenario", "other"), ("--digest", "abc")):
        done = call("export", made / "result", tmp_path / "days.csv", option, value)
        assert (done.code, list(tmp_path.iterdir())) == (2, [])
        assert "is one result" in done.err


@pytest.mark.parametrize("text", ["", '{"breakrank_result":', None], ids=["empty", "cut", "missing"])
def test_a_result_with_a_damaged_head_is_named(
    call: Call, made: Path, tmp_path: Path, text: str | None
) -> None:
    folder = shutil.copytree(made / "result", tmp_path / "result")
    (folder / "result.json").unlink() if text is None else (folder / "result.json").write_text(text)
    done = call("export", folder, tmp_path / "days.csv")
    assert done.code == 1
    assert "is no Breakrank result: it has no readable result.json" in done.err


RESULT, STORE = ("result",), ("store", "--seed", 0)


@pytest.mark.parametrize(("source", "to"), [(RESULT, "csv"), (STORE, "parquet")])
def test_tables(call: Call, made: Path, result: Result, tmp_path: Path, source: Any, to: str) -> None:
    name, *which = source
    done = call("export", made / name, tmp_path / f"x.{to}", "--events", *which)
    assert done.code == 0, done.err
    read: Any = pd.read_csv if to == "csv" else pd.read_parquet
    daily = read(tmp_path / f"x.{to}")
    assert len(daily) == 3 * result.data.sizes["day"]
    assert daily["registered"].tolist() == result.data["registered"].values.ravel().tolist()
    exits = result.select("exits_rank", outcome="quiet_desertion", rank="enlisted")
    assert daily["exits_rank|quiet_desertion|enlisted"].tolist() == exits.values.ravel().tolist()
    assert (
        read(tmp_path / f"x-runs.{to}")["decision_opportunities"].tolist()
        == result.data["decision_opportunities"].values.tolist()
    )
    assert len(read(tmp_path / f"x-fields.{to}")) == result.data.sizes["day"]
    about = read(tmp_path / f"x-columns.{to}").set_index("column")
    assert about.loc["registered", "unit"] == "soldiers per day"
    assert about.loc["opposed", "aggregation"] == "mean"
    assert len(read(tmp_path / f"x-events.{to}")) == result.events.num_rows


@needs_extra
@pytest.mark.parametrize(("source", "to"), [(STORE, "netcdf"), (RESULT, "zarr")])
def test_cubes(call: Call, made: Path, result: Result, tmp_path: Path, source: Any, to: str) -> None:
    name, *which = source
    done = call("export", made / name, tmp_path / "x", "--to", to, *which)
    assert done.code == 0, done.err
    engine: Any = "h5netcdf" if to == "netcdf" else "zarr"
    with xr.open_dataset(tmp_path / "x", engine=engine) as data:
        assert set(data.data_vars) == set(result.data.data_vars)
        for each in result.data.data_vars:
            assert np.array_equal(data[each].values, result.data[each].values, equal_nan=True), each
        assert data["registered"].attrs["units"] == "soldiers per day"
        assert data["registered"].attrs["long_name"] == "Registered at the host"
        assert data["day"].values.tolist() == result.data["day"].values.tolist()
        assert data["rank"].values.tolist() == result.data["rank"].values.tolist()


def test_an_answer_is_said_to_hold_its_tables_already(call: Call, template: Path, tmp_path: Path) -> None:
    asked = ("compare", template, "--with", "no-appeal", "--runs", 1, "--until", "2025-01-31", "--quiet")
    assert call(*asked, "--out", tmp_path / "answer").code == 0
    done = call("export", tmp_path / "answer", tmp_path / "x.csv")
    assert (done.code, "holds its tables as CSV files already" in done.err) == (2, True)


def test_statistics_are_the_same_however_many_variables_are_read_at_once(
    call: Call, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few runs are read once, for all variables; of many runs, fewer variables at once."""
    reads: list[object] = []

    def counted(*given: Any) -> xr.Dataset:
        reads.append(given)
        return part.gather(*given)

    monkeypatch.setattr(export, "gather", counted)
    asked = (made / "store", "--seed", 0, "--reduce", "--only", "registered", "--only", "opposed")
    assert call("export", *asked[:1], tmp_path / "once.csv", *asked[1:]).code == 0
    assert len(reads) == 1
    monkeypatch.setattr(export, "AT_ONCE", 1)
    assert call("export", *asked[:1], tmp_path / "often.csv", *asked[1:]).code == 0
    assert len(reads) == 3
    assert (tmp_path / "once.csv").read_bytes() == (tmp_path / "often.csv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("store", "x", "--to", "csv"), "several ensembles; say which"),
        (("store", "x", "--to", "csv", "--seed", 7), "no such ensemble"),
        (("result", "x", "--to", "csv", "--only", "registred"), "did you mean 'registered'"),
        (("result", "there", "--to", "csv"), "exists already, and is left alone"),
        (("result", "x", "--to", "zarr", "--events"), "export them to csv or parquet"),
        (("result", "x"), "the name does not say the format"),
        (("result", "x.xlsx"), "Excel opens"),
        (("result", "x.xlsx", "--to", "csv"), "--out"),
        (("result", "x.parquet", "--to", "csv"), "its name says parquet"),
    ],
)
def test_what_cannot_be_exported(
    call: Call, made: Path, tmp_path: Path, arguments: tuple[object, ...], says: str
) -> None:
    (tmp_path / "there").write_text("mine")
    source, target, *more = arguments
    done = call("export", made / str(source), tmp_path / str(target), *more)
    assert done.code == 2, done.err
    assert says in done.err
    assert "Traceback" not in done.err
    assert [p.name for p in tmp_path.iterdir()] == ["there"]


CASE = "venezuela-2019"


def works_behind(call: Call, *arguments: object) -> dict[str, list[str]]:
    done = call("cite", *arguments, "--json")
    assert done.code == 0
    return {work["key"]: work["mechanisms"] for work in json.loads(done.out)["works"]}


def test_the_case_and_the_works_are_named(call: Call) -> None:
    done = call("cite", CASE)
    case = load_case(CASE, "point")
    assert done.code == 0
    assert f"version {__version__}" in done.out
    words = " ".join(done.out.split())
    assert f"names {len(case.ledger.sources)} sources" in words
    assert all(author in words for author in case.content.case.authors)
    assert "Kuran, T. (1991). Now out of never" in words
    assert "could not be checked" in done.err


def test_a_mechanism_that_is_off_is_not_cited(call: Call) -> None:
    before = works_behind(call, CASE, "--ensemble", "point")
    after = works_behind(call, CASE, "--ensemble", "point", "--set", "high_command.on=0")
    gone = {key for key, mechanisms in before.items() if mechanisms == ["high_command"]}
    assert "fearon1995" in gone
    assert set(before) - set(after) == gone
    assert not any("high_command" in mechanisms for mechanisms in after.values())


def test_methods_are_those_of_a_posterior(call: Call) -> None:
    methods = {
        way: json.loads(call("cite", CASE, "--ensemble", way, "--json").out)["methods"]
        for way in ("posterior", "prior", "point")
    }
    assert "gordon1993" in methods["posterior"]
    assert methods["prior"] == methods["point"] == []


def test_mechanisms_of_a_war_are_cited_where_they_are_added(call: Call) -> None:
    assert works_behind(call, "syria-2011")["levi1997"] == ["war"]
    assert "levi1997" not in works_behind(call, CASE)


def test_bibtex_holds_all_of_it_once(call: Call) -> None:
    done = call("cite", CASE, "--bibtex")
    keys = re.findall(r"^@\w+\{([\w-]+),$", done.out, re.M)
    assert keys[:2] == ["breakrank", CASE]
    assert len(set(keys)) == len(keys)
    assert set(keys[2:]) == set(works_behind(call, CASE))
    assert done.out.count("{") == done.out.count("}")
