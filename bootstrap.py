#!/usr/bin/env python3
"""Set Breakrank up from a checkout and use it: ``python3 bootstrap.py run``, ``ui`` or ``test``.

Needs nothing but Python 3.11 or newer. Makes a virtual environment, installs exactly the packages of
the lock file (checked against their hashes) and this checkout, and goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
OLDEST = (3, 11)
LOCKS = {"run": ROOT / "requirements-run.lock", "test": ROOT / "requirements.lock"}
OWN = (ROOT, ROOT / "packages" / "desk")
"""Folders of the packages of this checkout."""
STAMP = "breakrank-setup.json"
COMPILE = """
import compileall, re, sys
for folder in sys.argv[1:]:
    compileall.compile_dir(folder, quiet=2, workers=0, rx=re.compile(r"[/\\\\]tests?[/\\\\]"))
"""
"""Makes bytecode on all cores; what is no Python that this one reads is passed over."""


class SetupError(Exception):
    """Something the user has to correct before Breakrank can be set up."""


class Ended(BaseException):
    """Somebody asked this program to end, by the signal that it is given."""


def end(number: int, *_: object) -> None:
    """Unwind."""
    raise Ended(number)


def say(text: str) -> None:
    """Tell the user what is going on, without mixing it into a command's standard output."""
    print(f"bootstrap: {text}", file=sys.stderr, flush=True)


