"""Compiled functions: what they may return, what their key is made of, and where they are kept."""

import dis
import hashlib
import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core import types
from numba.core.dispatcher import Dispatcher

import breakrank
from breakrank import kernel_files
from breakrank.kernel import KERNELS, kernel, lean, straight
from breakrank.kernel_files import key_of, version_of
from tests.programs import ended


def compiled() -> list[Dispatcher]:
    """Return every compiled function of the package."""
    for module in pkgutil.walk_packages(breakrank.__path__, "breakrank."):
        if module.name.split(".")[1] != "__main__":
            importlib.import_module(module.name)
    own = [each for each in KERNELS if each.py_func.__module__.startswith("breakrank.")]
    return [each for each in own if not each.py_func.__qualname__.endswith(".unfolded")]


def is_lean(function: Dispatcher) -> bool:
    return function.targetoptions.get("_nrt") is False


def returns_arrays(function: Dispatcher) -> bool:
    return "NDArray" in str(function.py_func.__annotations__["return"])


def test_lean_functions_are_handed_no_new_arrays() -> None:
    # nothing would ever free an array that one of them is handed by a function it calls
    functions = compiled()
    assert any(is_lean(f) for f in functions)
    for function in filter(is_lean, functions):
        assert not returns_arrays(function), function
        code, known = function.py_func.__code__, function.py_func.__globals__
        read = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"}
        called = [known[name] for name in read if isinstance(known.get(name), Dispatcher)]
        assert not [f for f in called if returns_arrays(f)], function


def test_a_lean_function_cannot_make_an_array() -> None:
    def size(n: int) -> int:
        return int(np.empty(n).shape[0])

    function: Callable[[int], int] = lean(size)
    with pytest.raises(Exception, match="returning of array"):
        function(3)


def test_a_straight_call_is_the_same_call() -> None:
    def total(x: np.ndarray, factor: float) -> float:
        return float(factor * x.sum())

    function = lean(total)
    directly = straight(function)
    for x in (np.arange(3.0), np.arange(5.0)):
        assert directly(x, 2.0) == function(x, 2.0) == 2 * x.sum()
    assert len(function.overloads) == 1
    assert directly(np.arange(3.0), 2) == 6, "arguments of other classes are looked at anew"
    for x in (np.arange(3), np.arange(3, dtype=np.float32), np.arange(6.0)[::2], np.ones((2, 3))):
        assert directly(x, 2.0) == 2 * x.sum(), "and so are arrays of other elements or another layout"


SOURCE = '''
import math
from typing import NamedTuple
import numpy as np
from breakrank.kernel import inlined, kernel, lean

class Pair(NamedTuple):
    left: int
    right: int

LIMIT = 3
RATE = 0.25
WAYS = (1, 2)
TABLE = np.array([1.0, 2.0])
WORD = np.uint32(7)

@kernel
def unrelated(x):
    return x * 5

@inlined
def deepest(x):
    return x + RATE

@kernel
def helper(x, step=1):
    """Return something."""
    return deepest(x) * 2 + step

@lean
def outer(x):
    """Return something else."""
    pair = Pair(x, LIMIT)
    return helper(x) + math.sqrt(pair.left) + pair.right + TABLE[0] + WAYS[1] + WORD + 10
'''


def key(source: str) -> str:
    module = ModuleType("written_for_this_test")
    exec(compile(source, "written.py", "exec"), vars(module))
    return key_of(module.outer)


