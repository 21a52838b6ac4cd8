"""Files that were written whole and are not any more: in stores, results, ensembles, cases, at the desk."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools.faults.calls import Done, quick
from tools.faults.scene import Fault, Job, Scene, bits, survived


def flip(draw: random.Random, data: bytes) -> bytes:
    """Return the bytes with one bit turned."""
    at = draw.randrange(max(1, len(data)))
    return data[:at] + bytes([(data or b"\0")[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :]


def cut(draw: random.Random, data: bytes) -> bytes:
    """Return a beginning of the bytes."""
    return data[: draw.randrange(max(1, len(data)))]


def empty(draw: random.Random, data: bytes) -> bytes:  # noqa: ARG001
    """Return nothing."""
    return b""


def noise(draw: random.Random, data: bytes) -> bytes:
    """Return the bytes with a stretch of noise in them."""
    at, long = draw.randrange(max(1, len(data))), draw.randrange(1, 200)
    return data[:at] + draw.randbytes(long) + data[at + long :]


def twice(draw: random.Random, data: bytes) -> bytes:
    """Return the bytes with a stretch of them in twice."""
    at = draw.randrange(max(1, len(data)))
    return data[:at] + data[max(0, at - draw.randrange(1, 2000)) :]


WAYS: dict[str, Callable[[random.Random, bytes], bytes]] = {
    "a bit turned": flip,
    "cut short": cut,
    "emptied": empty,
    "noise in it": noise,
    "a stretch twice": twice,
}
OTHERS = ("deleted", "a folder instead", "another file's content")


@dataclass(frozen=True)
class Target:
    """What is damaged, by what it is read, and whether it is promised that damage is found.

    Attributes
    ----------
    row : in the table.
    job : the job that has left it.
    under : the folder that is damaged.
    reader : the call that reads it.
    sealed : whether a reader that finds nothing wrong has to give the right bits.
    """

    row: str
    job: str
    under: str
    reader: tuple[object, ...]
    sealed: bool = False


TARGETS = (
    Target("a store", "run", "store", (), sealed=True),
    Target("a store", "run", "store", (), sealed=True),
    Target("a result", "run", "out", ("export", "out", "table.csv", "--to", "csv", "--reduce"), sealed=True),
    Target(
        "an ensemble",
        "calibrate",
        "out/ensemble",
        ("run", "case", "--ensemble", "out/ensemble", "--runs", 3, "--workers", 1, "--quiet", "--out", "ran"),
        sealed=True,
    ),
    Target("a case", "run", "case", ("case", "check", "case")),
    Target("a desk", "desk reject", "desk", ("desk", "check", "desk", "--texts", ".")),
    Target("a desk", "desk reject", "desk", ("desk", "propose", "desk", "--texts", ".")),
)


def trial(scene: Scene, draw: random.Random, name: str) -> str:
    """Damage one file, and return how its reader ended."""
    target = draw.choice(TARGETS)
    job = scene.job(target.job)
    folder = scene.after(job, name)
    files = sorted(p for p in (folder / target.under).rglob("*") if p.is_file())
    file, other = draw.choice(files), draw.choice(files)
    how = draw.choice([*WAYS, *OTHERS])
    scene.doing(f"{target.row}, damaged", f"{file.relative_to(folder)}: {how}")
    before = file.read_bytes()
    damage(file, other, how, draw)
    if target.row == "a store":
        shutil.rmtree(folder / "out")
        done = quick(job.arguments, folder)
        return scene.judge(job, folder, done)
    done = quick(target.reader, folder)
    survived(done, False)
    if done.code == 0 and target.sealed and file.is_file() and file.read_bytes() != before:
        same(scene, job, target, folder, done)
    return "right" if done.code == 0 else "told"


def damage(file: Path, other: Path, how: str, draw: random.Random) -> None:
    """Do one thing to one file."""
    if how in WAYS:
        file.write_bytes(WAYS[how](draw, file.read_bytes()))
    elif how == "another file's content":
        file.write_bytes(other.read_bytes())
    else:
        file.unlink()
        if how == "a folder instead":
            file.mkdir()


def same(scene: Scene, job: Job, target: Target, folder: Path, done: Done) -> None:
    """Raise a Fault unless a reader gave what it gives of the undamaged files."""
    key = f"read {target.row}"
    if key not in scene.bits:
        whole = scene.after(job, key)
        expected = quick(target.reader, whole)
        assert expected.code == 0, expected.err
        scene.bits[key] = _given(whole, expected)
    if _given(folder, done) != scene.bits[key]:
        raise Fault("it took damaged numbers for good ones")


def _given(folder: Path, done: Done) -> dict[str, str]:
    given = {"said": done.out}
    if (folder / "table.csv").is_file():
        given["table"] = (folder / "table.csv").read_text("utf-8")
    if (folder / "ran").is_dir():
        given |= {n: b for n, b in bits(folder / "ran").items() if n != "result.json"}
    return given
