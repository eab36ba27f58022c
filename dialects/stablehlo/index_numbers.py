"""Which dimension plays which role in gather and scatter: their attributes, and the constraints that both share.

gather reads slices out of an operand, scatter puts them back, and one record describes both. Ops do not belong here.

Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#gather
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hhlo_xdsl.dialects.bounds import UNBOUNDED, bounds_of, of_unknown_sizes
from hhlo_xdsl.dialects.stablehlo.checks import check_distinct_in_range, violated
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import Dims, parse_dim, parse_dims, parse_fields
from hhlo_xdsl.dialects.stablehlo.shapes import others
from hhlo_xdsl.dialects.types import UNKNOWN, RankedTensor, bounded, compatible_sizes


@dataclass(frozen=True, slots=True)
class IndexNumbers:
    """The roles of the dimensions of an operand, of indices into it, and of the slices taken there.

    Each index vector says where a slice of the operand starts. The slices stand together in one tensor, the result of
    gather or the updates of scatter, whose dimensions are those of the slices and those of the indices, mixed.
    """

    window: Dims = ()
    """Dimensions of the slices' tensor that run within a slice, ascending; the others run over the indices."""
    collapsed: Dims = ()
    """Operand dimensions that a slice has only one position of, and that the slices' tensor leaves out."""
    operand_batching: Dims = ()
    """Operand dimensions that go along with one of the indices, likewise left out."""
    indices_batching: Dims = ()
    """Their partners, in pairs."""
    index_map: Dims = ()
    """The operand dimension that each entry of an index vector is a position in."""
    index_vector_dim: int = 0
    """The dimension of the indices that index vectors lie along; their rank if each is a single number."""

    def windowed(self, rank: int) -> Dims:
        """The operand's dimensions that run along `window`, for an operand of `rank`."""
        return others(rank, self.collapsed, self.operand_batching)

    def scattered(self, rank: int) -> Dims:
        """The dimensions of the slices' tensor that run over the indices, given its rank."""
        return others(rank, self.window)

    def slices_rank(self, indices: RankedTensor) -> int:
        """The rank of the slices' tensor."""
        rank = indices.get_num_dims()
        return len(self.window) + rank - (self.index_vector_dim < rank)

    def slices_type(self, indices: RankedTensor, sizes: Sequence[int], element: Attribute) -> RankedTensor:
        """The type of the slices' tensor, given the sizes of a slice in each dimension of the operand."""
        shape = self._arranged(indices.get_shape(), sizes)
        known = bounds_of(indices)
        bounds = None if known is None else self._arranged(known, (UNBOUNDED,) * len(sizes))
        return bounded(shape, element, of_unknown_sizes(bounds, shape))

    def _arranged(self, of_indices: Sequence[int], of_slice: Sequence[int]) -> tuple[int, ...]:
        """A number per dimension of the slices' tensor, out of one per dimension of the indices and of a slice."""
        within = iter([of_slice[d] for d in self.windowed(len(of_slice))])
        over = iter([n for d, n in enumerate(of_indices) if d != self.index_vector_dim])
        rank = len(self.window) + len(of_indices) - (self.index_vector_dim < len(of_indices))
        return tuple(next(within if d in self.window else over) for d in range(rank))


