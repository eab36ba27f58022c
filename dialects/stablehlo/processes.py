"""How the processes that run a program are grouped and linked: channels, meshes, replica groups; their constraints.

Ops do not belong here.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#execution
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Data, Operation, ParametrizedAttribute
from xdsl.irdl import AnyAttr, BaseAttr, ParamAttrConstraint, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import SymbolTable

from hhlo_xdsl.dialects.elements import Elements, elements, integers
from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.types import tensor

# Text


def _parse_i64(parser: AttrParser) -> int:
    pos = parser.pos
    value = parser.parse_integer(allow_boolean=False)
    if not -(2**63) <= value < 2**63:
        parser.raise_error(f"{value} does not fit into 64 bits", pos, parser.pos)
    return value


def _parse_string(parser: AttrParser) -> str:
    return parser.parse_str_literal()


def _parse_struct(
    parser: AttrParser, fields: Mapping[str, Callable[[AttrParser], Any]], optional: Collection[str] = ()
) -> dict[str, Any]:
    """`<name = value, ..>`: the fields in any order, each once; those in `optional` may be left out."""
    found: dict[str, Any] = {}
    with parser.in_angle_brackets():
        while not found or parser.parse_optional_punctuation(",") is not None:
            pos = parser.pos
            name = parser.parse_identifier()
            if name not in fields or name in found:
                parser.raise_error(f"there is no field {name} left; expected one of {', '.join(fields)}", pos, pos + 1)
            parser.parse_punctuation("=")
            found[name] = fields[name](parser)
        missing = [name for name in fields if name not in found and name not in optional]
        if missing:
            parser.raise_error(f"expected the field {missing[0]} too")
    return found


def _print_struct(printer: Printer, **fields: Any) -> None:
    """`<name = value, ..>`"""
    with printer.in_angle_brackets():
        printer.print_list(fields.items(), lambda field: _print_field(printer, *field))


def _print_field(printer: Printer, name: str, value: Any) -> None:
    printer.print_string(f"{name} = ")
    match value:
        case str():
            printer.print_string_literal(value)
        case Attribute():
            printer.print_attribute(value)
        case _:
            printer.print_string(str(value))


# Channels

NO_DEVICES, DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE = range(4)
"""What a channel links."""


@dataclass(frozen=True, slots=True)
class Channel:
    """An identity shared by the ops that talk to each other."""

    handle: int
    """Which channel; 0 or less is none."""
    type: int = NO_DEVICES
    """What it links."""


@irdl_attr_definition
class ChannelHandleAttr(Data[Channel]):
    """`#stablehlo.channel_handle<handle = 1, type = 0>`"""

    name = "stablehlo.channel_handle"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Channel:
        return Channel(**_parse_struct(parser, {"handle": _parse_i64, "type": _parse_i64}))

    def print_parameter(self, printer: Printer) -> None:
        _print_struct(printer, handle=self.data.handle, type=self.data.type)


# Meshes


@dataclass(frozen=True, slots=True)
class MeshAxis:
    """A named axis of a mesh."""

    name: str
    size: int


@irdl_attr_definition
class MeshAxisAttr(Data[MeshAxis]):
    """`#stablehlo.mesh_axis<name = "x", size = 2>`"""

    name = "stablehlo.mesh_axis"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MeshAxis:
        return MeshAxis(**_parse_struct(parser, {"name": _parse_string, "size": _parse_i64}))

    def print_parameter(self, printer: Printer) -> None:
        _print_struct(printer, name=self.data.name, size=self.data.size)


@dataclass(frozen=True, slots=True)
class Mesh:
    """Devices in a grid with named axes."""

    axes: tuple[MeshAxis, ...]
    device_ids: Elements | None = None
    """The devices in row-major order, if they are not 0, 1, .."""


@irdl_attr_definition
class MeshAttr(Data[Mesh]):
    """`#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>`; device_ids if any."""

    name = "stablehlo.mesh"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Mesh:
        with parser.in_angle_brackets():
            parser.parse_keyword("axes")
            parser.parse_punctuation("=")
            axes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: cls._parse_axis(parser))
            if not axes:
                parser.raise_error("a mesh has one axis at least; write <name = .., size = ..> between the brackets")
            if parser.parse_optional_punctuation(",") is None:
                return Mesh(tuple(axes))
            parser.parse_keyword("device_ids")
            parser.parse_punctuation("=")
            return Mesh(tuple(axes), cls._parse_device_ids(parser))

    @staticmethod
    def _parse_axis(parser: AttrParser) -> MeshAxis:
        pos = parser.pos
        axis = parser.parse_optional_attribute()
        if axis is None:
            return MeshAxisAttr.parse_parameter(parser)
        if not isinstance(axis, MeshAxisAttr):
            parser.raise_error('expected an axis such as <name = "x", size = 2>', pos, parser.pos)
        return axis.data

    @staticmethod
    def _parse_device_ids(parser: AttrParser) -> Elements:
        pos = parser.pos
        ids = parser.parse_attribute()
        if not isinstance(ids, DenseIntOrFPElementsAttr) or not isinstance(ids.get_element_type(), IntegerType):
            parser.raise_error("expected ids of devices, such as dense<[1, 0]> : tensor<2xi64>", pos, parser.pos)
        return cast(Elements, ids)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("axes=[")
            printer.print_list(self.data.axes, lambda axis: MeshAxisAttr(axis).print_parameter(printer))
            printer.print_string("]")
            if self.data.device_ids is not None:
                printer.print_string(", device_ids=")
                printer.print_attribute(self.data.device_ids)


@dataclass(frozen=True, slots=True)
class AxisRef:
    """An axis of a mesh, or the part of it with `size` devices; the parts before it have `pre_size` together."""

    name: str
    part: tuple[int, int] | None = None
    """pre_size and size."""


@irdl_attr_definition
class AxisRefAttr(Data[AxisRef]):
    """`#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>`; sub_axis_info for a part of an axis."""

    name = "stablehlo.axis_ref"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AxisRef:
        found = _parse_struct(parser, {"name": _parse_string, "sub_axis_info": cls._parse_part}, ("sub_axis_info",))
        return AxisRef(found["name"], found.get("sub_axis_info"))

    @staticmethod
    def _parse_part(parser: AttrParser) -> tuple[int, int]:
        """`(1)2`"""
        with parser.in_parens():
            pre_size = _parse_i64(parser)
        return pre_size, _parse_i64(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            _print_field(printer, "name", self.data.name)
            if self.data.part is not None:
                printer.print_string(", sub_axis_info = ({}){}".format(*self.data.part))


@irdl_attr_definition
class ReplicaGroupMeshAxesAttr(ParametrizedAttribute):
    """Groups of devices that differ along some axes of a mesh only.

    `#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>`
    """

    name = "stablehlo.replica_group_mesh_axes"
    mesh: Attribute
    """A mesh, or the name of an op that defines one."""
    axes: ArrayAttr[Attribute]

    def verify(self) -> None:
        _check_axes(self.mesh, self.axes.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        pos = parser.pos
        found = _parse_struct(parser, {"mesh": AttrParser.parse_attribute, "axes": AttrParser.parse_attribute})
        mesh, axes = found["mesh"], found["axes"]
        if not isinstance(axes, ArrayAttr):
            parser.raise_error("expected axes such as [#stablehlo.axis_ref<..>]", pos, parser.pos)
        try:
            _check_axes(mesh, cast("ArrayAttr[Attribute]", axes).data)
        except VerifyError as error:
            parser.raise_error(str(error), pos, parser.pos)
        return [mesh, cast("ArrayAttr[Attribute]", axes)]

    def print_parameters(self, printer: Printer) -> None:
        _print_struct(printer, mesh=self.mesh, axes=self.axes)

    def group_size(self) -> int | None:
        """How many devices a group has; None if the mesh is defined elsewhere."""
        if not isinstance(self.mesh, MeshAttr):
            return None
        sizes = {axis.name: axis.size for axis in self.mesh.data.axes}
        refs = [cast(AxisRefAttr, axis).data for axis in self.axes.data]
        return prod(sizes[ref.name] if ref.part is None else ref.part[1] for ref in refs)


def _check_axes(mesh: Attribute, axes: Sequence[Attribute]) -> None:
    """Raise VerifyError unless `mesh` is a mesh or the name of one, and has the axes if it is known here."""
    if isinstance(mesh, SymbolRefAttr) and not mesh.nested_references.data:
        return
    if not isinstance(mesh, MeshAttr):
        raise VerifyError(f"mesh is {mesh}; it must be #stablehlo.mesh<..> or a name such as @mesh")
    known = [axis.name for axis in mesh.data.axes]
    for axis in axes:
        if not isinstance(axis, AxisRefAttr):
            raise VerifyError(f'axes holds {axis}; it must hold axes such as #stablehlo.axis_ref<name = "{known[0]}">')
        if axis.data.name not in known:
            raise VerifyError(f"axes names {axis.data.name}; the mesh has {', '.join(known)}")


# Groups

I64_ELEMENTS = ParamAttrConstraint(
    DenseIntOrFPElementsAttr, (TensorType.constr(i64) | VectorType.constr(i64), AnyAttr())
)
"""`dense<...> : tensor<..xi64>`"""
REPLICA_GROUPS = I64_ELEMENTS | BaseAttr(ReplicaGroupMeshAxesAttr)

Groups: TypeAlias = Sequence[Sequence[int]] | Elements | ReplicaGroupMeshAxesAttr
"""Which processes work together: lists of their ids, which may differ in length, or an attribute that is ready."""

NOBODY = -1
"""Fills up groups that are shorter than others."""


def i64_matrix(rows: Sequence[Sequence[int]], columns: int | None = None) -> Elements:
    """`dense<[[..], ..]> : tensor<RxCxi64>`; rows are filled up with -1."""
    width = max((len(row) for row in rows), default=0) if columns is None else columns
    flat = [n for row in rows for n in (*row, *(NOBODY,) * (width - len(row)))]
    return elements(tensor((len(rows), width), i64), flat)


def groups_attr(groups: Groups) -> Elements | ReplicaGroupMeshAxesAttr:
    """The attribute for `groups`."""
    return groups if isinstance(groups, Attribute) else i64_matrix(groups)


def group_size(groups: Attribute) -> int | None:
    """How many processes a group has; None if that cannot be told, as for no groups, which stand for all processes."""
    if isinstance(groups, ReplicaGroupMeshAxesAttr):
        return groups.group_size()
    shape = cast(Elements, groups).get_shape()
    return shape[1] if len(shape) == 2 and shape[0] else None


def channel_property(channel: Channel | int | None) -> dict[str, Attribute]:
    """The property for a channel, if there is one; a number is its handle."""
    if channel is None:
        return {}
    return {"channel_handle": ChannelHandleAttr(Channel(channel) if isinstance(channel, int) else channel)}


def process_properties(groups: Groups, channel: Channel | int | None = None, **flags: bool) -> dict[str, Attribute]:
    """The properties of an op that groups run together; those flags that are false are left out."""
    found: dict[str, Attribute] = {"replica_groups": groups_attr(groups), **channel_property(channel)}
    return found | {name: UnitAttr() for name, value in flags.items() if value}


@dataclass(frozen=True, slots=True)
class GroupLabels:
    """The constraints of an op on its groups, by their labels in the specification."""

    rank: str
    distinct: str
    in_range: str
    not_empty: str = ""
    """With global device ids."""
    channel: str = ""
    """Global device ids need one."""


def check_groups(op: str, labels: GroupLabels, groups: Attribute, *, uniform: bool, not_empty: bool = False) -> None:
    """Raise ShapeError unless `groups` hold each of 0..n-1 once; -1 fills up groups that need not be `uniform`."""
    if isinstance(groups, ReplicaGroupMeshAxesAttr):
        return
    if uniform and NOBODY in integers(cast(Elements, groups)):
        found = f"replica_groups are {groups}"
        raise violated(op, labels.in_range, f"{found}; they must be equally large, so -1 has no place in them")
    shape, ids = check_group_ids(op, labels, groups, ignored=(NOBODY,))
    if not_empty and not prod(shape):
        found = f"replica_groups are {groups}"
        raise violated(op, labels.not_empty, f"{found}; with use_global_device_ids they must not be empty")
    if ids and not 0 <= min(ids) <= max(ids) < len(ids):
        found = f"replica_groups are {groups}"
        raise violated(op, labels.in_range, f"{found}; they must hold each of 0..{len(ids) - 1} once")


def check_group_ids(
    op: str, labels: GroupLabels, groups: Attribute, ignored: Collection[int] = ()
) -> tuple[tuple[int, ...], list[int]]:
    """The shape of groups that are lists, and the ids in it but for those `ignored`.

    Raise ShapeError unless they are lists of ids, and no id occurs twice.
    """
    lists = cast(Elements, groups)
    shape = lists.get_shape()
    if len(shape) != 2:
        raise violated(
            op, labels.rank, f"replica_groups are {groups}; they must be a tensor of rank 2: one row per group"
        )
    ids = [n for n in integers(lists) if n not in ignored]
    seen: set[int] = set()
    for n in ids:
        if n in seen:
            raise violated(op, labels.distinct, f"replica_groups are {groups}; id {n} stands there twice")
        seen.add(n)
    return shape, ids


def check_channel(op: str, label: str, channel: ChannelHandleAttr | None, least: int = 1) -> None:
    """Raise ShapeError unless an op with global device ids has a channel; none counts as number 0."""
    handle = 0 if channel is None else channel.data.handle
    if handle < least:
        found = "there is no channel_handle" if channel is None else f"the channel's handle is {handle}"
        raise violated(op, label, f"{found}; with use_global_device_ids it must be at least {least}")


def check_mesh_is_defined(op: Operation, groups: Attribute) -> None:
    """Raise VerifyError if `groups` name a mesh that the module of `op`, if it is in one, does not define."""
    if not isinstance(groups, ReplicaGroupMeshAxesAttr) or not isinstance(groups.mesh, SymbolRefAttr):
        return
    module = symbol_table_of(op)
    if module is not None and SymbolTable.lookup_symbol(module, groups.mesh) is None:
        found = f"replica_groups name the mesh {groups.mesh}"
        raise violated(op.name, "", f"{found}, which is not defined; define it beside the functions", VerifyError)


def symbol_table_of(op: Operation) -> Operation | None:
    """The nearest op around `op` in which names are defined: its module; None if it is in none."""
    around: Operation | None = op
    while around is not None and not around.has_trait(SymbolTable):
        around = around.parent_op()
    return around
