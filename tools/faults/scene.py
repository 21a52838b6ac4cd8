"""What faults are done to: small studies and a desk, each with the bits that it has to leave behind."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from tests.questions.hindcast.small import small_case
from tools.faults.calls import Done, made, quick

REPORT = """RIVER TOWN, 2 April 2025. Some 240 soldiers have crossed the bridge since 23 February, the mayor's
office said on Wednesday. About 35 of them were officers, it added.

The hotel houses 190 of them. Each of them is given three meals a day."""
COUNTERFACTUAL = "no-appeal"
INTERRUPTED = 130
TIMED = (
    *("result.json", "plan.json", "decisions.jsonl", "texts.yaml"),
    *("calibration.json", "posterior/about.yaml"),
)
"""Files that hold the time of day or a duration, so that no two calls leave the same."""


class Fault(Exception):  # noqa: N818 (it is what is looked for)
    """Something that must not happen, in words."""


@dataclass(frozen=True)
class Job:
    """One call, what it reads and what it leaves.

    Attributes
    ----------
    name : in the table.
    arguments : of the call, made in a folder that holds `reads`.
    reads : files and folders of the scene that are copied there before.
    leaves : folder that holds its result; for a call without ``--out`` the folder that it changes.
    """

    name: str
    arguments: tuple[object, ...]
    leaves: str = "out"
    reads: tuple[str, ...] = ("case",)

    @property
    def changes(self) -> bool:
        """Whether it changes what it reads."""
        return self.leaves in self.reads


STUDY = ("--quiet", "--workers", 2, "--store", "store", "--out", "out")
JOBS = (
    Job("run", ("run", "case", "--runs", 6, "--seed", 5, "--log-runs", 2, *STUDY)),
    Job("compare", ("compare", "case", "--with", COUNTERFACTUAL, "--runs", 3, *STUDY)),
    Job("plan", ("plan", "case", "--runs", 3, *STUDY)),
    Job(
        "calibrate",
        ("calibrate", "case", "--simulations", 100, "--members", 20, "--predictive", 20, *STUDY),
    ),
    Job(
        "desk read",
        ("desk", "read", "case", "report.txt", "--outlet", "Valley", "--date", "2025-04-02"),
        "case",
        ("case", "report.txt"),
    ),
    Job(
        "desk reject",
        ("desk", "reject", "desk", "KEY", "why=told twice", "--texts", "."),
        "desk",
        ("desk", "report.txt"),
    ),
)


class Scene:
    """A folder with all that the jobs read, and the bits that each of them leaves when nothing happens."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.jobs: dict[str, Job] = {}
        self.bits: dict[str, dict[str, str]] = {}
        self.seconds: dict[str, float] = {}
        self.row, self.told = "", ""
        small_case(home / "case")
        (home / "report.txt").write_text(REPORT, "utf-8")

    def doing(self, row: str, told: str) -> None:
        """Note what is done to a call: a row of the table, and more exactly."""
        self.row, self.told = row, told

    def job(self, name: str) -> Job:
        """Return a job by its name, made once before, undisturbed: what it left then are its bits."""
        if name not in self.jobs:
            (job,) = (one for one in JOBS if one.name == name)
            if name == "desk reject":
                job = self._desk(job)
            folder = self.place(job, name)
            begun = time.monotonic()
            done = made(job.arguments, folder)
            self.seconds[name] = time.monotonic() - begun
            if done.code:
                raise RuntimeError(f"{name} does not work here:\n{done.err}")
            found = bits(folder / job.leaves)
            self.bits[name] = {
                file: bit for file, bit in found.items() if not any(Path(file).match(one) for one in TIMED)
            }
            self.jobs[name] = job
        return self.jobs[name]

    def _desk(self, job: Job) -> Job:
        """Make a desk that has read a report, and name one of its proposals."""
        shutil.copytree(self.home / "case", self.home / "desk")
        read = ("desk", "read", "desk", "report.txt", "--outlet", "Valley", "--date", "2025-04-02")
        quick(read, self.home)
        listed = quick(("desk", "propose", "desk", "--texts", ".", "--json"), self.home)
        key = json.loads(listed.out)["proposals"][0]["key"]
        arguments = tuple(key if each == "KEY" else each for each in job.arguments)
        return Job(job.name, arguments, job.leaves, job.reads)

    def place(self, job: Job, name: str, under: Path | None = None) -> Path:
        """Return a new folder that holds what a job reads."""
        folder = (under or self.home) / name
        folder.mkdir()
        for each in job.reads:
            source = self.home / each
            if source.is_dir():
                shutil.copytree(source, folder / each)
            else:
                shutil.copy(source, folder / each)
        return folder

    def after(self, job: Job, name: str) -> Path:
        """Return a copy of the folder in which a job was done."""
        folder = self.home / name
        shutil.copytree(self.home / job.name, folder)
        return folder

    def judge(self, job: Job, folder: Path, done: Done, killed: bool = False) -> str:
        """Return ``right``, ``told`` or ``ended`` (by the signal that it was sent).

        Raises
        ------
        Fault
            for a hang, a traceback, a wrong bit, silence, or a result that is there in part.
        """
        survived(done, killed)
        found = bits(folder / job.leaves)
        whole = self.bits[job.name].items() <= found.items()
        if done.code == 0:
            if not whole:
                raise Fault(f"it said that all was well, and {different(self.bits[job.name], found)}")
            return "right"
        if done.code == INTERRUPTED and found and job.name == "run":
            self.loads(folder)  # the runs that had finished are a result
        elif not job.changes and found and not whole:
            raise Fault(f"a result is there in part: {different(self.bits[job.name], found)}")
        return "told" if "breakrank: " in done.err else "ended"

    def loads(self, folder: Path) -> None:
        """Raise a Fault unless a folder's result says that it was interrupted, and every byte is good."""
        told = json.loads((folder / "out" / "result.json").read_text("utf-8"))
        done = quick(("export", "out", "table.csv", "--to", "csv", "--reduce"), folder)
        if done.code or not told["interrupted"]:
            raise Fault(f"what an interrupt left is no result: {done.err}")

    def recovers(self, job: Job, folder: Path) -> None:
        """Make the same call again, undisturbed: it has to leave the right bits and nothing half-written.

        Raises
        ------
        Fault
            if it does not.
        """
        done = quick(job.arguments, folder)
        survived(done, False)
        found = bits(folder / job.leaves)
        if not self.bits[job.name].items() <= found.items():
            raise Fault(
                f"called again (exit {done.code}), {different(self.bits[job.name], found)}: {done.err[-300:]}"
            )
        hidden = [p for p in folder.rglob(".*") if "store" not in p.relative_to(folder).parts]
        if hidden:
            raise Fault(f"called again, it leaves {hidden[0].relative_to(folder)}")


def survived(done: Done, killed: bool) -> None:
    """Raise a Fault for what no call may do, whatever happens to it."""
    if done.code is None:
        raise Fault(f"it hung: {done.err[-300:]}")
    if done.left:
        raise Fault(f"{len(done.left)} of its processes ran on")
    if "Traceback (most recent call last)" in done.err + done.out:
        raise Fault(f"it printed a traceback: {done.err[-1500:]}")
    if done.code == 0 or (killed and done.code < 0):
        return
    messages = done.err.count("breakrank: ")
    if done.code < 0:
        raise Fault(f"it died of signal {-done.code}")
    if messages not in (1, 2):  # two where it told first that it was asked to end
        raise Fault(f"it printed {messages} messages (exit {done.code}): {done.err[-600:]}")


def bits(folder: Path) -> dict[str, str]:
    """Return a digest of every file under a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def different(expected: dict[str, str], found: dict[str, str]) -> str:
    """Say which file differs first, and how many do."""
    wrong = [name for name, bit in expected.items() if found.get(name) != bit]
    if not wrong:
        return "every bit is right"
    what = "differs" if wrong[0] in found else "is missing"
    return f"{wrong[0]} {what} ({len(wrong)} of {len(expected)} files)"
