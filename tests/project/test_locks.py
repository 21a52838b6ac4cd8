"""The two lock files agree with each other and with the project, and hold nothing but pins and hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
