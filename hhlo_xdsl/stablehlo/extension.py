"""Thin functions of the family extension: tokens, tuples, numbers of processes, and calls of what others define.

A token or a tuple is held by a Tensor too, but has no shape and no element type; no result of `hh.trace` may be one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import BoolAttr, FloatAttr, IntegerAttr, StringAttr, f32, f64, i32, i64
from xdsl.ir import Attribute

from hhlo_xdsl.dialects.stablehlo import extension as dialect
from hhlo_xdsl.dtypes import DType, Spec
from hhlo_xdsl.errors import VerifyError
from hhlo_xdsl.stablehlo.shared import Ints, several, types, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor
from hhlo_xdsl.trace import private_function
from hhlo_xdsl.where import with_place

Attributes = Mapping[str, Attribute | bool | int | float | str | np.generic]
"""Named attributes: of the IR; texts; numbers, which become i64 and f64, or i32 and f32 if numpy's are of 32 bits."""


def replica_id() -> Tensor:
    """Which replica runs the program, a ui32 scalar."""
    return made(dialect.ReplicaIdOp)


def partition_id() -> Tensor:
    """Which partition runs the program, a ui32 scalar."""
    return made(dialect.PartitionIdOp)


def create_token() -> Tensor:
    """A token that waits for nothing; deprecated: use after_all([])."""
    return made(dialect.CreateTokenOp)


def after_all(inputs: Sequence[ArrayLike]) -> Tensor:
    """A token that waits for all of the inputs, which are tokens."""
    return made(dialect.AfterAllOp, values(inputs))


def tuple(val: Sequence[ArrayLike]) -> Tensor:
    """The tuple of values."""
    return made(dialect.TupleOp, values(val))


def get_tuple_element(operand: ArrayLike, index: int) -> Tensor:
    """The part of a tuple at `index`."""
    return made(dialect.GetTupleElementOp, tensor(operand), index)


def custom_call(
    call_target_name: str,
    inputs: Sequence[ArrayLike],
    result_types: Sequence[Spec | DType],
    *,
    has_side_effect: bool = False,
    backend_config: str | Attributes | None = None,
    api_version: int | None = None,
    called_computations: Sequence[str] = (),
    operand_layouts: Sequence[Ints] | None = None,
    result_layouts: Sequence[Ints] | None = None,
) -> Sequence[Tensor]:
    """What the implementation's function `call_target_name` makes of the inputs; one result per type.

    backend_config : a text, or named attributes, which imply api_version 4
    """
    config = _attributes(backend_config) if isinstance(backend_config, Mapping) else backend_config
    given = call_target_name, values(inputs), types(result_types)
    settings: dict[str, Any] = {
        "has_side_effect": has_side_effect,
        "backend_config": config,
        "api_version": api_version,
        "called_computations": called_computations,
        "operand_layouts": operand_layouts,
        "result_layouts": result_layouts,
    }
    return several(lambda: dialect.CustomCallOp(*given, **settings))


def composite(
    name: str,
    inputs: Sequence[ArrayLike],
    decomposition: Callable[..., Any],
    *,
    composite_attributes: Attributes | None = None,
    version: int = 0,
) -> Sequence[Tensor]:
    """What `decomposition`, a function on tensors, makes of the inputs, under a name that an implementation may know.

    The function becomes a private one of the module and may not use tensors from outside.

    >>> hh.trace(lambda x: hh.stablehlo.composite("my.square", [x], lambda x: x * x)[0], hh.f32[3])
    """
    operands = [tensor(x) for x in inputs]
    function = private_function(decomposition, operands, f"{name}.impl")
    attributes = _attributes(composite_attributes or {})
    return several(lambda: dialect.CompositeOp(name, values(operands), function, attributes, version))


def _attributes(given: Attributes) -> dict[str, Attribute]:
    return {name: _attribute(name, value) for name, value in given.items()}


def _attribute(name: str, value: object) -> Attribute:
    match value:
        case Attribute():
            return value
        case str():
            return StringAttr(value)
        case bool() | np.bool_():
            return BoolAttr.from_bool(bool(value))
        case int() | np.integer():
            return IntegerAttr(int(value), i32 if _is_short(value) else i64)
        case float() | np.floating():
            return FloatAttr(float(value), f32 if _is_short(value) else f64)
        case _:
            raise with_place(
                VerifyError(f"attribute {name} is {value!r}; a text, a number or an attribute of the IR was expected")
            )


def _is_short(value: object) -> bool:
    return isinstance(value, np.generic) and value.nbytes == 4
