"""What is installed is complete, and what the project says about itself agrees."""

import importlib
import os
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

import breakrank
from tests.programs import python

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "breakrank"
OTHERS = {"all", "build", "dev", "benchmark"}
"""Extras that are for developers, and the one that stands for the rest."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names in a wheel for every Python, built from this checkout without kernels or a network."""
    folder = tmp_path_factory.mktemp("wheel")
    env = os.environ | {"BREAKRANK_WHEEL_KERNELS": "0"}
    python("-m", "hatchling", "build", "-t", "wheel", "-d", folder, folder=ROOT, env=env)
    (made,) = folder.glob("*-py3-none-any.whl")
    with zipfile.ZipFile(made) as opened:
        return set(opened.namelist())


def test_every_module_can_be_imported() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        if parts[-1] not in ("__main__", "preload"):  # they run the program, and load all kernels
            importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def test_every_file_of_the_package_is_in_the_wheel(wheel: set[str]) -> None:
    files = {p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*") if p.is_file()}
    kept = {f"breakrank/{f}" for f in files if not re.search(r"(^|/)(\.|__pycache__)", f)}
    assert not kept - wheel


def test_data_and_licences_are_in_the_wheel(wheel: set[str]) -> None:
    for name in (
        "breakrank/py.typed",
        "breakrank/case/library/venezuela-2019/case.yaml",
        "breakrank/case/library/venezuela-2019/evidence/observations.yaml",
        "breakrank/case/template/case.yaml",
        "breakrank/show/assets/inter-latin.woff2",
        "breakrank/show/assets/OFL-Inter.txt",
    ):
        assert name in wheel
    assert any(name.endswith("licenses/LICENSE") for name in wheel)
    assert not any(name.startswith(("tests/", "docs/", "breakrank/compiled/")) for name in wheel)


def test_the_desk_has_this_version_and_asks_for_it() -> None:
    about = tomllib.loads((ROOT / "packages/desk/pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert about["version"] == breakrank.__version__
    assert about["dependencies"][0] == f"breakrank=={breakrank.__version__}"


def test_the_citation_names_this_version() -> None:
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert cited[1] == breakrank.__version__


def test_the_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[0] in {breakrank.__version__, "Unreleased"}
    assert breakrank.__version__ in headings


@pytest.mark.thorough
def test_the_five_lines_of_the_readme_run(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.S)
    code = code.replace("runs=100", "runs=2")
    python("-c", code, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_plain_installation_leaves_a_report_and_all_is_every_extra_for_users() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = {re.split("[<>=]", each)[0] for each in project["dependencies"]}
    assert {"jinja2", "vl-convert-python"} <= core
    extras = project["optional-dependencies"]
    assert extras["all"] == [f"breakrank[{','.join(x for x in extras if x not in OTHERS)}]"]