def changed(old: str, new: str) -> str:
    assert SOURCE.count(old) == 1
    return SOURCE.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("+ 10", "+ 11", id="a literal"),
        pytest.param("+ 10", "+ 10.0", id="the type of a literal"),
        pytest.param("+ 10", "- 10", id="an operation"),
        pytest.param("LIMIT = 3", "LIMIT = 4", id="a constant"),
        pytest.param("LIMIT = 3", "LIMIT = 3.0", id="the type of a constant"),
        pytest.param("WORD = np.uint32(7)", "WORD = np.uint64(7)", id="the width of a constant"),
        pytest.param("(1, 2)", "(1, 3)", id="an element of a tuple"),
        pytest.param("[1.0, 2.0]", "[1.0, 2.5]", id="an element of an array"),
        pytest.param("math.sqrt(", "math.cos(", id="a library function"),
        pytest.param("left: int\n    right: int", "right: int\n    left: int", id="the fields of a table"),
        pytest.param("* 2 + step", "* 3 + step", id="a function that it calls"),
        pytest.param("step=1", "step=2", id="a default"),
        pytest.param("x + RATE", "x - RATE", id="a function copied into one that it calls"),
        pytest.param("RATE = 0.25", "RATE = 0.5", id="a constant two calls away"),
        pytest.param("@lean", "@kernel", id="how it is compiled"),
    ],
)
def test_a_change_of_what_it_is_made_of_changes_the_key(old: str, new: str) -> None:
    assert key(changed(old, new)) != key(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("\n@lean", "\n\n\n# a comment\n@lean", id="moved lines"),
        pytest.param("Return something else.", "Return the same.", id="its docstring"),
        pytest.param("Return something.", "Return it.", id="the docstring of one that it calls"),
        pytest.param("x * 5", "x * 6", id="a function that it does not call"),
    ],
)
def test_other_changes_leave_the_key(old: str, new: str) -> None:
    assert key(changed(old, new)) == key(SOURCE)


def test_what_could_change_unseen_is_refused() -> None:
    with pytest.raises(TypeError, match=r"outer reads WAYS, a dict: .* would not be seen"):
        key(changed("WAYS = (1, 2)", "WAYS = {1: 2}"))
    with pytest.raises(TypeError, match="outer reads TABLE, which is not defined"):
        key(changed("TABLE = np.array([1.0, 2.0])", ""))
    with pytest.raises(TypeError, match="calls functions that call it"):
        key(changed("return deepest(x) * 2", "return outer(x) * 2"))


def test_a_function_may_call_itself() -> None:
    mine = "return x if x < 2 else helper(x - 1)"
    assert key(changed("return deepest(x) * 2 + step", mine)) != key(SOURCE)


class Table(NamedTuple):
    fate: Any
    since: Any


class Turned(NamedTuple):
    since: Any
    fate: Any


def test_versions_differ_by_types_fields_processor_and_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    @kernel
    def same(x: Any) -> Any:
        return x

    columns = np.zeros(2, np.int16), np.zeros(2, np.int16)
    given = [
        numba.typeof(value)
        for value in (1, 1.0, columns[0], columns[0].astype(np.int32), Table(*columns), Turned(*columns))
    ]
    versions = [version_of(same, (each,), "a processor") for each in given]
    versions.append(version_of(same, (types.int64,), "another processor"))
    monkeypatch.setattr(kernel_files, "SURROUNDINGS", "numba 99")
    versions.append(version_of(same, (types.int64,), "a processor"))
    assert len(set(versions)) == len(versions)


def test_fields_in_another_order_are_another_version() -> None:
    # the classes have one name, as before and after an edit, and their columns one type
    @kernel
    def fate_of(table: Any) -> Any:
        return table.fate[0]

    before, after = (NamedTuple("Books", [(name, Any) for name in names]) for names in ("ab", "ba"))
    column = np.zeros(2, np.int16)
    kinds = [numba.typeof(each(column, column)) for each in (before, after)]
    assert version_of(fate_of, (kinds[0],), "") != version_of(fate_of, (kinds[1],), "")


HELPER = """
from breakrank.kernel import kernel

@kernel
def step(x):
    return x + 1
"""
CALLER = """
from helper import step
from breakrank.kernel import KERNELS, kernel

@kernel
def twice(x):
    return step(step(x))

if __name__ == "__main__":
    value = twice(5)
    print(value, sum(sum(each.stats.cache_misses.values()) for each in KERNELS))
"""


def write(folder: Path) -> None:
    (folder / "code").mkdir()
    (folder / "code" / "helper.py").write_text(HELPER)
    (folder / "code" / "caller.py").write_text(CALLER)


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    write(tmp_path)
    return tmp_path


