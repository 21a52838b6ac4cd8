"""Folders whose high command does not add up, names what does not exist, or is no list of positions."""

from __future__ import annotations

from pathlib import Path

from tests.case.hostile import Hostile, put_folder, put_link, put_pipe, swap, whole

FILE = "command.yaml"


def put_dead_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere.yaml"))


COMMAND = [
    Hostile("a folder for the command", FILE, lambda f: put_folder(f / FILE), ("folder",)),
    Hostile("a link for the command", FILE, lambda f: put_link(f / FILE), ("link",)),
    Hostile(
        "a link to nowhere for the command",
        FILE,
        lambda f: put_dead_link(f / FILE),
        ("link",),
    ),
    Hostile("a pipe for the command", FILE, lambda f: put_pipe(f / FILE), ("not a regular file",)),
    whole("an empty command", FILE, "", "empty", "[]"),
    whole("a command that is a mapping", FILE, "army-commander: 1\n", "a mapping", "a list"),
    whole("a command that is nothing", FILE, "~\n", "a list"),
    whole(
        "a position that is a text", FILE, "- army-commander\n", "'army-commander'", "a mapping", on="- army"
    ),
    swap("a position twice", FILE, "- id: army-commander", "- id: defence-minister", "is there twice"),
    swap(
        "a position without parent",
        FILE,
        "  contact: true             # it has dealings with the challenger's side\n  assumed: Invented.\n",
        "",
        "neither evidence nor an assumption",
    ),
    swap("a position without weight", FILE, "  weight: 0.35\n", "", "'weight' is missing"),
    swap(
        "a position without place",
        FILE,
        "  branch: army              # the branch it commands, if it commands one\n  capital: true\n",
        "",
        "'capital' is missing",
    ),
    swap(
        "a misspelt key of a position",
        FILE,
        "rents: 0.9",
        "rent: 0.9",
        "did you mean 'rents'?",
        on="rent: 0.9",
    ),
    swap("a weight above 1", FILE, "weight: 0.35", "weight: 35", "at most 1", on="weight: 35"),
    swap("a weight below 0", FILE, "weight: 0.35", "weight: -0.35", "at least 0", on="weight: -0.35"),
    swap("a weight that is no number", FILE, "weight: 0.35", "weight: .nan", ".nan", on="weight: .nan"),
    swap("a weight in quotes", FILE, "weight: 0.35", "weight: '0.35'", "a number", on="weight: '0.35'"),
    swap("rents above 1", FILE, "rents: 0.9", "rents: 1.9", "at most 1", on="rents: 1.9"),
    swap("capital in words", FILE, "capital: false", "capital: no", "true or false", on="capital: no"),
    swap("contact as a number", FILE, "contact: true ", "contact: 1 ", "true or false", on="contact: 1"),
    swap("a day that does not exist", FILE, "2025-02-01", "2025-02-30", "is not a date", on="2025-02-30"),
    swap("a day without a month", FILE, "2025-02-01", "2025", "is not a date", on="sanctioned: 2025"),
    swap("an id with a space", FILE, "- id: army-commander", "- id: army commander", "army commander"),
    swap(
        "weights that add up to more than all",
        FILE,
        "weight: 0.35",
        "weight: 0.85",
        "add up to 1.3",
        "take 0.3 away",
    ),
    swap(
        "a position of an unknown branch",
        FILE,
        "branch: guard",
        "branch: gard",
        "unknown branch 'gard', did you mean 'guard'?",
        on="branch: gard",
        key="border-commander.branch",
    ),
    swap(
        "a position in an unknown region",
        FILE,
        "region: border ",
        "region: boarder ",
        "unknown region 'boarder', did you mean 'border'?",
        on="region: boarder",
    ),
    swap(
        "a capital outside its region",
        FILE,
        "capital: false",
        "capital: true",
        "not in the region 'border'",
        on="region: border",
    ),
    swap(
        "a position resting on an unknown observation",
        FILE,
        "assumed: Invented; the army is more than half of the force.",
        "evidence: [strength-minister]",
        "unknown observation 'strength-minister', did you mean 'strength-ministry'?",
        on="strength-minister",
    ),
]
