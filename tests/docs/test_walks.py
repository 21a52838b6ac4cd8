"""The contributor's page: its drawing is the house, and its walks are true, made in a copy of the tree."""

import os
import re
import shutil
from pathlib import Path

import pytest

from breakrank.surroundings import cache_folder
from tests.programs import python
from tests.project.test_layers import LAYERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "contribute.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(yaml|diff|python)\n# (?:(append to|new) )?(\S+)\n(.*?)```", re.S)
CHECKS = {
    "A parameter": """
case = breakrank.load_case("crimea-2014", "point")
assert case.value("detection.tradecraft") == 0.5
from breakrank.mechanisms.detection import Detection
assert Detection.parameters[-1].name == "detection.tradecraft"
assert case.set({"detection.tradecraft": 1}).value("detection.tradecraft") == 1
""",
    "An outcome": """
from breakrank.model import catalogue
assert catalogue().measures["given_away"].label == "Overheard or named"
""",
    "A question": """
from breakrank.questions.declared import branches
answer = branches("crimea-2014")
assert answer.table()["strength"].sum() == breakrank.load_case("crimea-2014", "point").value("force.strength")
from breakrank.cli import main
assert main(["branches", "crimea-2014"]) == 0
""",
    "An option": """
import contextlib, inspect, io
from tools.reference import reference
from breakrank.cli import main
from breakrank.questions.declared import Explain
assert inspect.signature(breakrank.explain).parameters["least"].default == 0
assert "least : leave out mechanisms" in breakrank.explain.__doc__
assert "| `--least` | `least` | `0.0` | 0 to 100 % |" in "\\n".join(reference([Explain]))
with contextlib.redirect_stdout(io.StringIO()) as shown:
    main(["explain", "--help"])
assert "--least" in shown.getvalue()
""",
    "A mechanism": """
from breakrank.model import MECHANISMS
assert MECHANISMS[-1].name == "boredom"
case = breakrank.load_case("crimea-2014", "point")
assert case.value("boredom.on") == 1 and case.value("boredom.weight") == 0.1
""",
}
"""What is so after each walk."""
RUN = """
from breakrank.cli import main
few = ["--runs", "1", "--workers", "1", "--until", "2014-03-05", "--ensemble", "point", "--out", "here"]
assert main(["run", "crimea-2014", *few]) == 0
"""


def walk(name: str) -> str:
    return PAGE.partition(f"### {name}\n")[2].partition("\n### ")[0]


def make_changes(name: str, root: Path) -> None:
    """Make the changes of a walk's blocks, in their order."""
    for kind, way, path, text in BLOCK.findall(walk(name)):
        file = root / path
        if way == "new":
            assert not (ROOT / path).exists(), f"{path} is there already"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
            continue
        there = file.read_text(encoding="utf-8")
        if way == "append to":
            file.write_text(f"{there}\n{text}", encoding="utf-8")
            continue
        assert kind == "diff"
        lines = text.splitlines()
        before = "\n".join(line[1:] for line in lines if line[0] in " -")
        after = "\n".join(line[1:] for line in lines if line[0] in " +")
        assert there.count(before) == 1, f"{path} does not have once: {before}"
        file.write_text(there.replace(before, after), encoding="utf-8")


@pytest.fixture
def walked(tmp_path: Path) -> Path:
    """Return a copy of the tree in which all walks were made."""
    leave = shutil.ignore_patterns("__pycache__", "static", "venezuela-2019", "syria-2011", "*.nbi", "*.nbc")
    shutil.copytree(ROOT / "src" / "breakrank", tmp_path / "src" / "breakrank", ignore=leave)
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "reference.py", tmp_path / "tools")
    for name in CHECKS:
        make_changes(name, tmp_path)
    return tmp_path


def run(code: str, root: Path) -> None:
    path = os.pathsep.join((str(root), str(root / "src")))
    env = {"PYTHONPATH": path, "BREAKRANK_CACHE_DIR": str(cache_folder()), "PATH": ""}
    python("-c", f"import breakrank\n{code}", folder=root, env=env)


def test_the_drawing_is_the_house() -> None:
    drawing = PAGE.partition("```text\n")[2].partition("```")[0]
    rows = [re.findall(r"\w+", line) for line in drawing.splitlines()]
    height = {name: -place for place, row in enumerate(rows) for name in row}
    assert set(height) == set(LAYERS)
    wrong = [(a, b) for a, below in LAYERS.items() for b in below if height[b] > height[a]]
    assert wrong == []


def test_the_page_names_files_that_there_are() -> None:
    new = {path for _, way, path, _ in BLOCK.findall(PAGE) if way == "new"}
    named = set(re.findall(r"`((?:src|tests|docs|tools)/[\w./-]+|CHANGELOG\.md)`", PAGE))
    named |= {path for _, _, path, _ in BLOCK.findall(PAGE)} - new
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_walks_are_true(walked: Path) -> None:
    run("\n".join(CHECKS.values()), walked)


@pytest.mark.thorough
def test_the_model_runs_after_all_walks(walked: Path) -> None:
    run(RUN, walked)
