"""Wheels in fresh environments: the core alone, the desk beside it, and kernels that nobody compiles."""

import os
import shutil
import sys
import sysconfig
import venv
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import pytest

from breakrank.kernel_files import COMMON_LEVEL
from tests.programs import Done, ended, python
from tests.test_plugins import MISSING

ROOT = Path(__file__).parents[2]
LEFT = (".*", "__pycache__", "node_modules", "docs", "tests", "benchmarks")
REPORT = "<p>RIVER TOWN, 2 April 2025. Some 240 soldiers have crossed the bridge, he said.</p>"
COUNTS = "date,measure,figure,source\n2025-03-10,registered,850,ministry-2025\n"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheels of both packages, the core's first, built from a copy of this checkout."""
    folder = tmp_path_factory.mktemp("built")
    plain = os.environ | {"BREAKRANK_WHEEL_KERNELS": "0"}  # the kernels are those of the environment
    copy = shutil.copytree(ROOT, folder / "copy", ignore=shutil.ignore_patterns(*LEFT))
    for source in (copy, copy / "packages" / "desk"):
        python("-m", "hatchling", "build", "-t", "wheel", "-d", folder, folder=source, env=plain)
    return sorted(folder.glob("*.whl"))


class Installed:
    """A fresh environment that has, of the environment of the tests, what the packages need."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=False)
        self.bin = folder / "env" / "bin"
        (site,) = (folder / "env").glob("lib/python*/site-packages")
        for one in Path(sysconfig.get_path("purelib")).iterdir():
            if not one.name.lower().startswith(("breakrank", "_editable", "__pycache__")):
                (site / one.name).symlink_to(one)

    def install(self, wheel: Path) -> None:
        """Install a wheel."""
        quiet = ["--no-index", "--no-deps", "--no-warn-script-location", "--disable-pip-version-check", "-q"]
        python("-m", "pip", "--python", self.bin / "python", "install", *quiet, wheel)

    def call(self, *arguments: str) -> Done:
        """Call ``breakrank`` there."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return ended(self.bin / "breakrank", *arguments, folder=self.folder, env=clean)

    def works(self, *arguments: str) -> str:
        """Return what a call prints that has to go well."""
        done = self.call(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="there links need rights")
def test_the_core_works_alone_and_says_that_the_desk_is_not_there_and_both_code_a_report(
    wheels: list[Path], tmp_path: Path
) -> None:
    core, desk = wheels
    there = Installed(tmp_path)
    there.install(core)
    (tmp_path / "counts.csv").write_text(COUNTS, "utf-8")
    assert "Code reports" not in there.works("--help")
    there.works("case", "new", "--full", "mine")
    assert "850" in there.works("case", "count", "mine", "counts.csv")
    there.works("run", "mine", "--runs", "1", "--until", "2025-01-05", "--workers", "1", "--out", "out")
    for arguments in (("desk", "read", "mine", "a.html"), ("ui", "mine", "--no-browser", "--desk", ".")):
        done = there.call(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", MISSING)

    there.install(desk)
    reports = tmp_path / "reports"
    reports.mkdir()
    (reports / "a.html").write_text(REPORT, "utf-8")
    assert "Code reports: read, propose, accept." in there.works("--help")
    read = ("desk", "read", "mine", "reports/a.html", "--outlet", "Valley", "--date", "2025-04-02")
    assert "Text r00" in there.works(*read)
    assert "240" in there.works("desk", "propose", "mine", "--texts", "reports")
    program = (
        "from pathlib import Path; from breakrank.plugins import open_desk; "
        "desk = open_desk('mine', Path('reports')); print(sorted(desk.get)[0]); desk.close()"
    )
    told = ended(there.bin / "python", "-P", "-c", program, folder=tmp_path)
    assert (told.returncode, told.stdout) == (0, "/api/desk\n"), told.stderr


SWITCH = "BREAKRANK_WHEEL_KERNELS"
ASKED = """
import breakrank
from breakrank.cli import main
for case in breakrank.list_cases():
    assert main(["run", case, "--runs", "1", "--workers", "1", "--json"]) == 0
assert main(["trace", "venezuela-2019", "--fate", "registered"]) == 0
print(breakrank.__file__)
"""


def build(folder: Path, switch: str) -> Path:
    env = os.environ | {SWITCH: switch}
    python("-m", "hatchling", "build", "-t", "wheel", "-d", folder, folder=ROOT, env=env)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.skipif(numba.config.CPU_NAME != COMMON_LEVEL, reason="a wheel's kernels need the common level")
def test_an_installed_wheel_compiles_nothing(tmp_path: Path) -> None:
    wheel = build(tmp_path, "1")
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-none-" in wheel.name
    options = ["-q", "--no-deps", "--no-index", "--target", "installed"]
    python("-m", "pip", "install", *options, wheel, folder=tmp_path)
    env = os.environ | {
        "PYTHONPATH": str(tmp_path / "installed"),
        "BREAKRANK_CACHE_DIR": str(tmp_path / "cache"),
    }
    told = python("-c", ASKED, folder=tmp_path, env=env)
    assert told.splitlines()[-1].startswith(str(tmp_path))
    compiled = [file.name for file in (tmp_path / "cache" / "kernels").rglob("[!.]*") if file.is_file()]
    assert compiled == [], "tools/wheel_kernels.py did not compile what these runs call"


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The build hook, on a machine on which nothing can be compiled, and the warnings that it gave."""
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    failed = SimpleNamespace(returncode=1, stdout="", stderr="...\nModuleNotFoundError: no numba")
    monkeypatch.setattr(module, "subprocess", SimpleNamespace(run=lambda *_, **__: failed, PIPE=-1))
    warned: list[str] = []
    made = module.KernelHook(str(ROOT), {}, None, None, str(ROOT), "wheel", SimpleNamespace())
    monkeypatch.setattr(type(made), "app", SimpleNamespace(display_warning=warned.append))
    return SimpleNamespace(initialize=made.initialize, warned=warned)


def test_where_nothing_can_be_compiled_the_wheel_has_no_kernels(
    hook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", data)
    assert data == {"force_include": {}}
    (warning,) = hook.warned
    assert "no numba" in warning
    monkeypatch.setenv(SWITCH, "1")
    with pytest.raises(SystemExit, match="no kernels could be compiled"):
        hook.initialize("standard", data)


def test_an_editable_install_compiles_nothing(hook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    hook.initialize("editable", {"force_include": {}})
    assert hook.warned == []
