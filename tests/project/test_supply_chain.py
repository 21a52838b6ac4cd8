"""Lock files, bill of materials and builds: nothing but pins and hashes, and in two places the same bytes."""

import json
import os
import re
import shutil
import tarfile
import tomllib
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.programs import python

ROOT = Path(__file__).parents[2]
PLAIN = {"BREAKRANK_WHEEL_KERNELS": "0"}
"""Compiled kernels hold names and addresses that differ from build to build."""
LEFT = (".*", "__pycache__", "node_modules", "build", "dist", "_build", "generated")


def built(tree: Path, mask: int) -> dict[str, bytes]:
    """Return the sdist and the wheel of a copy of this checkout, made under its own umask and clock."""
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT), copy_function=shutil.copyfile)
    shutil.copy(ROOT / ".gitignore", tree)
    for path in tree.rglob("*"):
        path.chmod(0o777 & ~mask if path.is_dir() or path.parent.name == "tools" else 0o666 & ~mask)
        os.utime(path, (mask * 1e6, mask * 1e6))
    environment = {k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"} | PLAIN
    python("-m", "hatchling", "build", "-d", tree / "made", folder=tree, env=environment)
    return {path.name: path.read_bytes() for path in (tree / "made").iterdir()}


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="this system has no umask")
def test_two_builds_in_two_places_are_the_same_bytes(tmp_path: Path) -> None:
    one, other = built(tmp_path / "here", 0o022), built(tmp_path / "elsewhere" / "and deeper", 0o077)
    assert sorted(path.rpartition(".")[2] for path in one) == ["gz", "whl"]
    assert one.keys() == other.keys()
    for name, content in one.items():
        assert content == other[name], name
    (wheel,) = (tmp_path / "here" / "made").glob("*.whl")
    (source,) = (tmp_path / "here" / "made").glob("*.gz")
    with zipfile.ZipFile(wheel) as opened:
        (inside,) = (name for name in opened.namelist() if "/sboms/" in name)
        assert opened.read(inside) == (ROOT / "sbom.cdx.json").read_bytes()
    with tarfile.open(source) as opened:
        opened.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    again = ("-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again")
    python(*again, folder=unpacked, env=os.environ | PLAIN)
    assert (tmp_path / "again" / wheel.name).read_bytes() == wheel.read_bytes()


def test_the_bill_of_materials_is_that_of_the_locked_packages_and_of_the_page() -> None:
    spec = spec_from_file_location("sbom", ROOT / "tools" / "sbom.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    text = (ROOT / "sbom.cdx.json").read_text(encoding="utf-8")
    assert text == tool.bill(), "call tools/sbom.py"
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    assert problem is None, problem
    parts = json.loads(text)["components"]
    assert [part["name"] for part in parts if not part.get("licenses")] == []
    told = {part["purl"]: part for part in parts if "purl" in part}
    for pin, hashes in pins(RUN).items():
        name, _, version = pin.partition(" ;")[0].partition("==")
        part = told[f"pkg:pypi/{name}@{version.strip()}"]
        assert {f"sha256:{one['content']}" for one in part["hashes"]} == hashes
    assert "pkg:npm/svelte@" in text


FULL, RUN = "requirements.lock", "requirements-run.lock"


def pins(name: str) -> dict[str, set[str]]:
    """Return the hashes of every pinned line of a lock file."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            head, *hashes = line.split("--hash=")
            found[" ".join(head.split())] = {h.strip() for h in hashes}
    return found


def named(requirement: str) -> str:
    return re.split(r"[ <>=!~;\[]", requirement, maxsplit=1)[0].lower().replace(".", "-").replace("_", "-")


@pytest.mark.parametrize("name", [FULL, RUN])
def test_everything_is_pinned_with_hashes_and_no_address(name: str) -> None:
    for requirement, hashes in pins(name).items():
        assert "==" in requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", h) for h in hashes)
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_a_run_needs_a_part_of_what_the_tests_need() -> None:
    assert pins(RUN).items() <= pins(FULL).items()


def test_the_locks_cover_what_the_project_asks_for() -> None:
    project, desk = (
        tomllib.loads((ROOT / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for name in ("", "packages/desk")
    )
    extras = project["optional-dependencies"]
    some = [*project["dependencies"], *extras["plan"], *extras["page"], *extras["build"]]
    every = [*project["dependencies"], *(one for name in extras.keys() - {"all"} for one in extras[name])]
    every += desk["dependencies"][1:]
    for name, wanted in ((RUN, some), (FULL, every)):
        assert {named(r) for r in wanted} <= {named(r) for r in pins(name)}