class AbstractIndexNumbersAttr(Data[IndexNumbers]):
    """An attribute with IndexNumbers, in the words of one op: fields in any order, without those empty or 0."""

    FIELDS: ClassVar[Mapping[str, str]]
    """The name in the text -> the field of IndexNumbers."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> IndexNumbers:
        values = {name: parse_dim if name == "index_vector_dim" else parse_dims for name in cls.FIELDS}
        with parser.in_angle_brackets():
            found = parse_fields(parser, values)
        return IndexNumbers(**{cls.FIELDS[name]: value for name, value in found.items()})

    def print_parameter(self, printer: Printer) -> None:
        values = ((name, getattr(self.data, field)) for name, field in self.FIELDS.items())
        spelled = (f"{name} = {v if isinstance(v, int) else list(v)}" for name, v in values if v)
        printer.print_string(f"<{', '.join(spelled)}>")


@irdl_attr_definition
class GatherNumbersAttr(AbstractIndexNumbersAttr):
    """`#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], .., index_vector_dim = 1>`"""

    name = "stablehlo.gather"
    FIELDS: ClassVar = {
        "offset_dims": "window",
        "collapsed_slice_dims": "collapsed",
        "operand_batching_dims": "operand_batching",
        "start_indices_batching_dims": "indices_batching",
        "start_index_map": "index_map",
        "index_vector_dim": "index_vector_dim",
    }


@irdl_attr_definition
class ScatterNumbersAttr(AbstractIndexNumbersAttr):
    """`#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], .., index_vector_dim = 1>`"""

    name = "stablehlo.scatter"
    FIELDS: ClassVar = {
        "update_window_dims": "window",
        "inserted_window_dims": "collapsed",
        "input_batching_dims": "operand_batching",
        "scatter_indices_batching_dims": "indices_batching",
        "scatter_dims_to_operand_dims": "index_map",
        "index_vector_dim": "index_vector_dim",
    }


@dataclass(frozen=True)
class Wording:
    """How an op calls the fields of IndexNumbers, its operands and its constraints, for messages."""

    fields: Mapping[str, str]
    """A field -> its name."""
    operand: str
    indices: str
    labels: Mapping[str, str]
    """What is constrained -> the label in the specification."""


GATHER = Wording(
    {field: name for name, field in GatherNumbersAttr.FIELDS.items()},
    "operand",
    "start_indices",
    {
        "operand rank": "C1",
        "index_vector_dim": "C2",
        "index vector": "C3",
        "window distinct": "C4",
        "window range": "C5",
        "left out distinct": "C6",
        "collapsed sorted": "C7",
        "collapsed range": "C8",
        "operand_batching sorted": "C10",
        "operand_batching range": "C11",
        "indices_batching distinct": "C13",
        "indices_batching range": "C14",
        "indices_batching apart": "C15",
        "batching pairs": "C16",
        "batching sizes": "C17",
        "index_map distinct": "C18",
        "index_map range": "C19",
    },
)
SCATTER = Wording(
    {field: name for name, field in ScatterNumbersAttr.FIELDS.items()},
    "inputs",
    "scatter_indices",
    {
        "operand rank": "C2",
        "window distinct": "C7",
        "window range": "C8",
        "left out distinct": "C9",
        "collapsed sorted": "C10",
        "collapsed range": "C11",
        "operand_batching sorted": "C12",
        "operand_batching range": "C13",
        "indices_batching distinct": "C14",
        "indices_batching range": "C15",
        "indices_batching apart": "C16",
        "batching pairs": "C17",
        "batching sizes": "C18",
        "index vector": "C19",
        "index_map distinct": "C20",
        "index_map range": "C21",
        "index_vector_dim": "C22",
    },
)


def check_numbers(op: str, words: Wording, numbers: IndexNumbers, operand: RankedTensor, indices: RankedTensor) -> None:
    """Raise ShapeError unless each dimension in `numbers` exists and has one role, and index vectors fit."""
    _check_index_vector(op, words, numbers, indices)
    _check_window(op, words, numbers, operand, indices)
    _check_left_out(op, words, numbers, operand)
    _check_batching(op, words, numbers, operand, indices)
    _check_apart(op, words.labels["index_map distinct"], words, "index_map", numbers)
    label, what = words.labels["index_map range"], words.fields["index_map"]
    check_distinct_in_range(op, (label, label), what, numbers.index_map, operand.get_num_dims(), operand)


def _check_index_vector(op: str, words: Wording, numbers: IndexNumbers, indices: RankedTensor) -> None:
    d, rank = numbers.index_vector_dim, indices.get_num_dims()
    if not 0 <= d <= rank:
        found = f"index_vector_dim is {d}, {words.indices} is {indices}"
        raise violated(
            op, words.labels["index_vector_dim"], f"{found}; it must be in 0..{rank}, where {rank} means scalars"
        )
    size = 1 if d == rank else indices.get_shape()[d]
    if not compatible_sizes(size, len(numbers.index_map)):
        found = f"{words.indices} is {indices}, so index vectors along dimension {d} have {size} entries"
        mapped = f"{words.fields['index_map']} is {list(numbers.index_map)}"
        raise violated(op, words.labels["index vector"], f"{found}, and {mapped}; it needs one for each")


def _check_window(op: str, words: Wording, numbers: IndexNumbers, operand: RankedTensor, indices: RankedTensor) -> None:
    left_out = len(numbers.collapsed) + len(numbers.operand_batching)
    if len(numbers.window) + left_out != operand.get_num_dims():
        names = ", ".join(words.fields[f] for f in ("window", "collapsed", "operand_batching"))
        counts = f"{len(numbers.window)} + {len(numbers.collapsed)} + {len(numbers.operand_batching)}"
        found = f"{names} name {counts} dimensions"
        label = words.labels["operand rank"]
        raise violated(op, label, f"{found}; together they need {operand.get_num_dims()}, one each of {operand}")
    _check_ascending(op, words.labels["window distinct"], words.fields["window"], numbers.window)
    labels = words.labels["window distinct"], words.labels["window range"]
    check_distinct_in_range(op, labels, words.fields["window"], numbers.window, numbers.slices_rank(indices))


def _check_ascending(op: str, label: str, what: str, dims: Dims) -> None:
    if sorted(dims) != list(dims):
        raise violated(op, label, f"{what} are {list(dims)}; they must ascend")


def _check_left_out(op: str, words: Wording, numbers: IndexNumbers, operand: RankedTensor) -> None:
    """The operand's dimensions that the slices' tensor leaves out."""
    _check_apart(op, words.labels["left out distinct"], words, "collapsed", numbers)
    for field in ("collapsed", "operand_batching"):
        dims, name = getattr(numbers, field), words.fields[field]
        _check_ascending(op, words.labels[f"{field} sorted"], name, dims)
        label = words.labels[f"{field} range"]
        check_distinct_in_range(op, (label, label), name, dims, operand.get_num_dims(), operand)


def _check_apart(op: str, label: str, words: Wording, field: str, numbers: IndexNumbers) -> None:
    """Raise ShapeError unless the dimensions of `field` and the operand's batching dimensions are distinct."""
    dims, batching = getattr(numbers, field), numbers.operand_batching
    if len({*dims, *batching}) != len(dims) + len(batching):
        found = f"{words.fields[field]} are {list(dims)}, {words.fields['operand_batching']} are {list(batching)}"
        raise violated(op, label, f"{found}; no dimension may stand there twice")


