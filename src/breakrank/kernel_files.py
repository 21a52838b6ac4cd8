"""Where compiled kernels are kept, and for which processor they are made.

Some come with the package, others lie in a folder of the user's: one file for each version of a kernel,
named after what it is made of and what it is given (:mod:`breakrank.kernel_key`). So a file never has to be
replaced, and processes do not get into each other's way. Files are code that is run: a folder that another
user owns or may write is refused.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
import uuid
import warnings
import zlib
from collections.abc import Iterable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import platformdirs
from numba.core import compiler, serialize
from numba.core.caching import NullCache

from breakrank.kernel_key import SURROUNDINGS, key_of, version_of

FOLDER = "BREAKRANK_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""

SHIPPED = Path(__file__).parent / "compiled"
"""The kernels that come with the package; ``BREAKRANK_SHIPPED_KERNELS=0`` leaves them aside."""

MOST = 8000
"""So many files are kept in the user's folder; beyond, those that were made first go."""

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
        for folder in folders():
            payload = _read(folder / name)
            if payload is not None:
                result: Any = compiler.CompileResult
                return result._rebuild(target_context, *payload)
        return None

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
    return [*([SHIPPED] if _shipped_fit() else []), *([] if _distrusted(own) else [own])]


def made_with() -> str:
    """Return what shipped kernels have to be made with to serve this process."""
    config: Any = numba.config
    return f"{config.CPU_NAME} {SURROUNDINGS}\n"


@cache
def _shipped_fit() -> bool:
    label = SHIPPED / "made-with.txt"
    if os.environ.get("BREAKRANK_SHIPPED_KERNELS") == "0" or not label.is_file():
        return False
    return label.read_text(encoding="utf-8") == made_with()


def files_kept() -> dict[str, list[Path]]:
    """Return the files of all kernels that are kept, of whatever version, by the stem of their names."""
    found: dict[str, list[Path]] = {}
    for folder in folders():
        for file in folder.iterdir() if folder.is_dir() else ():
            found.setdefault(file.name.rpartition("-")[0], []).append(file)
    return found


def own_folder() -> Path:
    """Return the user's folder of compiled kernels."""
    return Path(os.environ.get(FOLDER) or platformdirs.user_cache_dir("breakrank", False)) / "kernels"


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
        f"command ends. Mend the folder, or name another one in {FOLDER}.",
        RuntimeWarning,
        stacklevel=2,
    )
    private = Path(tempfile.mkdtemp(prefix="breakrank-kernels-"))
    os.environ[FOLDER] = str(private)
    atexit.register(_remove, private, os.getpid())
    own_folder().mkdir(mode=0o700)
    return own_folder()


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _read(path: Path) -> Any:  # noqa: ANN401
    """Return what a file holds; None if there is none, it is damaged, or another Numba wrote it."""
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
    files = list(os.scandir(folder))
    if len(files) <= MOST:
        return
    for old in sorted(files, key=lambda each: each.stat().st_mtime)[: MOST // 2]:
        with suppress(OSError):
            Path(old).unlink()
