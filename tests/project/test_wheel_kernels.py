"""A wheel built with kernels says for which Python, and compiles nothing where it is installed."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import pytest

from breakrank.kernel_files import COMMON_LEVEL
from tests.programs import python

ROOT = Path(__file__).parents[2]
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
