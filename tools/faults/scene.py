"""What faults are done to: small studies and a desk, each with the bits that it has to leave behind."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from breakrank import load_answer
from tests.questions.hindcast.small import small_case
from tools.faults.calls import Call, Done, made

REPORT = """RIVER TOWN, 2 April 2025. Some 240 soldiers have crossed the bridge since 23 February, the mayor's
office said on Wednesday. About 35 of them were officers, it added.

The hotel houses 190 of them. Each of them is given three meals a day."""
COUNTS = "day;soldiers;who\n2025-03-12;21;the mayor\n2025-03-19;25;the mayor\n2025-03-26;29;=2+2\n"
INTERRUPTED = 130
TIMED = ("result.json", "calibration.json", "posterior/about.yaml", "decisions.jsonl")
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
    leaves : files and folders, each of which it leaves whole or not at all; or the folder that it changes.
    reads : files and folders of the scene that are copied there before.
    workers : whether other processes make its runs.
    """

    name: str
    arguments: tuple[object, ...]
    leaves: tuple[str, ...]
    reads: tuple[str, ...] = ("case",)
    workers: bool = False

    @property
    def changes(self) -> bool:
        """Whether it changes what it reads."""
        return self.leaves[0] in self.reads


def _study(name: str, *arguments: object, workers: int = 1, files: tuple[str, ...] = ()) -> Job:
    """Return the job of a question, with a store and a folder of its own, and its answer in more files."""
    question, *more = arguments
    leaves = (f"{name}-out", *files)
    outs = [text for one in leaves for text in ("--out", one)]
    called = (question, "case", *more, "--workers", workers, "--quiet", "--store", "store", *outs)
    return Job(name, called, leaves, workers=workers != 1)


ENSEMBLE = ("calibrate", "--simulations", 100, "--waves", 1, "--members", 3, "--predictive", 20)
COMPARED = ("compare", "--with", "no-appeal", "--runs", 3)
ANSWERS = tuple(f"answer.{kind}" for kind in ("html", "pdf", "xlsx", "md", "json", "csv", "parquet"))
JOBS = (
    _study("run", "run", "--runs", 3, "--seed", 5, "--log-runs", 1),
    _study("run by workers", "run", "--runs", 4, workers=2),
    _study("compare", *COMPARED),
    _study("compare, in all kinds of file", *COMPARED, files=ANSWERS),
    _study("sweep", "sweep", "--over", "fear.on=0:1:2", "--runs", 2, "--refine", 0),
    _study("plan", "plan", "--runs", 3),
    _study("hindcast", "hindcast", "--draws", 20, "--as-of", "2025-03-20"),
    _study("calibrate", *ENSEMBLE),
    _study("forecast", "forecast", "--as-of", "2025-03-05", "--members", 3),
    _study("forecast from figures", "forecast", "--as-of", "2025-03-20", "--members", 3),
    Job(
        "import",
        (
            *("case", "import", "own", "counts.csv", "--into", "case", "--measure", "registered"),
            *("--columns", "date=day,figure=soldiers,says=who", "--accessed", "2025-04-20"),
        ),
        ("case",),
        ("case", "counts.csv"),
    ),
    Job(
        "desk read",
        ("desk", "read", "case", "report.txt", "--outlet", "Valley", "--date", "2025-04-02"),
        ("case",),
        ("case", "report.txt"),
    ),
    Job(
        "desk reject",
        ("desk", "reject", "desk", "KEY", "why=told twice", "--texts", "."),
        ("desk",),
        ("desk", "report.txt"),
    ),
    Job(
        "desk accept",
        ("desk", "accept", "desk", "KEY", "what=Soldiers who crossed", "--texts", "."),
        ("desk",),
        ("desk", "report.txt"),
    ),
)
LONG = ("run by workers", "calibrate", "forecast from figures")
"""Jobs that take ten times as long as others, or more, and are drawn less often."""


def drawn(draw: random.Random, some: Sequence[Job] = JOBS) -> str:
    """Return the name of a job."""
    jobs = [job.name for job in some if draw.random() < 0.1 or job.name not in LONG]
    return draw.choice(jobs)


