"""Signals to a call or to its workers: before any of its changes of the disk, or at any moment."""

from __future__ import annotations

import random
import signal
import time

from tools.faults.calls import Call
from tools.faults.scene import Scene, drawn

SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT}


def trial(scene: Scene, draw: random.Random, name: str) -> str:
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
            members = scene.hired(job) or [pid for pid in members if pid != call.pid]
            members = [members[int(chosen * len(members))]] if members else []
        elif victim == "itself":
            members = [pid for pid in members if pid == call.pid]
        call.send(SIGNALS[sent], members)
    done = call.ended()
    verdict = scene.judge(job, folder, done, killed=victim != "a worker")
    scene.recovers(job, folder)
    return verdict
