"""What the check says of a composition that nothing comes of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import breakrank


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return breakrank.load_case("syria-2011", "values").write(tmp_path / "syria-2011")


def told(folder: Path) -> list[str]:
    return [str(w) for w in breakrank.check_case(folder)]


def test_a_composition_without_cohesion(folder: Path) -> None:
    assert not [t for t in told(folder) if "composition acts through cohesion" in t]
    path = folder / "parameters.yaml"
    text = path.read_text("utf-8")
    for name in ("cohesion.norm_weight", "cohesion.solidarity_weight"):
        text, n = re.subn(
            rf"(?m)^{re.escape(name)}:\n  value: .*\n(  prior: .*\n(    .*\n)*)?",
            f"{name}:\n  value: 0\n",
            text,
        )
        assert n == 1
    path.write_text(text, "utf-8")
    (found,) = [t for t in told(folder) if "composition acts through cohesion" in t]
    assert "parameters.yaml:" in found
