"""Signals to a call or to its workers, at any moment between its first import and its end."""

from __future__ import annotations

import random
import signal
import time

from tools.faults.calls import Call
from tools.faults.scene import JOBS, Scene

SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT}


def trial(scene: Scene, draw: random.Random, name: str) -> str:
    """Send one signal, and return how it ended."""
    job = scene.job(draw.choice(JOBS).name)
    victim = draw.choice(["itself", "itself", "a worker", "all at once"])
    if job.changes:
        victim = "itself"
    sent = draw.choice(list(SIGNALS) if victim != "a worker" else ["SIGKILL", "SIGTERM"])
    # a desk writes for a moment, at its end
    moment = draw.uniform(0.6 if job.changes else 0.05, 1.05) * scene.seconds[job.name]
    chosen = draw.random()
    scene.doing(f"{sent} to {victim}", f"{job.name}, {sent} to {victim} after {moment:.2f} s")
    folder = scene.place(job, name)
    call = Call(job.arguments, folder)
    time.sleep(moment)
    first = call.process.pid
    members = call.members()
    if victim == "a worker":
        members = [pid for pid in members if pid != first]
        members = [members[int(chosen * len(members))]] if members else []
    elif victim == "itself":
        members = [first] if first in members else []
    call.send(SIGNALS[sent], members)
    done = call.ended()
    verdict = scene.judge(job, folder, done, killed=victim != "a worker")
    scene.recovers(job, folder)
    return verdict
