"""``bootstrap.py``: what it decides, without installing anything."""

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from tests.programs import ended

FILE = Path(__file__).parents[2] / "bootstrap.py"


@pytest.fixture
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def steps(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Record the steps instead of taking them; making an environment leaves a Python in it."""
    taken: list[str] = []

    def call(what: str, command: list[str | Path]) -> None:
        taken.append(what)
        if what == "making the environment":
            python = bootstrap.interpreter(Path(command[-1]))
            python.parent.mkdir(parents=True)
            python.symlink_to(sys.executable)
            (Path(command[-1]) / "pyvenv.cfg").touch()

    monkeypatch.setattr(bootstrap, "call", call)
    monkeypatch.setattr(bootstrap, "has_pip", lambda _: True)
    return taken


EVERYTHING = ["making the environment", "installing the packages", "installing Breakrank", "making bytecode"]


def test_a_second_call_has_nothing_to_do(bootstrap: ModuleType, steps: list[str], tmp_path: Path) -> None:
    bootstrap.prepare(tmp_path / "env", "run")
    assert steps == EVERYTHING
    bootstrap.prepare(tmp_path / "env", "run")
    assert steps == EVERYTHING


def test_an_interrupted_set_up_goes_on(
    bootstrap: ModuleType, steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taking = bootstrap.call

    def failing(what: str, command: list[str | Path]) -> None:
        if what == "installing the packages":
            raise bootstrap.SetupError("no network")
        taking(what, command)

    monkeypatch.setattr(bootstrap, "call", failing)
    with pytest.raises(bootstrap.SetupError):
        bootstrap.prepare(tmp_path / "env", "run")
    monkeypatch.setattr(bootstrap, "call", taking)
    bootstrap.prepare(tmp_path / "env", "run")
    assert steps == EVERYTHING


def test_changed_locks_are_installed(
    bootstrap: ModuleType, steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap.prepare(tmp_path / "env", "run")
    newer = tmp_path / "newer.lock"
    newer.write_text("a==1\n", encoding="utf-8")
    monkeypatch.setitem(bootstrap.LOCKS, "run", newer)
    bootstrap.prepare(tmp_path / "env", "run")
    assert steps == [*EVERYTHING, *EVERYTHING[1:]]


def test_another_python_makes_a_new_environment(
    bootstrap: ModuleType, steps: list[str], tmp_path: Path
) -> None:
    env = tmp_path / "env"
    bootstrap.prepare(env, "run")
    stamp = json.loads((env / bootstrap.STAMP).read_text(encoding="utf-8"))
    (env / bootstrap.STAMP).write_text(json.dumps(stamp | {"python": "3.11.0"}), encoding="utf-8")
    bootstrap.prepare(env, "run")
    assert steps == [*EVERYTHING, *EVERYTHING]


def test_a_folder_of_another_kind_is_left_alone(
    bootstrap: ModuleType, steps: list[str], tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(bootstrap.SetupError, match="--venv"):
        bootstrap.prepare(tmp_path, "run")
    assert steps == []
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_in_the_place_of_the_environment_is_told(
    bootstrap: ModuleType, steps: list[str], tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(bootstrap.SetupError, match="--venv"):
        bootstrap.prepare(tmp_path / "thesis.txt", "run")
    done = ended(sys.executable, FILE, "run", "--venv", tmp_path / "thesis.txt" / "env")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "thesis.txt" in done.stderr


def test_packages_whose_files_are_missing_are_installed_again(
    bootstrap: ModuleType, steps: list[str], tmp_path: Path
) -> None:
    env = tmp_path / "env"
    bootstrap.prepare(env, "run")
    site = env / "lib" / "python3.11" / "site-packages"
    for name in ("whole", "broken"):
        (site / name).mkdir(parents=True)
        (site / name / "code.py").touch()
        (site / f"{name}-1.0.dist-info").mkdir()
        record = f"{name}/code.py,sha256=x,0\n{name}/__pycache__/code.pyc,,\n{name}-1.0.dist-info/RECORD,,\n"
        (site / f"{name}-1.0.dist-info" / "RECORD").write_text(record, encoding="utf-8")
    bootstrap.prepare(env, "run")  # packages that came by another way: looked at once
    done = [*EVERYTHING, *EVERYTHING[1:]]
    bootstrap.prepare(env, "run")
    assert steps == done
    (site / "broken" / "code.py").unlink()
    bootstrap.prepare(env, "run")
    assert steps == [*done, *EVERYTHING[1:]]
    assert [each.name for each in site.glob("*.dist-info")] == ["whole-1.0.dist-info"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_step_ends_with_the_set_up(tmp_path: Path) -> None:
    """The step is a process of its own with a child, as an installer is."""
    code = f"""
import importlib.util
spec = importlib.util.spec_from_file_location("bootstrap", {str(FILE)!r})
bootstrap = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bootstrap)
bootstrap.call("a step", ["sh", "-c", "sleep 61.25 & echo $! >&2; wait"])
"""
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    child = int(process.stderr.readline())
    process.terminate()
    assert process.wait(20) == 1
    process.stderr.close()
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]:
            return
        time.sleep(0.1)
    raise AssertionError("the step's child still runs")


def test_the_page_is_opened_with_what_a_run_needs(
    bootstrap: ModuleType,
    steps: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    called = []
    monkeypatch.setattr(bootstrap, "finish", lambda command: called.append(command[1:]) or 0)
    assert bootstrap.main(["ui", "--venv", str(tmp_path / "env"), "--no-browser"]) == 0
    assert called == [["-P", "-m", "breakrank", "ui", "--no-browser"]]
    assert steps == EVERYTHING
    command = bootstrap.interpreter(tmp_path / "env").with_name("breakrank")
    assert capsys.readouterr().err.endswith(f"bootstrap: ready: {command}\n")
