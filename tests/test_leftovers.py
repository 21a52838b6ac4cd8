"""What killed processes leave behind is swept by the next; what is alive, or not ours, is left alone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from breakrank.leftovers import mark, sweep
from breakrank.results.files import whole_folder

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there"),
]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "src")}

SAVES = """
import os, pathlib, signal
from breakrank.results.files import whole_folder
with whole_folder(pathlib.Path("out"), lambda _: True) as staging:
    (staging / "half").write_text("written")
    os.kill(os.getpid(), signal.SIGKILL)
"""
STARTS = """
import os, signal, sys
from breakrank.runs.compiling import CONTEXT, start
if __name__ == "__main__":
    process = CONTEXT.Process(target=print)
    start(process)
    process.join()
    if "die" in sys.argv:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_kill_while_saving_left_is_swept_by_the_next(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", SAVES], cwd=tmp_path, env=ENVIRONMENT, check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    (tmp_path / ".another.partial").mkdir()
    (tmp_path / f".mine{mark()}.partial").mkdir()
    with whole_folder(tmp_path / "other", lambda _: True) as staging:
        assert not left.exists()
        (staging / "all").write_text("written")
    names = sorted(path.name.partition(".")[2].partition(".")[0] for path in tmp_path.glob(".*"))
    assert names == ["another", "mine"], "a stranger's, and that of a process that is alive"


@pytest.mark.skipif(sys.platform != "linux", reason="no server of processes elsewhere")
def test_the_sockets_of_a_killed_study_are_swept_by_the_next(tmp_path: Path) -> None:
    script = tmp_path / "study.py"
    script.write_text(STARTS)
    room = tmp_path / "t"
    room.mkdir()
    (room / "pymp-another").mkdir()
    for how in ("die", "live"):
        call = [sys.executable, str(script), how]
        subprocess.run(call, env=ENVIRONMENT | {"TMPDIR": str(room)}, check=False, timeout=120)
        left = [path.name for path in room.iterdir()]
        assert len(left) == (2 if how == "die" else 1)
    assert left == ["pymp-another"]


def test_a_name_of_another_machine_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".x.00000000-999999999-00000000.partial").mkdir()
    sweep(tmp_path, ".*")
    assert len(list(tmp_path.iterdir())) == 1
