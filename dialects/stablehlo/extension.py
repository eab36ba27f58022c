"""Beyond tensors: tokens, tuples, process numbers. Beyond this dialect: calls of what is defined elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum
from typing import Any, ClassVar, Self, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    TupleType,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    BaseAttr,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, Pure, SymbolTable

from hhlo_xdsl.dialects.errors import DTypeError, VerifyError
from hhlo_xdsl.dialects.stablehlo import assembly
from hhlo_xdsl.dialects.stablehlo.assembly import TypeForm, Types
from hhlo_xdsl.dialects.stablehlo.base import FLAG, AbstractOp, flags, tensor_result
from hhlo_xdsl.dialects.stablehlo.checks import check_result, violated
from hhlo_xdsl.dialects.stablehlo.layouts import (
    INDEX_LISTS,
    Alias,
    OutputOperandAliasAttr,
    Tiling,
    aliases_of,
    check_aliases,
    check_buffer_target,
    check_buffers,
    check_index_lists,
    check_layouts,
    index_lists,
    is_buffer_target,
)
from hhlo_xdsl.dialects.stablehlo.processes import symbol_table_of
from hhlo_xdsl.dialects.stablehlo.types import TokenType
from hhlo_xdsl.dialects.stablehlo.values import ELEMENTS_PER_AXIS, Sort, check_value, check_values, parts
from hhlo_xdsl.dialects.types import compatible, tensor

TOKEN = TokenType()
PROCESS_ID = tensor((), IntegerType(32, Signedness.UNSIGNED))
I32 = IntegerAttr.constr(type=i32)


def _parse_nothing(parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
    return [], {}


def _parse_values(parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
    """`%a, %b, ..`, or nothing."""
    found = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    return found or [], {}


def _print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """What `_parse_values` reads."""
    if values:
        assembly.print_operands(printer, values)


def _parse_tuple(parser: Parser, count: int) -> Types:
    pos = parser.pos
    type = parser.parse_type()
    if not isinstance(type, TupleType):
        parser.raise_error("expected a tuple type such as tuple<tensor<f32>>", pos, parser.pos)
    return parts(type), [type]


TUPLE = TypeForm(_parse_tuple, assembly.RESULT.print)
"""`tuple<T, U, ..>`, the type of the result; the operands have the types of its parts."""


class AbstractProcessId(AbstractOp):
    """output : tensor<ui32>, the number of a process."""

    output = tensor_result()
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.RESULT

    def __init__(self):
        self._build((), (PROCESS_ID,))

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_nothing(parser)

    def print_arguments(self, printer: Printer) -> None:
        """There are none."""

    def verify_semantics(self) -> None:
        check_result(self.name, self.output.type, PROCESS_ID, "", "output")


@irdl_op_definition
class ReplicaIdOp(AbstractProcessId):
    """output = which replica runs the program; see AbstractProcessId.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#replica_id
    """

    name = "stablehlo.replica_id"


@irdl_op_definition
class PartitionIdOp(AbstractProcessId):
    """output = which partition runs the program; see AbstractProcessId.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#partition_id
    """

    name = "stablehlo.partition_id"


@irdl_op_definition
class CreateTokenOp(AbstractOp):
    """output = a token that waits for nothing; deprecated: after_all without operands.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#deprecated-operations
    """

    name = "stablehlo.create_token"
    output = result_def(BaseAttr(TokenType))
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.RESULT

    def __init__(self):
        self._build((), (TOKEN,))

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_nothing(parser)

    def print_arguments(self, printer: Printer) -> None:
        """There are none."""


@irdl_op_definition
class AfterAllOp(AbstractOp):
    """result = a token that waits for all of inputs.

    inputs, result : tokens

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#after_all
    """

    name = "stablehlo.after_all"
    inputs = var_operand_def(BaseAttr(TokenType))
    result = result_def(BaseAttr(TokenType))
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = assembly.SAME

    def __init__(self, inputs: Sequence[SSAValue]):
        self._build(inputs, (TOKEN,))

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_values(parser)

    def print_arguments(self, printer: Printer) -> None:
        _print_values(printer, self.operands)


@irdl_op_definition
class TupleOp(AbstractOp):
    """result = the tuple of val.

    val    : values of any type
    result : the tuple of their types       (C1)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#tuple
    """

    name = "stablehlo.tuple"
    val = var_operand_def()
    result = result_def(BaseAttr(TupleType))
    traits = traits_def(Pure())
    TYPE_FORM: ClassVar = TUPLE

    def __init__(self, val: Sequence[SSAValue]):
        self._build(val, (self.infer([v.type for v in val]),))

    @classmethod
    def infer(cls, val: Sequence[Attribute]) -> TupleType:
        """The type of the result."""
        return TupleType(cast("tuple[TypeAttribute, ...]", tuple(val)))

    def verify_semantics(self) -> None:
        inferred = self.infer([v.type for v in self.val])
        if self.result.type != inferred:
            raise violated(self.name, "C1", f"result is {self.result.type}, but val gives {inferred}", DTypeError)
        check_value(self.name, "result", self.result.type, {"tuple"})

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        return _parse_values(parser)

    def print_arguments(self, printer: Printer) -> None:
        _print_values(printer, self.operands)


@irdl_op_definition
class GetTupleElementOp(AbstractOp):
    """result = the part of operand at index.

    operand : tuple
    index   : 0 <= index < the number of parts     (C1)
    result  : the type of that part                (C2)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#get_tuple_element
    """

    name = "stablehlo.get_tuple_element"
    operand = operand_def(BaseAttr(TupleType))
    index = prop_def(I32)
    result = result_def()
    traits = traits_def(Pure())
    SPELLED: ClassVar = frozenset({"index"})

    def __init__(self, operand: SSAValue, index: int):
        self._build((operand,), (self.infer(operand.type, index),), {"index": IntegerAttr(index, i32)})

    @classmethod
    def infer(cls, operand: Attribute, index: int) -> Attribute:
        """The type of the result: that of the part."""
        types = parts(operand)
        if not 0 <= index < len(types):
            raise violated(
                cls.name, "C1", f"index is {index}, of {operand}; it must be in 0..{len(types) - 1}", VerifyError
            )
        return types[index]

    def verify_semantics(self) -> None:
        check_value(self.name, "operand", self.operand.type, {"tuple"})
        inferred = self.infer(self.operand.type, self.index.value.data)
        if not compatible(self.result.type, inferred):
            found = f"result is {self.result.type}; it must be {inferred}"
            raise violated(self.name, "C2", f"{found}, the type of the part", VerifyError)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        operand = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            index = parser.parse_integer(allow_boolean=False)
        return [operand], {"index": IntegerAttr(index, i32)}

    def print_arguments(self, printer: Printer) -> None:
        assembly.print_operands(printer, self.operands)
        printer.print_string(f"[{self.index.value.data}]")


# Calls of what is defined elsewhere

_PASSED: frozenset[Sort] = frozenset({"tensor", "unranked", "token", "buffer", "tuple", "future"})
_COMPOSED: frozenset[Sort] = frozenset({"tensor", "token", "tuple"})


class ApiVersion(IntEnum):
    """How an implementation calls a custom call's function."""

    UNSPECIFIED = 0
    ORIGINAL = 1
    STATUS_RETURNING = 2
    STATUS_RETURNING_UNIFIED = 3
    TYPED_FFI = 4


