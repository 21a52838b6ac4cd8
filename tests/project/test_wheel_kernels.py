"""A wheel built with kernels says for which Python, and compiles nothing where it is installed."""

from __future__ import annotations

import os
import sys
from functools import partial
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
    there = partial(python, folder=tmp_path, env=env)
    assert there("-c", "import breakrank; print(breakrank.__file__)").startswith(str(tmp_path))
    for case in ("venezuela-2019", "crimea-2014", "east-germany-1989", "syria-2011", "philippines-1986"):
        there("-m", "breakrank", "run", case, "--runs", "2", "--json")
    there("-m", "breakrank", "trace", "venezuela-2019", "--fate", "registered")
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


@pytest.mark.thorough
@pytest.mark.slow
def test_kernels_compiled_for_a_plainer_processor_give_the_same_bits(tmp_path: Path) -> None:
    """Neither fused multiply-adds nor vectors: not in kernels, in NumPy, or in the C library."""
    from tools.machines import LEVELS

    code = (
        "import json; from tests.baseline.measure import everything; found = everything();"
        " [one.pop('values') for one in found['worlds'].values()]; print(json.dumps(found))"
    )
    fresh = os.environ | {"BREAKRANK_CACHE_DIR": str(tmp_path)} | LEVELS["x86-64, and both libraries without"]
    assert python("-c", code, folder=ROOT) == python("-c", code, folder=ROOT, env=fresh)
    assert any((tmp_path / "kernels").iterdir())