def _check_batching(
    op: str, words: Wording, numbers: IndexNumbers, operand: RankedTensor, indices: RankedTensor
) -> None:
    dims, name = numbers.indices_batching, words.fields["indices_batching"]
    labels = words.labels["indices_batching distinct"], words.labels["indices_batching range"]
    check_distinct_in_range(op, labels, name, dims, indices.get_num_dims(), indices)
    if numbers.index_vector_dim in dims:
        found = f"{name} are {list(dims)}, and index_vector_dim is {numbers.index_vector_dim}"
        raise violated(op, words.labels["indices_batching apart"], f"{found}; it may not be among them")
    if len(dims) != len(numbers.operand_batching):
        found = f"{words.fields['operand_batching']} are {list(numbers.operand_batching)}, {name} are {list(dims)}"
        raise violated(op, words.labels["batching pairs"], f"{found}; list equally many, in pairs")
    for i, j in zip(numbers.operand_batching, dims, strict=True):
        m, n = operand.get_shape()[i], indices.get_shape()[j]
        if not compatible_sizes(m, n):
            found = f"batching dimension {i} of {words.operand} {operand} has size {m}"
            partner = f"its partner {j} of {words.indices} {indices} has size {n}"
            raise violated(op, words.labels["batching sizes"], f"{found}, {partner}; they must be equal")


def check_slice_sizes(
    op: str, numbers: IndexNumbers, operand: RankedTensor, sizes: Sequence[int], labels: Mapping[str, str]
) -> None:
    """Raise ShapeError unless a slice fits into the operand, with one position where the result leaves it out."""
    for role, dims in (("collapsed", numbers.collapsed), ("batching", numbers.operand_batching)):
        if any(sizes[d] > 1 for d in dims):
            found = f"slice_sizes are {list(sizes)}"
            raise violated(op, labels[role], f"{found}; they may be at most 1 in the {role} dimensions {list(dims)}")
    for d, (n, size) in enumerate(zip(sizes, operand.get_shape(), strict=True)):
        if n < 0 or (size != UNKNOWN and n > size):
            found = f"slice_sizes are {list(sizes)}, operand is {operand}"
            limit = "its size" if size == UNKNOWN else size
            raise violated(op, labels["range"], f"{found}; the one of dimension {d} must be in 0..{limit}")