BackendConfig: TypeAlias = str | bytes | Mapping[str, Attribute]
"""What the called function is told: a string, or with TYPED_FFI named attributes."""


class CustomCallEffects(MemoryEffect):
    """A custom call does anything if it says so, and nothing otherwise."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        flag = op.properties.get("has_side_effect", op.attributes.get("has_side_effect"))
        is_set = isinstance(flag, IntegerAttr) and flag.value.data != 0
        return {EffectInstance(kind) for kind in MemoryEffectKind} if is_set else set()


@irdl_op_definition
class CustomCallOp(AbstractOp):
    """results = what the implementation's function call_target_name makes of inputs.

    inputs, results        : values of any type
    has_side_effect        : whether the call does more than give results; false if absent
    backend_config         : named attributes with api_version TYPED_FFI, a string with others
    api_version            : how the function is called; ORIGINAL if absent
    called_computations    : names of functions that it may call
    operand_layouts        : per input, an order of its dimensions, minor to major; given with result_layouts only
    result_layouts         : per result, or part of the one result that is a tuple
    output_operand_aliases : results that live in the buffers of inputs
    result_tilings         : per result, the sizes of its tiles

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#custom_call
    """

    name = "stablehlo.custom_call"
    inputs = var_operand_def()
    call_target_name = prop_def(StringAttr)
    has_side_effect = opt_prop_def(FLAG)
    backend_config = opt_prop_def(BaseAttr(StringAttr) | BaseAttr(BytesAttr) | BaseAttr(DictionaryAttr))
    api_version = opt_prop_def(I32)
    called_computations = opt_prop_def(ArrayAttr.constr(FlatSymbolRefAttrConstr))
    operand_layouts = opt_prop_def(INDEX_LISTS)
    result_layouts = opt_prop_def(INDEX_LISTS)
    output_operand_aliases = opt_prop_def(ArrayAttr.constr(BaseAttr(OutputOperandAliasAttr)))
    result_tilings = opt_prop_def(ArrayAttr.constr(INDEX_LISTS))
    results_ = var_result_def()
    traits = traits_def(CustomCallEffects())
    SPELLED: ClassVar = frozenset({"call_target_name"})

    def __init__(
        self,
        call_target_name: str,
        inputs: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        *,
        has_side_effect: bool = False,
        backend_config: BackendConfig | None = None,
        api_version: int | None = None,
        called_computations: Sequence[str] = (),
        operand_layouts: Sequence[Sequence[int]] | None = None,
        result_layouts: Sequence[Sequence[int]] | None = None,
        output_operand_aliases: Sequence[Alias] = (),
        result_tilings: Sequence[Tiling] | None = None,
    ):
        """Named attributes as `backend_config` imply api_version TYPED_FFI."""
        if api_version is None and isinstance(backend_config, Mapping):
            api_version = ApiVersion.TYPED_FFI
        tilings = None if result_tilings is None else ArrayAttr([index_lists(t) for t in result_tilings])
        given: dict[str, Attribute | None] = {
            "call_target_name": StringAttr(call_target_name),
            **flags(has_side_effect=has_side_effect),
            "backend_config": _config_attr(backend_config),
            "api_version": None if api_version is None else IntegerAttr(api_version, i32),
            "called_computations": _unless_empty([SymbolRefAttr(name) for name in called_computations]),
            "operand_layouts": None if operand_layouts is None else index_lists(operand_layouts),
            "result_layouts": None if result_layouts is None else index_lists(result_layouts),
            "output_operand_aliases": _unless_empty([OutputOperandAliasAttr(a) for a in output_operand_aliases]),
            "result_tilings": tilings,
        }
        self._build(inputs, result_types, {name: a for name, a in given.items() if a is not None})

    def verify_semantics(self) -> None:
        inputs, results = [v.type for v in self.inputs], [r.type for r in self.results]
        check_values(self.name, "inputs", inputs, _PASSED, ELEMENTS_PER_AXIS)
        check_values(self.name, "results", results, _PASSED, ELEMENTS_PER_AXIS)
        self._check_layouts(inputs, results)
        aliases = aliases_of(self.output_operand_aliases)
        check_aliases(self.name, aliases, inputs, results)
        self._check_config()
        target = self.call_target_name.data
        if is_buffer_target(target):
            check_buffer_target(self.name, target, inputs, results)
        else:
            check_buffers(self.name, aliases, inputs, results)

    def _check_layouts(self, inputs: Sequence[Attribute], results: Sequence[Attribute]) -> None:
        operand_layouts, result_layouts = self.operand_layouts, self.result_layouts
        for i, tiling in enumerate(() if self.result_tilings is None else self.result_tilings.data):
            check_index_lists(self.name, f"result_tilings[{i}]", cast("ArrayAttr[Any]", tiling))
        if operand_layouts is None and result_layouts is None:
            return
        if operand_layouts is None or result_layouts is None:
            raise violated(self.name, "", "one of operand_layouts and result_layouts is absent; give both or none")
        is_one_tuple = len(results) == 1 and isinstance(results[0], TupleType)
        check_layouts(self.name, "operand", inputs, operand_layouts)
        check_layouts(self.name, "result", parts(results[0]) if is_one_tuple else results, result_layouts)

    def _check_config(self) -> None:
        version = ApiVersion.ORIGINAL if self.api_version is None else self.api_version.value.data
        if not 0 <= version <= max(ApiVersion):
            raise violated(self.name, "", f"api_version is {version}; it must be in 0..{max(ApiVersion)}", VerifyError)
        config, is_typed = self.backend_config, version == ApiVersion.TYPED_FFI
        if config is not None and isinstance(config, DictionaryAttr) != is_typed:
            expected = "named attributes, {name = value}" if is_typed else 'a string, "..."'
            found = f"backend_config is {config}"
            raise violated(self.name, "", f"{found}; with api_version {version} it must be {expected}", VerifyError)

    @classmethod
    def parse_arguments(cls, parser: Parser) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
        target = parser.parse_symbol_name()
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        return operands, {"call_target_name": target}

    def print_arguments(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.call_target_name)
        printer.print_operands(self.operands)


def _config_attr(config: BackendConfig | None) -> Attribute | None:
    if config is None:
        return None
    if isinstance(config, bytes):
        return BytesAttr(config)
    return StringAttr(config) if isinstance(config, str) else DictionaryAttr(dict(config))


def _unless_empty(attributes: Sequence[Attribute]) -> Attribute | None:
    return ArrayAttr(attributes) if attributes else None


_COMPOSITE_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+")


@irdl_op_definition
class CompositeOp(AbstractOp):
    """results = what the function `decomposition` makes of inputs; an implementation may know `name` and do it better.

    name                 : with a namespace, "my_namespace.my_op"     (C1)
    composite_attributes : for the implementation
    decomposition        : a function of the module (C2) with the types of inputs (C3) and results (C4)
    version              : of the meaning of `name`; 0 if absent
    composite_regions    : for the implementation

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#composite
    """

    name = "stablehlo.composite"
    inputs = var_operand_def()
    composite_name = prop_def(StringAttr, prop_name="name")
    composite_attributes = opt_prop_def(BaseAttr(DictionaryAttr))
    decomposition = prop_def(FlatSymbolRefAttrConstr)
    version = opt_prop_def(I32)
    composite_regions = var_region_def()
    results_ = var_result_def()
    LOOKS_AROUND: ClassVar = True
    SPELLED: ClassVar = frozenset({"name"})

    def __init__(
        self,
        name: str,
        inputs: Sequence[SSAValue],
        decomposition: FuncOp,
        composite_attributes: Mapping[str, Attribute] = {},
        version: int = 0,
    ):
        """`decomposition` must stand in the module that the op gets into."""
        properties: dict[str, Attribute] = {"name": StringAttr(name)}
        if composite_attributes:
            properties["composite_attributes"] = DictionaryAttr(dict(composite_attributes))
        properties["decomposition"] = SymbolRefAttr(decomposition.sym_name.data)
        if version:
            properties["version"] = IntegerAttr(version, i32)
        self._build(inputs, decomposition.function_type.outputs.data, properties)

    def verify_semantics(self) -> None:
        inputs, results = [v.type for v in self.inputs], [r.type for r in self.results]
        check_values(self.name, "inputs", inputs, _COMPOSED, ELEMENTS_PER_AXIS)
        check_values(self.name, "results", results, _COMPOSED, ELEMENTS_PER_AXIS)
        name = self.composite_name.data
        if _COMPOSITE_NAME.fullmatch(name) is None:
            raise violated(self.name, "C1", f'name is "{name}"; give it a namespace: "my_namespace.my_op"', VerifyError)
        self._check_decomposition(inputs, results)

    def _check_decomposition(self, inputs: Sequence[Attribute], results: Sequence[Attribute]) -> None:
        """Raise VerifyError unless the function fits; outside of a module there is nothing to look at."""
        module = symbol_table_of(self)
        if module is None:
            return
        found = SymbolTable.lookup_symbol(module, self.decomposition)
        if not isinstance(found, FuncOp):
            raise violated(
                self.name, "C2", f"decomposition is {self.decomposition}; the module has no such function", VerifyError
            )
        type = found.function_type
        for label, what, own, theirs in (
            ("C3", "inputs have", inputs, type.inputs.data),
            ("C4", "results have", results, type.outputs.data),
        ):
            if own != list(theirs):
                message = f"{what} types ({_listed(own)}), and {self.decomposition} ({_listed(theirs)})"
                raise violated(self.name, label, f"{message}; they must be the same", DTypeError)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = StringAttr(parser.parse_str_literal())
        unresolved, _ = _parse_values(parser)
        regions: Sequence[Region] = parser.parse_region_list()
        attributes = parser.parse_optional_attr_dict()
        declared = cls.get_irdl_definition().properties
        properties = {"name": name} | {k: attributes.pop(k) for k in list(attributes) if k in declared}
        parser.parse_punctuation(":")
        pos = parser.pos
        operand_types, result_types = cls.TYPE_FORM.parse(parser, len(unresolved))
        operands = assembly.resolve(parser, unresolved, operand_types, pos)
        return cls.create(
            operands=operands,
            result_types=result_types,
            properties=properties,
            attributes=attributes,
            regions=regions,
        )

    def print_arguments(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.composite_name.data)
        _print_values(printer, self.operands)
        printer.print_regions(self.regions)


def _listed(types: Sequence[Attribute]) -> str:
    return ", ".join(map(str, types))