def call(scripts: Path, cache: Path) -> tuple[list[str], str]:
    """Return what the script prints (its value, and how many versions were made_once), and its warnings."""
    environment = os.environ | {"BREAKRANK_CACHE_DIR": str(cache), "TMPDIR": str(scripts)}
    done = ended(sys.executable, "caller.py", folder=scripts / "code", env=environment)
    assert done.returncode == 0, done.stderr
    assert not list(scripts.rglob("*.nbi")), "Numba's own cache was used"
    assert not list(scripts.glob("breakrank-kernels-*")), "a private folder was left behind"
    return done.stdout.split(), done.stderr


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile both functions into a folder, once for all tests that begin with it."""
    there = tmp_path_factory.mktemp("compiled")
    write(there)
    assert call(there, there / "cache") == (["7", "2"], "")
    return there / "cache"


@pytest.fixture
def kept(made_once: Path, scripts: Path) -> Path:
    """Return a folder in which both functions are kept made_once."""
    return Path(shutil.copytree(made_once, scripts / "cache"))


def edit(scripts: Path) -> None:
    (scripts / "code" / "helper.py").write_text(HELPER.replace("+ 1", "+ 10"))


def test_what_is_kept_is_used_until_a_helper_in_another_file_changes(scripts: Path, kept: Path) -> None:
    assert call(scripts, kept) == (["7", "0"], "")
    edit(scripts)
    assert call(scripts, kept)[0] == ["25", "2"]


def test_where_nothing_can_be_written_it_warns_and_never_runs_old_code(scripts: Path) -> None:
    cache = scripts / "cache"
    cache.write_text("a file, not a folder")
    printed, warned = call(scripts, cache)
    assert printed == ["7", "2"]
    assert "cannot be written" in warned
    assert "BREAKRANK_CACHE_DIR" in warned
    edit(scripts)
    assert call(scripts, cache)[0] == ["25", "2"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files")
def test_a_folder_that_others_may_write_is_refused(scripts: Path, kept: Path) -> None:
    assert (kept / "kernels").stat().st_mode & 0o777 == 0o700
    (kept / "kernels").chmod(0o770)
    printed, warned = call(scripts, kept)
    assert printed == ["7", "2"]
    assert "may be written by other users" in warned


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
def test_a_folder_of_another_user_is_refused(scripts: Path, kept: Path) -> None:
    os.chown(kept / "kernels", 12345, -1)
    printed, warned = call(scripts, kept)
    assert printed == ["7", "2"]
    assert "belongs to another user" in warned


def test_a_damaged_file_and_one_of_classes_that_this_process_lacks_are_compiled_again(
    scripts: Path, kept: Path
) -> None:
    damaged, strange = (kept / "kernels").glob("[!.]*")
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    packed = zlib.compress(b"cno_such_module\nNoSuchClass\n.")
    strange.write_bytes(hashlib.sha256(packed).digest() + packed)
    assert call(scripts, kept)[0] == ["7", "2"]


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such locks there")
def test_processes_that_want_the_same_at_once_compile_it_once(scripts: Path) -> None:
    commands = [sys.executable, "caller.py"]
    environment = os.environ | {"BREAKRANK_CACHE_DIR": str(scripts / "cache")}
    begun = [
        subprocess.Popen(commands, cwd=scripts / "code", env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    printed = [process.communicate(timeout=120)[0].split() for process in begun]
    assert {value for value, _ in printed} == {"7"}
    assert sum(int(count) for _, count in printed) == 2


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="files have no such locks there")
def test_what_a_killed_process_claimed_is_compiled_by_another(scripts: Path) -> None:
    holds = (
        "from breakrank.kernel_files import CLAIMS; CLAIMS.claim('a kernel'); print(1, flush=True); input()"
    )
    environment = os.environ | {"BREAKRANK_CACHE_DIR": str(scripts / "cache")}

    def begin() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", holds]
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    with begin() as first:
        assert first.stdout.readline() == b"1\n"
        with begin() as second:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(timeout=2)
            first.kill()
            assert second.communicate(b"\n", timeout=60)[0] == b"1\n"
