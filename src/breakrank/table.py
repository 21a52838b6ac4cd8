"""Tables: arrays and numbers that belong together, handed to compiled code as one address.

A table is declared like a data class: a field for each array (``NDArray[np.float32]``) and each number
(``int``, ``float``, ``bool``, ``np.uint64``). Python reads and writes the fields as usual. Compiled code is
given the address of a block of memory in which the numbers stand, and of each array where it lies and how
long it is. So a table costs the same to hand over however many columns it has, and compiled code says
``guests.stay[k]`` as Python does.

An array may be replaced by a longer one in Python, never in compiled code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Literal, Self, dataclass_transform, get_args, get_type_hints

import numpy as np
from numba import types
from numba.np.numpy_support import as_dtype, from_dtype
from numpy.typing import NDArray

from breakrank.table_type import TableType

_NUMBERS = {bool: types.boolean, int: types.int64, float: types.float64, np.uint64: types.uint64}
_KINDS = [as_dtype(kind) for kind in _NUMBERS.values()]


class Shape:
    """How an array of a table is laid out, see :func:`array`; or what a number holds, see :func:`number`."""

    def __init__(self, axes: tuple[str, ...], strided: bool, parameter: str = "") -> None:
        self.axes, self.strided, self.parameter = axes, strided, parameter


def array(*axes: str, strided: bool = False) -> Any:  # noqa: ANN401 (stands for the array in the declaration)
    """Declare the axes of an array; one that is declared without this has one axis.

    Parameters
    ----------
    axes : what each axis counts, such as ``"soldier"``.
    strided : whether its elements may lie apart, as those of a column of a structured array do.
    """
    return Shape(axes, strided)


def number(parameter: str, *, init: Literal[False] = False) -> Any:  # noqa: ANN401, ARG001
    """Declare the parameter that a number of a table holds, from when a run shares the table."""
    return Shape((), False, parameter)


@dataclass_transform(field_specifiers=(array, number))
class Table:
    """Arrays and numbers behind one address. Subclasses declare them; two of the same kind can be compared.

    Attributes
    ----------
    address : of the block that compiled code is given.
    """

    _numba_type_: ClassVar[TableType]
    _first: ClassVar[dict[str, int]] = {}
    _axes: ClassVar[dict[str, tuple[str, ...]]] = {}
    _along: ClassVar[dict[str, list[str]]] = {}
    _held: ClassVar[dict[str, str]] = {}
    _words: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        """Lay the declared fields out, one word after the other."""
        fields: dict[str, tuple[Any, int]] = {}
        cls._axes, cls._along, cls._held = {}, {}, {}
        word = 0
        for name, hint in get_type_hints(cls).items():
            if name.startswith("_") or name == "address":
                continue
            declared = cls.__dict__.get(name)
            kind, words = _kind_of(hint, declared)
            if declared and declared.parameter:
                cls._held[name] = declared.parameter
            elif declared:
                cls._axes[name] = declared.axes
                if not declared.strided and len(declared.axes) == 1:
                    cls._along.setdefault(declared.axes[0], []).append(name)
            fields[name] = kind, word
            setattr(cls, name, _field_of(kind)(name, kind, word))
            word += words
        cls._words = word
        cls._first = {name: first for name, (_, first) in fields.items()}
        cls._numba_type_ = TableType(f"{cls.__module__}.{cls.__qualname__}", fields)

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401
        values = dict.fromkeys(self._held, 0.0) | dict(zip(self._first, given, strict=False)) | named
        if len(given) > len(self._first) or values.keys() != self._first.keys():
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._first)}")
        self._arrays: dict[str, NDArray[Any]] = {}
        self._room: dict[str, tuple[dict[str, NDArray[Any]], NDArray[np.int64]]] = {}
        self._block = np.zeros(max(1, self._words), np.int64)
        self._as = {kind: self._block.view(kind) for kind in _KINDS}
        self.address: int = self._block.ctypes.data
        for name, value in values.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Be packed as its fields."""
        return type(self), tuple(self)

    def __iter__(self) -> Iterator[Any]:
        """Give the fields in order."""
        return (getattr(self, name) for name in self._first)

    def fill(self, values: Any) -> None:  # noqa: ANN401 (a world)
        """Write the parameters that fields hold; `values` gives each by its name."""
        for name, parameter in self._held.items():
            setattr(self, name, values[parameter])

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of its fields, in order."""
        return tuple(cls._first)

    @classmethod
    def axes_of(cls, name: str) -> tuple[str, ...]:
        """Return the axes of an array, as far as they are declared."""
        return cls._axes.get(name, ())

    @classmethod
    def declared(cls) -> Iterator[tuple[str, str, str]]:
        """Yield each field's name, its type, and its axes: none of a number, "one axis" if it has no name."""
        for name, (kind, _) in cls._numba_type_.fields.items():
            if isinstance(kind, TableType):
                yield name, kind.name.partition("(")[0].rpartition(".")[2], "a table"
            else:
                axes = cls._axes.get(name, ("one axis",) if isinstance(kind, types.Array) else ())
                yield name, str(_dtype(kind)), ", ".join(axes)

    @classmethod
    def of_zeros(cls, length: Mapping[str, int]) -> Self:
        """Return a table of zeros, of arrays with one axis; `length` of each, 1 where it is left out."""
        fields = cls._numba_type_.fields
        made = {n: np.zeros(length.get(n, 1), _dtype(kind)) for n, (kind, _) in fields.items()}
        return cls(**made)

    def hold(self, axis: str, n: int) -> None:
        """Let all arrays along this axis alone have `n` entries, whatever stands in them.

        There is room for twice as many as were ever asked for, so that this is quick.
        """
        whole, lengths = self._room.get(axis, ({}, None))
        if lengths is None or n > len(next(iter(whole.values()))):
            fields, names = self._numba_type_.fields, self._along[axis]
            whole = {name: np.zeros(2 * n + 1, _dtype(fields[name][0])) for name in names}
            for name, column in whole.items():
                setattr(self, name, column)
            lengths = np.array([self._first[name] + 1 for name in names])
            self._room[axis] = whole, lengths
        for name, column in whole.items():
            self._arrays[name] = column[:n]
        self._block[lengths] = n

    def copy(self, **changed: Any) -> Self:  # noqa: ANN401
        """Return a table of the same content, but for these fields, that shares no memory with this one.

        Columns that lie side by side in a structured array do so in the copy as well.
        """
        blocks: dict[int, NDArray[Any]] = {}
        copied: dict[str, Any] = {}
        for name in self.names():
            value = getattr(self, name)
            base: Any = getattr(value, "base", None)
            if name in (getattr(getattr(base, "dtype", None), "names", None) or ()):
                copied[name] = blocks.setdefault(id(base), base.copy())[name]
            else:
                copied[name] = np.copy(value) if isinstance(value, np.ndarray) else value
        return type(self)(**copied | changed)


