"""Writing MLIR text: xDSL's printer, which prints what ops have in common once and from then on repeats the text.

How an op is spelled stands in its class. The text is, byte by byte, the one that xDSL's printer gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import IO, NamedTuple, cast

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove

from hhlo_xdsl.passes.generic_form import generic_attributes, is_generic_form
from hhlo_xdsl.passes.signature import Signature, signature, signature_inside


def written(op: Operation, in_full: Callable[[Operation], bool] = lambda op: False, *, generic: bool = False) -> str:
    """The text of `op`: custom forms, but for the ops, in it too, that are to stand `in_full`.

    These stand in the generic form, as after `to_generic_form`. With `generic`, all ops do, as xDSL prints it.
    """
    writer = Writer(in_full, generic=generic)
    writer.print_op(op)
    return writer.text


class _Pieces(list[str]):
    """A stream that keeps what is written to it."""

    write = list[str].append


class _Form(NamedTuple):
    """The text of ops that differ only in their values. Of these, operands count first, then those defined inside."""

    text: str
    """After the names of the results, with %s for the name of each other value."""
    order: Sequence[int]
    """Which value stands where."""
    operands: Sequence[int]
    """The operands among them."""
    inside: Sequence[int]
    """Those among them that are defined inside, in the order in which they get their names."""


class Writer(Printer):
    """A printer that repeats the texts of attributes, and of ops that differ only in their values."""

    def __init__(self, in_full: Callable[[Operation], bool] = lambda op: False, *, generic: bool = False):
        self._in_full = in_full
        self._pieces = _Pieces()
        self._forms: dict[Signature, _Form | None] = {}
        self._attributes: dict[int, str] = {}
        """Texts by the identity of attributes, which live as long as what is printed."""
        self._names: dict[int, str] = {}
        """Names by the identity of values, whose own hash is slow."""
        self._named: list[tuple[int, SSAValue]] | None = None
        """Which of the pieces are names, and of what, while the form of an op is looked for."""
        super().__init__(cast("IO[str]", self._pieces), print_generic_format=generic)

    @property
    def text(self) -> str:
        """What has been printed."""
        return "".join(self._pieces)

    # Ops

    def print_op(self, op: Operation) -> None:
        if self._named is not None:
            self._print_op(op)
            return
        key, values = signature(op), op._operands  # pyright: ignore[reportPrivateUsage]
        if key is None:
            key, values = signature_inside(op)
            if key is None:
                self._print_op(op)
                return
            key = (self._indent, *key)
        ids = [id(value) for value in values]
        if len(set(ids)) < len(ids):
            key = (key, *map(ids.index, ids))
        form = self._forms.get(key)
        if form is None or not self._print_known(op, form, values, ids):
            self._forms[key] = self._print_new(op, values)

    def _print_known(self, op: Operation, form: _Form, values: Sequence[SSAValue], ids: Sequence[int]) -> bool:
        """Print an op that has a form; False, and nothing is printed, if an operand has no name so far."""
        names = self._names
        for i in form.operands:
            if ids[i] not in names:
                return False
        for i, result in enumerate(op.results):
            if i:
                self._pieces.append(", ")
            self.print_ssa_value(result)
        for i in form.inside:
            self.print_ssa_value(values[i])
            self._pieces.pop()
        self._pieces.append(form.text % tuple([names[ids[i]] for i in form.order]))
        return True

    def _print_new(self, op: Operation, values: Sequence[SSAValue]) -> _Form | None:
        """Print an op; the form of others like it, unless its text depends on more than what they share."""
        start, self._named = len(self._pieces), []
        self._print_op(op)
        results, named = self._named[: len(op.results)], self._named[len(op.results) :]
        self._named = None
        if results:
            start = results[-1][0] + 1
        pieces = [piece.replace("%", "%%") for piece in self._pieces[start:]]
        for at, _ in named:
            pieces[at - start] = "%%%s"
        numbers = {id(value): i for i, value in enumerate(values)}
        order = [numbers.get(id(value), -1) for _, value in named]
        used = sorted(set(order), key=order.index)
        count = len(op.operands)
        form = _Form("".join(pieces), order, [i for i in used if i < count], [i for i in used if i >= count])
        is_understood = -1 not in order and self._are_named_here(form, values[count:], values)
        return form if is_understood and (op.regions or "\n" not in form.text) else None

    def _are_named_here(self, form: _Form, defined: Sequence[SSAValue], values: Sequence[SSAValue]) -> bool:
        """Whether the values defined inside got their names by being printed, each its own."""
        names = [self._names[id(values[i])] for i in form.inside]
        return len(set(names)) == len(names) == sum(value in self._ssa_values for value in defined)

    def _print_op(self, op: Operation) -> None:
        if self.print_generic_format or not self._in_full(op) or is_generic_form(op):
            super().print_op(op)
            return
        self._print_results(op)
        self.print_string(f'"{op.name}"')
        is_scope = op.has_trait(IsolatedFromAbove)
        if is_scope:
            self.enter_scope()
        self.print_operands(op.operands)
        self.print_successors(op.successors)
        self.print_regions(op.regions)
        self.print_op_attributes(generic_attributes(cast(IRDLOperation, op)))
        self.print_string(" : ")
        self.print_operation_type(op)
        if is_scope:
            self.exit_scope()

    def print_ssa_value(self, value: SSAValue) -> str:
        if self._named is not None:
            self._named.append((len(self._pieces), value))
        self._names[id(value)] = name = super().print_ssa_value(value)
        return name

    # Attributes

    def print_attribute(self, attribute: Attribute) -> None:
        text = self._attributes.get(id(attribute))
        if text is not None:
            self._pieces.append(text)
            return
        start = len(self._pieces)
        super().print_attribute(attribute)
        # Locations are printed differently inside others.
        if not isinstance(attribute, LocationAttr):
            self._attributes[id(attribute)] = "".join(self._pieces[start:])

    # Text

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text:
            super().print_string(text, indent=indent)
        else:
            self._pieces.append(text)

    def _print_new_line(self, indent: int | None = None, print_message: bool = True) -> None:
        self._pieces.append("\n" + " " * (self.indent_num_spaces * (self._indent if indent is None else indent)))
