"""What a compiled kernel is made of, where it is kept, and for which processor it is made.

Two kernels with the same key do the same. Moved lines, comments and docstrings are no part of it; bytecode,
the values of constants, the fields of tables and everything that a kernel calls are. What could change
without being seen is refused: a kernel may read numbers, strings, tuples, arrays, named tuples, tables and
other kernels, and of modules only `math` and `numpy`, whose versions are part of every key.

A wheel brings some kernels, others lie in a folder of the user's: one file for each version of a kernel,
named after its key and what it is given. So a file never has to be replaced. A process claims the version
that it compiles; others wait for it instead of compiling the same. Files are code that is run: a folder that
another user owns or may write is refused.
"""

from __future__ import annotations

import atexit
import builtins
import dis
import hashlib
import math
import os
import platform
import shutil
import stat
import sys
import tempfile
import time
import uuid
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import compiler, serialize, types
from numba.core.caching import NullCache
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from breakrank.surroundings import CACHE, cache_folder

_KEYS: dict[Dispatcher[Any], str] = {}
_UNDER_WAY: list[Dispatcher[Any]] = []

CALLED: set[Dispatcher[Any]] = set()
"""The compiled functions that others call, of those whose keys were asked for."""

SURROUNDINGS = (
    f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')} {platform.system()} {platform.machine()} "
    f"numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {np.__version__}"
)
"""What every compiled kernel depends on beside its own content."""


def key_of(compiled: Any) -> str:  # noqa: ANN401 (a compiled function)
    """Return the digest of a compiled function's code and constants, and the keys of what it calls.

    Raises
    ------
    TypeError
        if it reads something whose content cannot be part of the key.
    """
    if compiled in _UNDER_WAY:
        if compiled is _UNDER_WAY[-1]:
            return "itself"
        raise TypeError(f"{compiled.py_func.__qualname__} calls functions that call it: compile them as one.")
    if _UNDER_WAY:
        CALLED.add(compiled)
    if compiled not in _KEYS:
        _UNDER_WAY.append(compiled)
        try:
            parts = [str(sorted(compiled.targetoptions.items())), *_parts(compiled.py_func)]
        finally:
            _UNDER_WAY.pop()
        _KEYS[compiled] = _digest("\n".join(parts))
    return _KEYS[compiled]


