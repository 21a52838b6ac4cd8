"""Folders whose high command does not add up, names what does not exist, or is no list of positions."""

from __future__ import annotations

from pathlib import Path

from tests.case.hostile import Hostile, swap

FILE = "command.yaml"


def put_dead_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere.yaml"))


COMMAND = [
    Hostile("a link to nowhere for the command", FILE, lambda f: put_dead_link(f / FILE), ("link",)),
    swap("a position without parent", FILE,
         "  contact: true             # it has dealings with the challenger's side\n  assumed: Invented.\n",
         "", "neither evidence nor an assumption"),
    swap("a weight above 1", FILE, "weight: 0.35", "weight: 35", "at most 1", on="weight: 35"),
    swap("weights that add up to more than all", FILE, "weight: 0.35", "weight: 0.85", "add up to 1.3",
         "take 0.3 away"),
    swap("a position of an unknown branch", FILE, "branch: guard", "branch: gard",
         "unknown branch 'gard', did you mean 'guard'?", on="branch: gard", key="border-commander.branch"),
    swap("a position in an unknown region", FILE, "region: border ", "region: boarder ",
         "unknown region 'boarder', did you mean 'border'?", on="region: boarder"),
    swap("a capital outside its region", FILE, "capital: false", "capital: true",
         "not in the region 'border'", on="region: border"),
]  # fmt: skip