def interpreter(venv: Path) -> Path:
    """Return the Python of a virtual environment."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def digest(*files: Path) -> str:
    """Return one SHA-256 over the contents of several files."""
    joint = hashlib.sha256()
    for file in files:
        joint.update(hashlib.sha256(file.read_bytes()).digest())
    return joint.hexdigest()


def wanted(kind: str) -> dict[str, str]:
    """Describe an environment that serves `kind`; equal descriptions need no work."""
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "root": str(ROOT),
        "project": digest(*(folder / "pyproject.toml" for folder in OWN)),
        kind: digest(LOCKS[kind]),
    }


def stamped(venv: Path) -> dict[str, str]:
    """Read what `venv` was last completely set up for; empty if it never was."""
    try:
        found = json.loads((venv / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def call(what: str, command: list[str | Path]) -> None:
    """Run one step of the set-up; its own output is shown, a failure is explained.

    Raises
    ------
    SetupError
        if the step fails.
    """
    asked: list[int] = []
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(each, lambda number, _: asked.append(number)) for each in signals]
    try:
        # in a group of its own, so that the step's children end with it
        step = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=sys.stderr, start_new_session=True)
        while (code := step.poll()) is None and not asked:
            time.sleep(0.05)
        if code is None:
            if os.name == "nt":
                step.terminate()
            else:
                os.killpg(step.pid, signal.SIGTERM)
            step.wait()
    finally:
        for each, handler in zip(signals, before, strict=True):
            signal.signal(each, handler)
    if asked:
        raise Ended(asked[0])
    if code:
        raise SetupError(
            f"{what} failed (see the lines above). Correct that and call this again: it continues from here."
        )


def records(venv: Path) -> list[Path]:
    """Return where pip wrote down what it installed, package by package."""
    places = ("lib/python*/site-packages", "Lib/site-packages")
    return sorted(record for place in places for record in venv.glob(f"{place}/*.dist-info/RECORD"))


def damaged(venv: Path) -> list[Path]:
    """Return the records of packages of which a file is missing."""
    there: dict[str, set[str]] = {}
    found = []
    for record in records(venv):
        with record.open(encoding="utf-8", newline="") as lines:
            files = [row[0] for row in csv.reader(lines) if row and not row[0].endswith(".pyc")]
        for file in files:
            folder, _, name = file.rpartition("/")
            if folder not in there:
                place = record.parents[1] / folder
                there[folder] = {each.name for each in place.iterdir()} if place.is_dir() else set()
            if name not in there[folder]:
                found.append(record)
                break
    return found


def make_venv(venv: Path) -> None:
    """Make `venv`, replacing a broken or outdated one but never another kind of folder.

    Raises
    ------
    SetupError
        if `venv` is something else, or Python cannot make environments.
    """
    other = venv.exists() and not (venv / "pyvenv.cfg").is_file()
    if other and (not venv.is_dir() or any(venv.iterdir())):
        raise SetupError(f"{venv} is there but is no virtual environment. Name another folder with --venv.")
    try:
        import ensurepip  # noqa: F401
        import venv as _  # noqa: F401
    except ImportError:
        raise SetupError(
            "this Python cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"
        ) from None
    if venv.exists():
        shutil.rmtree(venv)
    say(f"making the environment {venv}")
    call("making the environment", [sys.executable, "-m", "venv", venv])


def has_pip(python: Path) -> bool:
    """Tell whether an environment can install packages."""
    return not subprocess.run(
        [python, "-P", "-m", "pip", "--version"], capture_output=True, check=False
    ).returncode


def finish(command: list[str]) -> int:
    """Run the command that the user is after; an interrupt is for it to deal with, and is waited for."""
    child = subprocess.Popen(command, cwd=None if "breakrank" in command else ROOT)
    while True:
        try:
            code = child.wait()
        except KeyboardInterrupt:
            continue
        except Ended:
            child.terminate()
            continue
        return 128 - code if code < 0 else code


def prepare(venv: Path, kind: str) -> Path:
    """Bring `venv` up to date for ``"run"`` or ``"test"`` and return its Python.

    An environment made for the tests serves a run too. Nothing is done when nothing changed.
    """
    want, have, python = wanted(kind), stamped(venv), interpreter(venv)
    full = wanted("test")
    broken = damaged(venv)
    packages = " ".join(each.parent.name for each in records(venv))
    whole = not broken and have.get("packages") == packages
    if python.exists() and whole and any(have.items() >= need.items() for need in (want, full)):
        return python
    if not python.exists() or have.get("python", want["python"]) != want["python"]:
        make_venv(venv)
    (venv / STAMP).unlink(missing_ok=True)
    for record in broken:
        shutil.rmtree(record.parent, ignore_errors=True)  # what pip does not know of, it installs again
    if not has_pip(python):
        call("putting pip into the environment", [python, "-m", "ensurepip"])
    options = ["--quiet", "--disable-pip-version-check", "--no-input"]
    options += ["--no-compile"]  # pip does it on one core; see below
    pip: list[str | Path] = [python, "-m", "pip", "install", *options]
    count = LOCKS[kind].read_text(encoding="utf-8").count("==")
    say(f"installing up to {count} packages from {LOCKS[kind].name} (once; about a minute)")
    call("installing the packages", [*pip, "--require-hashes", "--no-deps", "-r", LOCKS[kind]])
    own = [part for folder in OWN for part in ("--editable", folder)]
    call("installing Breakrank", [*pip, "--no-deps", "--no-build-isolation", *own])
    # at once: else each process does it that is started where bytecode is not written, as in many containers
    places = sorted({record.parents[1] for record in records(venv)})
    call("making bytecode", [python, "-c", COMPILE, *places, *(folder / "src" for folder in OWN)])
    want["packages"] = " ".join(each.parent.name for each in records(venv))
    (venv / STAMP).write_text(json.dumps(want, indent=1), encoding="utf-8")
    return python


def main(arguments: list[str]) -> int:
    """Carry out one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="bootstrap.py", description=(__doc__ or "").split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    helps = {
        "run": "set up, then run the built-in case Venezuela 2019 (further options go to `breakrank run`)",
        "ui": "set up, then open the page in a browser (further options go to `breakrank ui`)",
        "test": "set up with the developers' tools, then run the test suite (further options go to pytest)",
        "setup": "set up with the developers' tools and stop",
    }
    for name, text in helps.items():
        one = commands.add_parser(name, help=text, description=text)
        one.add_argument("--venv", type=Path, default=ROOT / ".venv", help="the environment's folder [.venv]")
    chosen, rest = parser.parse_known_args(arguments)
    rest = [part for part in rest if part != "--"]
    venv: Path = chosen.venv.absolute()
    python = prepare(venv, "run" if chosen.command in ("run", "ui") else "test")
    ready = f"ready: {python.with_name('breakrank')}"
    if chosen.command == "setup":
        say(ready)
        return 0
    if chosen.command == "run":
        rest = ["venezuela-2019", *rest]
    if chosen.command in ("run", "ui"):
        code = finish([str(python), "-P", "-m", "breakrank", chosen.command, *rest])
        say(ready)
        return code
    return finish([str(python), "-m", "pytest", *(rest or ["-n", "2", "--dist", "worksteal"])])


if __name__ == "__main__":
    try:
        if sys.version_info < OLDEST:
            raise SetupError(f"Breakrank needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
        signal.signal(signal.SIGTERM, end)
        sys.exit(main(sys.argv[1:]))
    except (SetupError, OSError) as problem:
        say(str(problem))
        sys.exit(1)
    except Ended as asked:
        sys.exit(128 + asked.args[0])
    except KeyboardInterrupt:
        sys.exit(130)
