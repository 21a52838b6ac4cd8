"""Files that were written whole and are not any more: stores, results, ensembles, cases, at the desk."""

from __future__ import annotations

import random
import shutil
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from breakrank import load_answer, load_calibration, load_case, load_ensemble, load_posterior
from breakrank.answer.files import as_json
from breakrank.errors import BreakrankError
from tools.faults.calls import Done, made
from tools.faults.scene import Fault, Job, Scene, bits, survived

WAYS = ("a bit turned", "cut short", "emptied", "noise in it", "a stretch twice")


def changed(draw: random.Random, data: bytes, how: str) -> bytes:
    """Return the bytes after one of :data:`WAYS`, at a place that is drawn."""
    at = draw.randrange(max(1, len(data)))
    before, after = data[:at], data[at:]
    if how == "a bit turned":
        return before + bytes([(after or b"\0")[0] ^ (1 << draw.randrange(8))]) + after[1:]
    if how == "noise in it":
        return before + draw.randbytes(draw.randrange(1, 200)) + after
    if how == "a stretch twice":
        return before + data[max(0, at - draw.randrange(1, 2000)) :]
    return before if how == "cut short" else b""


OTHERS = ("deleted", "a folder instead", "another file's content")


Reader = Callable[[Path], object]


@dataclass(frozen=True)
class Target:
    """What is damaged, by what it is read, and whether it is promised that damage is found.

    Attributes
    ----------
    row : in the table.
    job : the job that has left it.
    under : the folder that is damaged.
    reader : the call, or the function of Python, that reads it; without one, the job once more.
    sealed : whether a reader that finds nothing wrong has to give the right bits.
    """

    row: str
    job: str
    under: str
    reader: tuple[object, ...] | Reader = ()
    sealed: bool = True


def _answer(folder: Path) -> object:
    return as_json(load_answer(folder))


def _calibration(folder: Path) -> object:
    return repr(load_calibration(folder).as_json())


def _members(folder: Path) -> object:
    home = next(one for one in folder.parents if (one / "case").is_dir())
    return load_ensemble(folder, load_case(home / "case", "point")).files()


def _posterior(folder: Path) -> object:
    return load_posterior(folder).draws.values.tolist()


READ = ("--runs", 3, "--workers", 1, "--quiet", "--out", "ran")
LOOKED_AT = ("desk propose", "desk check")
TARGETS = (
    *(Target("a store", job, "store") for job in ("run", "run", "compare", "sweep", "hindcast")),
    Target("a store", "calibrate", "store"),
    Target("a result", "run", "run-out", ("export", "run-out", "table.csv", "--to", "csv", "--reduce")),
    *(Target("an answer", job, f"{job}-out", _answer) for job in ("compare", "sweep") for _ in range(3)),
    *(Target("a calibration", "calibrate", "calibrate-out", _calibration),) * 4,
    *(
        Target(f"{what} that was calibrated", "calibrate", f"calibrate-out/{name}", reader)
        for what, name, function in (
            ("an ensemble", "ensemble", _members),
            ("a posterior", "posterior", _posterior),
        )
        for reader in (("run", "case", "--ensemble", f"calibrate-out/{name}", *READ), *(function,) * 4)
    ),
    *(Target("an ensemble of a forecast", "forecast", "forecast-out", _members),) * 3,
    Target(
        "an ensemble of a forecast",
        "forecast",
        "forecast-out",
        (
            *("forecast", "case", "--as-of", "2025-03-06", "--members", 3, "--workers", 1, "--quiet"),
            *("--ensemble", "forecast-out", "--out", "ran"),
        ),
    ),
    Target("a case", "run", "case", ("case", "check", "case"), sealed=False),
    *(
        Target("a desk", "desk reject", "desk", (*call.split(), "desk", "--texts", "."), sealed=False)
        for call in LOOKED_AT
    ),
    Target("a table that is imported", "import", "counts.csv", sealed=False),
)


def corrupt(scene: Scene, draw: random.Random, name: str) -> str:
    """Damage one file, and return how its reader ended."""
    target = draw.choice(TARGETS)
    job = scene.job(target.job)
    folder = scene.after(job, name)
    if target.row == "a table that is imported":
        shutil.rmtree(folder / "case")
        shutil.copytree(scene.home / "case", folder / "case")
    under = folder / target.under
    files = sorted(p for p in (under, *under.rglob("*")) if p.is_file())
    assert files, f"{target.job} leaves nothing under {target.under}"
    file, other = draw.choice(files), draw.choice(files)
    how = draw.choice([*WAYS, *OTHERS])
    scene.doing(f"{target.row}, damaged", f"{file.relative_to(folder)}: {how}")
    before = file.read_bytes()
    damage(file, other, how, draw)
    if target.row == "a store":
        shutil.rmtree(folder / job.leaves[0])
        return scene.judge(job, folder, made(job.arguments, folder))
    done, found = _read(target, job, folder)
    survived(done, False)
    if done.code == 0 and target.sealed and file.is_file() and file.read_bytes() != before:
        key = f"{target.under} {target.reader}".replace("/", " ")
        if key not in EXPECTED:
            whole, EXPECTED[key] = _read(target, job, scene.after(job, f"whole {len(EXPECTED)}"))
            assert whole.code == 0, whole.err
        if found != EXPECTED[key]:
            raise Fault("it took damaged numbers for good ones")
    return "right" if done.code == 0 else "told"


EXPECTED: dict[str, object] = {}
"""What readers give of undamaged files."""


def _read(target: Target, job: Job, folder: Path) -> tuple[Done, object]:
    """Return how a reader ended, and what it gave."""
    if callable(target.reader):
        try:
            return Done(0, "", ""), target.reader(folder / target.under)
        except BreakrankError as error:
            return Done(2, "", f"breakrank: {error}"), None
        except Exception:
            return Done(1, "", traceback.format_exc()), None
    done = made(target.reader or job.arguments, folder)
    table = folder / "table.csv"
    return done, (done.out, table.read_text("utf-8") if table.is_file() else "", bits(folder, ("ran",)))


def damage(file: Path, other: Path, how: str, draw: random.Random) -> None:
    """Do one thing to one file."""
    if how in WAYS:
        file.write_bytes(changed(draw, file.read_bytes(), how))
    elif how == "another file's content":
        file.write_bytes(other.read_bytes())
    else:
        file.unlink()
        if how == "a folder instead":
            file.mkdir()
