"""Trials of calls: signals before any of their changes of the disk, full disks, and several calls at once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tools.faults.calls import Call, made
from tools.faults.scene import JOBS, Fault, Scene, drawn, survived

SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT}


def kill(scene: Scene, draw: random.Random, name: str) -> str:
    """Send one signal, and return how it ended."""
    job = scene.job(drawn(draw))
    victim = draw.choice(["itself", "itself", "a worker", "all at once"] if job.workers else ["itself"])
    sent = draw.choice(list(SIGNALS) if victim != "a worker" else ["SIGKILL", "SIGTERM"])
    change, moment, chosen = draw.random(), draw.uniform(0.02, 1.05), draw.random()
    folder = scene.place(job, name)
    if victim == "itself" and draw.random() < 0.75:
        at = 1 + int(change * scene.changes[job.name])
        scene.doing(f"{sent} to {victim}", f"{job.name}, {sent} before change {at} of the disk")
        call = Call(job.arguments, folder, fatal=(SIGNALS[sent], at))
    else:
        moment *= scene.seconds[job.name]
        scene.doing(f"{sent} to {victim}", f"{job.name}, {sent} to {victim} after {moment:.2f} s")
        call = Call(job.arguments, folder)
        time.sleep(moment)
        members = call.members()
        if victim == "a worker":
            members = [pid for pid in members if pid != call.pid]
            members = [members[int(chosen * len(members))]] if members else []
        elif victim == "itself":
            members = [pid for pid in members if pid == call.pid]
        call.send(SIGNALS[sent], members)
    done = call.ended()
    verdict = scene.judge(job, folder, done, killed=victim != "a worker")
    scene.recovers(job, folder)
    return verdict


LARGE = "64m"


def fill(scene: Scene, draw: random.Random, name: str) -> str:
    """Leave one call too little room, and return how it ended."""
    job = scene.job(drawn(draw))
    row = draw.choice(["a full disk", "no file beyond a size", "a disk that is read-only"])
    room = int(10 ** draw.uniform(2.5, 5.5))
    if row == "no file beyond a size" or not can_mount(scene.home):
        scene.doing("no file beyond a size", f"{job.name}, files of at most {room} bytes")
        folder = scene.place(job, name)
        done = made(job.arguments, folder, largest=room)
        verdict = scene.judge(job, folder, done)
        scene.recovers(job, folder)
        return verdict
    disk = scene.home / f"{name} disk"
    disk.mkdir()
    with mounted(disk, LARGE):
        folder = scene.place(job, name, under=disk)
        if row == "a full disk":
            free = os.statvfs(disk)
            ballast = disk / "ballast"
            with ballast.open("wb") as file:
                file.truncate(0)
                os.posix_fallocate(file.fileno(), 0, max(1, free.f_bavail * free.f_frsize - room))
            scene.doing(row, f"{job.name}, {room} bytes free")
        else:
            remount(disk, "ro")
            scene.doing(row, f"{job.name}, a read-only disk")
        done = made(job.arguments, folder)
        verdict = scene.judge(job, folder, done)
        if row == "a full disk":
            ballast.unlink()
        else:
            remount(disk, "rw")
        scene.recovers(job, folder)
    return verdict


@cache
def can_mount(home: Path) -> bool:
    """Return whether a small disk can be made here; it takes Linux and the rights to mount."""
    place = home / "mount"
    place.mkdir(exist_ok=True)
    try:
        with mounted(place, "1m"):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@contextmanager
def mounted(place: Path, size: str) -> Iterator[None]:
    """Mount a small disk in memory at an empty folder."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)]
    subprocess.run(command, check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True, capture_output=True)


def remount(place: Path, how: str) -> None:
    """Change the rights to a small disk."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(place)], check=True, capture_output=True)


def race(scene: Scene, draw: random.Random, name: str) -> str:
    """Let calls race, and return how they ended."""
    row = draw.choice([*("one call, on one store", "two calls, on one store") * 3, "at one case"])
    some = [job for job in JOBS if job.changes == (row == "at one case")]
    jobs = [scene.job(drawn(draw, some))]
    jobs = [*jobs, scene.job(drawn(draw, some))] if row.startswith("two") else jobs * draw.choice([2, 2, 3])
    scene.doing(row, " and ".join(job.name for job in jobs))
    folder = scene.place(jobs[0], name)
    calls = []
    for job in jobs:
        calls.append(Call(job.arguments, folder))
        time.sleep(draw.choice([0.0, draw.uniform(0, scene.seconds[job.name])]))
    ends = [call.ended() for call in calls]
    for job in dict.fromkeys(jobs):
        mine = [done for one, done in zip(jobs, ends, strict=True) if one is job]
        for done in mine:
            survived(done, False)
        if not any(done.code == 0 for done in mine):
            raise Fault(f"none of {len(mine)} calls was carried out: {mine[0].err[-300:]}")
        scene.judge(job, folder, next(done for done in mine if done.code == 0))
        scene.recovers(job, folder)
    return "right" if all(done.code == 0 for done in ends) else "told"
