"""How compiled code reads a :class:`~breakrank.table.Table`: from the words of a block at one address."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numba.core.datamodel
import numba.core.imputils
import numba.core.pythonapi
import numba.core.typing.templates
import numba.np.arrayobj
from llvmlite import ir

core: Any = numba.core
layout: Any = numba.np.arrayobj
types: Any = core.types
_WORD = ir.IntType(64)


class TableType(types.Type):  # type: ignore[misc]
    """The type that compiled code gives a table: its fields, each with its type and its first word."""

    def __init__(self, name: str, fields: Mapping[str, tuple[Any, int]]) -> None:
        self.fields = dict(fields)
        told = ", ".join(f"{field}: {_told(kind)} at {word}" for field, (kind, word) in fields.items())
        super().__init__(name=f"{name}({told})")


def _told(kind: Any) -> str:  # noqa: ANN401
    """Describe the type of a field; a table within a table by a digest of its fields."""
    if not isinstance(kind, TableType):
        return str(kind)
    return f"{kind.name.partition('(')[0]} {sha256(kind.name.encode()).hexdigest()[:16]}"


class _Fields(core.typing.templates.AttributeTemplate):  # type: ignore[misc]
    key = TableType

    def generic_resolve(self, table: TableType, name: str) -> Any:  # noqa: ANN401 (a type of Numba's)
        return table.fields[name][0] if name in table.fields else None


def _given(table: TableType, given: Any, c: Any) -> Any:  # noqa: ANN401, ARG001
    address = c.pyapi.object_getattr_string(given, "address")
    word = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return core.pythonapi.NativeValue(c.builder.inttoptr(word, ir.IntType(8).as_pointer()))


def _word(builder: Any, table: Any, k: int) -> Any:  # noqa: ANN401
    block = builder.bitcast(table, _WORD.as_pointer())
    return builder.gep(block, [_WORD(k)])


def _read(context: Any, builder: Any, kind: TableType, table: Any, name: str) -> Any:  # noqa: ANN401
    field, first = kind.fields[name]
    if isinstance(field, TableType):
        return builder.inttoptr(builder.load(_word(builder, table, first)), ir.IntType(8).as_pointer())
    if not isinstance(field, types.Array):
        at = builder.bitcast(_word(builder, table, first), context.get_data_type(field).as_pointer())
        return context.unpack_value(builder, field, at)
    apart = field.layout == "A"
    words = []
    for k in range(1 + field.ndim * (1 + apart)):
        word = builder.load(_word(builder, table, first + k))
        word.set_metadata("invariant.load", builder.module.add_metadata([]))  # replaced in Python alone
        words.append(word)
    data, shape = words[0], words[1 : 1 + field.ndim]
    element = context.get_data_type(field.dtype)
    size = _WORD(context.get_abi_sizeof(element))
    strides = words[1 + field.ndim :] or [size]
    while len(strides) < field.ndim:
        strides.insert(0, builder.mul(strides[0], shape[-len(strides)]))
    made = context.make_array(field)(context, builder)
    where = builder.inttoptr(data, element.as_pointer())
    layout.populate_array(made, data=where, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return core.imputils.impl_ret_borrowed(context, builder, field, made._getvalue())


def _write(context: Any, builder: Any, signature: Any, given: Any, name: str) -> None:  # noqa: ANN401
    kind, number = signature.args
    field, first = kind.fields[name]
    at = builder.bitcast(_word(builder, given[0], first), context.get_data_type(field).as_pointer())
    context.pack_value(builder, field, context.cast(builder, given[1], number, field), at)


core.datamodel.register_default(TableType)(core.datamodel.models.OpaqueModel)
core.typing.templates.infer_getattr(_Fields)
core.pythonapi.unbox(TableType)(_given)
core.imputils.lower_getattr_generic(TableType)(_read)
core.imputils.lower_setattr_generic(TableType)(_write)