class _Array:
    """A field that holds an array: the array for Python, its address and shape for compiled code."""

    def __init__(self, name: str, kind: Any, first: int) -> None:  # noqa: ANN401
        self.name, self.kind, self.first = name, kind, first
        self.dtype = _dtype(kind)

    def __get__(self, table: Table | None, of: type | None = None) -> Any:  # noqa: ANN401
        return self if table is None else table._arrays[self.name]

    def __set__(self, table: Table, value: Any) -> None:  # noqa: ANN401
        kind = self.kind
        if not isinstance(value, np.ndarray) or value.dtype != self.dtype or value.ndim != kind.ndim:
            given = f"{value.dtype}, {value.ndim} axes" if isinstance(value, np.ndarray) else repr(value)
            raise TypeError(f"{type(table).__name__}.{self.name} takes {kind}, not {given}")
        if kind.layout == "C" and not value.flags.c_contiguous:
            raise TypeError(f"{type(table).__name__}.{self.name} takes an array without gaps")
        table._arrays[self.name] = value
        table._room.clear()
        where = (
            value.ctypes.data,
            *value.shape,
            *(value.strides if kind.layout == "A" else ()),
        )
        table._block[self.first : self.first + len(where)] = where


class _Number:
    """A field that holds a number, in the table's own block."""

    def __init__(self, name: str, kind: Any, first: int) -> None:  # noqa: ANN401
        self.name, self.dtype = name, _dtype(kind)
        self.at = first * (8 // self.dtype.itemsize)

    def __get__(self, table: Table | None, of: type | None = None) -> Any:  # noqa: ANN401
        return self if table is None else table._as[self.dtype].item(self.at)

    def __set__(self, table: Table, value: float) -> None:
        table._as[self.dtype][self.at] = value


class _Inner:
    """A field that holds another table: its address for compiled code."""

    def __init__(self, name: str, kind: TableType, first: int) -> None:
        self.name, self.kind, self.first = name, kind, first

    def __get__(self, table: Table | None, of: type | None = None) -> Any:  # noqa: ANN401
        return self if table is None else table._arrays[self.name]

    def __set__(self, table: Table, value: Any) -> None:  # noqa: ANN401
        if getattr(value, "_numba_type_", None) is not self.kind:
            raise TypeError(f"{type(table).__name__}.{self.name} takes another table than {value!r}")
        table._arrays[self.name] = value
        table._block[self.first] = value.address


def _field_of(kind: Any) -> type:  # noqa: ANN401
    if isinstance(kind, TableType):
        return _Inner
    return _Array if isinstance(kind, types.Array) else _Number


@cache
def table_of_tables(named: tuple[tuple[type[Table], str], ...]) -> type[Table]:
    """Return a kind of table whose fields are tables, of these kinds and names."""
    fields = {name: kind for kind, name in named}
    return type("State", (Table,), {"__annotations__": fields, "__module__": __name__})


def _dtype(kind: Any) -> np.dtype[Any]:  # noqa: ANN401
    return as_dtype(kind.dtype if isinstance(kind, types.Array) else kind)


def _kind_of(hint: Any, declared: Shape | None) -> tuple[Any, int]:  # noqa: ANN401
    """Return the type that a field has in compiled code, and how many words it takes."""
    if isinstance(hint, type) and issubclass(hint, Table):
        return hint._numba_type_, 1
    if hint in _NUMBERS:
        return _NUMBERS[hint], 1
    (scalar,) = get_args(get_args(hint)[1])
    axes = len(declared.axes) if declared else 1
    strided = declared is not None and declared.strided
    return types.Array(from_dtype(np.dtype(scalar)), axes, "A" if strided else "C"), 1 + axes * (1 + strided)
