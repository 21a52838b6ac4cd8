"""Programs that a test starts, and whose end it waits for."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
FINDS = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
"""What a program has to know to find the package and its tests."""

Done = subprocess.CompletedProcess[str]
Running = subprocess.Popen[str]


def ended(*words: object, folder: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
    """Call a program and wait for its end, whichever it is."""
    call = [str(word) for word in words]
    return subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, timeout=900, check=False)


def python(*words: object, folder: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Return what Python prints when it is called with `words`, which has to go well."""
    done = ended(sys.executable, *words, folder=folder, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def started(*words: object, folder: Path | None = None, env: Mapping[str, str] = FINDS) -> Running:
    """Start a program in a session of its own, whose output the test reads."""
    return subprocess.Popen(
        [str(word) for word in words],
        cwd=folder,
        env=os.environ | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