class Scene:
    """A folder with all that the jobs read, and the bits that each of them leaves when nothing happens."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.jobs: dict[str, Job] = {}
        self.bits: dict[str, dict[str, str]] = {}
        self.seconds: dict[str, float] = {}
        self.changes: dict[str, int] = {}
        self.row, self.told = "", ""
        small_case(home / "case")
        (home / "report.txt").write_text(REPORT, "utf-8")
        (home / "counts.csv").write_text(COUNTS, "utf-8")

    def doing(self, row: str, told: str) -> None:
        """Note what is done to a call: a row of the table, and more exactly."""
        self.row, self.told = row, told

    def job(self, name: str) -> Job:
        """Return a job by its name, made once before, undisturbed: what it left then are its bits."""
        if name not in self.jobs:
            (job,) = (one for one in JOBS if one.name == name)
            if "KEY" in job.arguments:
                key = self._proposal()
                job = replace(job, arguments=tuple(key if one == "KEY" else one for one in job.arguments))
            folder = self.place(job, name)
            begun = time.monotonic()
            call = Call(job.arguments, folder)
            done = call.ended()
            self.seconds[name], self.changes[name] = time.monotonic() - begun, call.changes
            if done.code != 0:
                raise RuntimeError(f"{name} does not work here:\n{done.err}")
            self.bits[name] = bits(folder, job.leaves)
            self.jobs[name] = job
        return self.jobs[name]

    def _proposal(self) -> str:
        """Make a desk that has read a report, unless there is one, and return the key of a proposal."""
        if not (self.home / "desk").exists():
            shutil.copytree(self.home / "case", self.home / "desk")
            read = ("desk", "read", "desk", "report.txt", "--outlet", "Valley", "--date", "2025-04-02")
            made(read, self.home)
        listed = made(("desk", "propose", "desk", "--texts", ".", "--json"), self.home)
        return str(json.loads(listed.out)["proposals"][0]["key"])

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
        if done.code == 0:
            self.right(job, folder, "it said that all was well")
            return "right"
        found = bits(folder, job.leaves)
        if job.changes:
            before = bits(self.home, job.leaves)
            if (done.code or 0) > 0 and found not in (before, self.bits[job.name]):
                raise Fault(f"it ended with a message, and {different(before, found)}")
        elif done.code == INTERRUPTED and found and interrupted(folder / job.leaves[0]):
            self.loads(job, folder)  # what had finished is a result, and says so
        else:
            for leaf in job.leaves:
                part = {file: bit for file, bit in found.items() if Path(file).is_relative_to(leaf)}
                whole = {k: bit for k, bit in self.bits[job.name].items() if Path(k).is_relative_to(leaf)}
                if (folder / leaf).exists() and part != whole:
                    raise Fault(f"a result is there in part: {different(whole, part)}")
        return "told" if "breakrank: " in done.err else "ended"

    def right(self, job: Job, folder: Path, told: str) -> None:
        """Raise a Fault unless a job has left its bits."""
        found = bits(folder, job.leaves)
        if not self.bits[job.name].items() <= found.items():
            raise Fault(f"{told}, and {different(self.bits[job.name], found)}")

    def loads(self, job: Job, folder: Path) -> None:
        """Raise a Fault unless every byte of what an interrupt left is good."""
        out = job.leaves[0]
        if not (folder / out / "result.json").exists():
            load_answer(folder / out)
            return
        done = made(("export", out, "table.csv", "--to", "csv", "--reduce"), folder)
        if done.code:
            raise Fault(f"what an interrupt left is no result: {done.err}")

    def recovers(self, job: Job, folder: Path) -> None:
        """Make the same call again, undisturbed: it has to leave the right bits and nothing half-written.

        Raises
        ------
        Fault
            if it does not.
        """
        done = made(job.arguments, folder)
        survived(done, False)
        self.right(job, folder, f"called again (exit {done.code}, {done.err[-300:]})")
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
        raise Fault(f"it died of signal {-done.code}: {done.err[-1500:]}")
    if messages not in (1, 2):  # two where it told first that it was asked to end
        raise Fault(f"it printed {messages} messages (exit {done.code}): {done.err[-600:]}")


def interrupted(out: Path) -> bool:
    """Return whether a folder of an answer or a result says that it is of what had finished."""
    about = out / "result.json"
    if about.exists():
        return bool(json.loads(about.read_text("utf-8"))["interrupted"])
    about = out / "answer.json"
    return about.exists() and bool(json.loads(about.read_text("utf-8"))["provenance"]["interrupted"])


def bits(folder: Path, leaves: tuple[str, ...]) -> dict[str, str]:
    """Return a digest of every file that a call has left, but of those that no two calls leave alike."""
    files = sorted(p for leaf in leaves for p in (folder / leaf, *(folder / leaf).rglob("*")) if p.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not any(path.match(one) for one in TIMED) and not path.name.startswith(".")
    }


def different(expected: dict[str, str], found: dict[str, str]) -> str:
    """Say which file differs first, and how many do."""
    wrong = [name for name in expected | found if found.get(name) != expected.get(name)]
    if not wrong:
        return "every bit is right"
    what = "differs" if wrong[0] in found else "is missing"
    return f"{wrong[0]} {what} ({len(wrong)} of {len(expected)} files)"
