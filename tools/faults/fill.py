"""Disks that are full, files that may not grow, and folders that may not be written."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tools.faults.calls import made
from tools.faults.scene import Scene, drawn

LARGE = "64m"


def trial(scene: Scene, draw: random.Random, name: str) -> str:
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
