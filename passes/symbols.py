"""Looking up, naming and removing the functions of a module. No differentiation here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, ParametrizedAttribute

from hhlo_xdsl.dialects.errors import DifferentiationError


class Symbols:
    """The functions of one module by name, kept in step while functions are added and removed."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        names = (op.get_attr_or_prop("sym_name") for op in module.ops)
        self._others = {n.data for n in names if isinstance(n, StringAttr)} - self.functions.keys()
        """The names of what is not a function, such as meshes."""

    def unique(self, base: str) -> str:
        """`base`, or `base_0`, `base_1`, .. if it is taken."""
        name, i = base, 0
        while name in self.functions or name in self._others:
            name, i = f"{base}_{i}", i + 1
        return name

    def insert_after(self, anchor: func.FuncOp, function: func.FuncOp) -> None:
        """Add a function to the module, after `anchor`."""
        block = self.module.body.block
        block.insert_op_after(function, anchor)
        self.functions[function.sym_name.data] = function

    def append(self, function: func.FuncOp) -> None:
        """Add a function to the module, at its end."""
        self.module.body.block.add_op(function)
        self.functions[function.sym_name.data] = function

    def erase_unused(self, names: Iterable[str]) -> None:
        """Erase the private functions among `names` that nothing refers to any more, then those only they used."""
        uses = Counter(referenced_symbols(self.module))
        candidates = list(names)
        while candidates:
            name = candidates.pop()
            if name not in self.functions or uses[name] or not self.is_private(name):
                continue
            freed = Counter(referenced_symbols(self.functions[name]))
            uses.subtract(freed)
            candidates.extend(freed)
            self.remove(name)

    def remove(self, name: str) -> None:
        """Erase a function, which nothing may refer to."""
        function = self.functions.pop(name)
        function.detach()
        function.erase()

    def is_private(self, name: str) -> bool:
        """Whether the function can be called from within the module only."""
        visibility = self.functions[name].sym_visibility
        return visibility is not None and visibility.data == "private"


def referenced_symbols(op: Operation) -> list[str]:
    """The names of the symbols that `op` and what it contains refer to, once per reference."""
    names: list[str] = []
    known: dict[int, list[str]] = {}  # by identity: ops of one text share their attributes
    for inner in op.walk():
        for attribute in (*inner.properties.values(), *inner.attributes.values()):
            found = known.get(id(attribute))
            if found is None:
                found = known[id(attribute)] = list(_symbols_in(attribute))
            names += found
    return names


def _symbols_in(attribute: Attribute) -> Iterator[str]:
    match attribute:
        case SymbolRefAttr():
            yield attribute.root_reference.data
        case ArrayAttr():
            for element in attribute.data:
                yield from _symbols_in(element)
        case DictionaryAttr():
            for element in attribute.data.values():
                yield from _symbols_in(element)
        case ParametrizedAttribute():
            for parameter in attribute.parameters:
                yield from _symbols_in(parameter)
        case _:
            return


def body_of(function: func.FuncOp, purpose: str) -> Block:
    """The one block of a function; raises DifferentiationError for a declaration or for several blocks."""
    name = function.sym_name.data
    blocks = list(function.body.blocks)
    if not blocks:
        raise DifferentiationError(
            f"{purpose}: @{name} is only declared; a function with a body was expected; link its definition in"
        )
    if len(blocks) > 1:
        raise DifferentiationError(
            f"{purpose}: @{name} has {len(blocks)} blocks; one was expected;"
            " branches must be stablehlo.if, case or while"
        )
    return blocks[0]
