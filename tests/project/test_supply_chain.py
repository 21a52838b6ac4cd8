"""Two builds in two places are the same bytes, and the bill of materials is that of the locked packages."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.programs import python
from tests.project.test_locks import RUN, pins

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