def version_of(compiled: Any, signature: Any, target: object) -> str:  # noqa: ANN401 (Numba's)
    """Return the digest of one version: given types, how calls choose versions, processor, libraries."""
    given = getattr(signature, "args", signature)
    wanted = getattr(signature, "return_type", None)
    rule = "".join(_code(type(compiled).get_call_template.__code__))
    return _digest(f"{[_kind(each) for each in given]} {wanted} {target} {rule} {SURROUNDINGS}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _kind(kind: Any) -> str:  # noqa: ANN401 (a type of Numba's)
    """Describe a type of Numba's; of named tuples their class and fields too, which its name leaves out."""
    if isinstance(kind, types.BaseTuple):
        columns: Any = kind
        table = _fields(columns.instance_class) if hasattr(columns, "instance_class") else "tuple"
        return f"{table}({', '.join(map(_kind, columns.types))})"
    return key_of(kind.dispatcher) if isinstance(kind, types.Dispatcher) else str(kind)


def _fields(table: Any) -> str:  # noqa: ANN401
    return f"{table.__module__}.{table.__qualname__}{getattr(table, '_fields', None)}"


def _parts(function: FunctionType) -> Iterator[str]:
    """Yield the ingredients of a function, as text."""
    doc = function.__doc__
    yield from _code(function.__code__, doc)
    yield repr(function.__defaults__)
    for cell in function.__closure__ or ():
        yield _content(cell.cell_contents, function.__qualname__)
    for name in sorted(set(_globals(function.__code__))):
        if name not in function.__globals__ and not hasattr(builtins, name):
            raise TypeError(f"{function.__qualname__} reads {name}, which is not defined.")
        value = function.__globals__.get(name, getattr(builtins, name, None))
        yield f"{name} = {_content(value, f'{function.__qualname__} reads {name}')}"


def _code(code: CodeType, doc: str | None = None) -> Iterator[str]:
    yield repr((code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, code.co_freevars))
    for k, each in enumerate(code.co_consts):
        if isinstance(each, CodeType):
            yield from _code(each)
        elif not (k == 0 and doc is not None and each == doc):
            yield f"{type(each).__name__} {each!r}"


def _globals(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _globals(each)


def _content(value: Any, where: str) -> str:  # noqa: ANN401
    """Return all that a kernel may take from a value, as text."""
    if isinstance(value, Dispatcher):
        return key_of(value)
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype.descr} {value.shape} {value.flags.writeable} {value.tobytes().hex()}"
    if value is None or isinstance(value, bool | int | float | str):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({', '.join(_content(each, where) for each in value)})"
    if isinstance(value, type) and hasattr(value, "_fields"):
        return _fields(value)
    if isinstance(value, _Intrinsic):
        return "".join(_code(value._defn.__code__))
    if value is math or value is np:
        return str(value.__name__)
    if isinstance(value, type | BuiltinFunctionType) and value.__module__ in ("builtins", "math", "numpy"):
        return f"{value.__module__}.{value.__qualname__}"
    raise TypeError(
        f"{where}, a {type(value).__name__}: a compiled function may read numbers, strings, tuples, arrays, "
        "named tuples, other compiled functions, math and numpy; a change in anything else would not be seen."
    )


fcntl: Any
try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

SHIPPED = Path(__file__).parent / "compiled"
"""Where a wheel that was built with kernels holds them; a checkout has none."""

MOST = 8000
"""So many files are kept in the user's folder; beyond, those that were made first go."""

LONGEST_WAIT = 120.0
"""Seconds after which a process compiles a kernel itself that another one claims to compile."""

COMMON_LEVEL = "x86-64-v3"
"""The level of processor that kernels are compiled for where the machine reaches it: x86-64 with AVX2."""

_NEEDED = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


def _choose_processor() -> None:
    """Compile for the common level, unless this machine lacks it or the user chose for Numba."""
    chosen = {"NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"} & set(os.environ)
    has = llvm.get_host_cpu_features()
    if not chosen and all(has.get(name) for name in _NEEDED):
        config: Any = numba.config
        config.CPU_NAME, config.CPU_FEATURES = COMMON_LEVEL, ""


_choose_processor()


class KernelCache(NullCache):
    """Finds and keeps the versions of one compiled function; Numba asks it before it compiles."""

    def __init__(self, compiled: Any) -> None:  # noqa: ANN401
        self._compiled = compiled

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401
        """Return the compiled version for a signature, or None."""
        target_context.refresh()
        name = self._name(sig, target_context.codegen())
        payload = _find(name)
        if payload is None:
            CLAIMS.claim(name)
            payload = _find(name)  # by now another process may have made it
        result: Any = compiler.CompileResult
        return None if payload is None else result._rebuild(target_context, *payload)

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401
        """Keep a version that was compiled now. Where that fails it is compiled again by the next process."""
        if data.library.has_dynamic_globals or any(not each.can_cache for each in data.lifted):
            return
        plain = data._replace(type_annotation="")
        pack: Any = serialize.dumps
        _write(self._name(sig, data.codegen), pack(plain._reduce()))

    def load(self, files: Iterable[Path]) -> None:
        """Load the versions in these files, of those that serve this process."""
        function, target = self._compiled, self._compiled.targetctx
        target.refresh()
        result: Any = compiler.CompileResult
        for file in files:
            payload = _read(file)
            if payload is None or payload[3].args in function.overloads:
                continue
            if file.name == self._name(payload[3].args, target.codegen()):
                made = result._rebuild(target, *payload)
                target.insert_user_function(made.entry_point, made.fndesc, [made.library])
                function.add_overload(made)

    @cached_property
    def stem(self) -> str:
        """The name that the files of all versions of this function begin with."""
        function = self._compiled.py_func
        name = f"{function.__module__.removeprefix('breakrank.')}.{function.__qualname__}"
        return f"{name.replace('<', '').replace('>', '')}-{key_of(self._compiled)}"

    def _name(self, signature: Any, codegen: Any) -> str:  # noqa: ANN401
        return f"{self.stem}-{version_of(self._compiled, signature, codegen.magic_tuple())}"


def folders() -> list[Path]:
    """Return where compiled kernels are looked for, in order."""
    own = own_folder()
    return [shipped_folder(), *([] if _distrusted(own) else [own])]


def shipped_folder() -> Path:
    """Return where a wheel holds the kernels that serve this process: its versions and level of processor."""
    config: Any = numba.config
    made_with = f"{config.CPU_NAME} {SURROUNDINGS}"
    return SHIPPED / f"{sys.implementation.cache_tag}-{hashlib.sha256(made_with.encode()).hexdigest()[:16]}"


def files_kept() -> dict[str, list[Path]]:
    """Return the files of all kernels that are kept, of whatever version, by the stem of their names."""
    found: dict[str, list[Path]] = {}
    for folder in folders():
        for file in folder.iterdir() if folder.is_dir() else ():
            found.setdefault(file.name.rpartition("-")[0], []).append(file)
    return found


def own_folder() -> Path:
    """Return the user's folder of compiled kernels."""
    return cache_folder() / "kernels"


def _distrusted(folder: Path) -> str:
    """Say why a folder's code may not be run; empty if it may."""
    try:
        found = folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as problem:
        return f"cannot be read ({problem.strerror})"
    if not hasattr(os, "getuid"):
        return ""
    if found.st_uid != os.getuid():
        return "belongs to another user, whose code would be run"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"may be written by other users, whose code would be run (chmod go-w {folder})"
    return ""


@cache
def _writable(folder: Path) -> Path:
    """Return the folder, made where need be.

    Where that fails, return a private one for this process and its children, removed when this process ends.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        trouble = _distrusted(folder)
        if not trouble:
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    except OSError as problem:
        trouble = f"cannot be written ({problem.strerror})"
    warnings.warn(
        f"The folder for compiled kernels, {folder}, {trouble}. What is compiled now is lost when this "
        f"command ends. Mend the folder, or name another one in {CACHE}.",
        RuntimeWarning,
        stacklevel=2,
    )
    private = Path(tempfile.mkdtemp(prefix="breakrank-kernels-"))
    os.environ[CACHE] = str(private)
    atexit.register(_remove, private, os.getpid())
    own_folder().mkdir(mode=0o700)
    return own_folder()


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


class _Claims:
    """What this process compiles now, so that others wait for it: locked bytes of one file.

    The system gives up what a killed process claimed. Waiting cannot go in a circle, because no kernel calls
    one that calls it.
    """

    def __init__(self) -> None:
        self._claimed: list[tuple[int, int]] = []

    @contextmanager
    def released(self) -> Iterator[None]:
        """Give up afterwards what is claimed within."""
        before = len(self._claimed)
        try:
            yield
        finally:
            while len(self._claimed) > before:
                file, place = self._claimed.pop()
                with suppress(OSError):
                    fcntl.lockf(file, fcntl.LOCK_UN, 1, place)

    def claim(self, name: str) -> None:
        """Claim a version, after waiting for a process that has claimed it.

        Without locks of files, as on Windows and some network drives, processes may compile the same.
        """
        if fcntl is None:
            return
        place = int(hashlib.sha256(name.encode()).hexdigest()[:15], 16)
        end = time.monotonic() + LONGEST_WAIT
        with suppress(OSError):
            file = _claims_file(_writable(own_folder()))
            while time.monotonic() < end:
                try:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
                except (BlockingIOError, PermissionError):
                    time.sleep(0.02)
                else:
                    self._claimed.append((file, place))
                    return


CLAIMS = _Claims()


@cache
def _claims_file(folder: Path) -> int:
    """Return the open file of claims, which stays open: closing it would give up all claims."""
    return os.open(folder / ".claims", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)


def _find(name: str) -> Any:  # noqa: ANN401
    """Return the content of the file of this name, in whichever folder; None if there is none."""
    found = (_read(folder / name) for folder in folders())
    return next((payload for payload in found if payload is not None), None)


def _read(path: Path) -> Any:  # noqa: ANN401
    """Return the content of a file; None if there is none, it is damaged, or another Numba wrote it."""
    import pickle

    try:
        content = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(content[32:]).digest() != content[:32]:
        return None
    with suppress(Exception):  # it names classes that the Numba of this process lacks
        return pickle.loads(zlib.decompress(content[32:]))
    return None


def _write(name: str, payload: bytes) -> None:
    """Put a file into the user's folder, whole or not at all."""
    packed = zlib.compress(payload, 6)
    path = _writable(own_folder()) / name
    partial = path.with_name(f".{uuid.uuid4().hex}")
    try:
        partial.write_bytes(hashlib.sha256(packed).digest() + packed)
        partial.replace(path)
        _make_room_once(path.parent)
    except OSError as problem:
        with suppress(OSError):
            partial.unlink()
        warnings.warn(
            f"A compiled kernel could not be kept in {path.parent}: {problem}.", RuntimeWarning, stacklevel=2
        )


@cache
def _make_room_once(folder: Path) -> None:
    files = [each for each in os.scandir(folder) if not each.name.startswith(".")]  # not the claims
    if len(files) <= MOST:
        return
    for old in sorted(files, key=lambda each: each.stat().st_mtime)[: MOST // 2]:
        with suppress(OSError):
            Path(old).unlink()
