"""What the passes of this project share: options of a wrong kind are told in words. No pass stands here."""

from __future__ import annotations

import dataclasses
from types import NoneType
from typing import Any, Self, get_args, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from hhlo_xdsl.dialects.errors import HhloError


@dataclasses.dataclass(frozen=True)
class HhloPass(ModulePass):
    """A pass whose options are checked with words that say how they are spelled."""

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """The pass with the options of `spec`, as `xdsl-opt` reads them; raises HhloError for wrong ones."""
        try:
            return super().from_spec(spec)
        except ValueError as error:
            raise HhloError(_complaint(cls, spec) or f"{cls.name}: {error}") from None


def _complaint(cls: type[HhloPass], spec: ArgSpec) -> str:
    """What is wrong with the first wrong option of `spec`; empty if none is."""
    defaults = {field.name: field.default for field in dataclasses.fields(cls)}
    for name, values in spec.normalize_parameter_names().parameters.items():
        if name not in defaults:
            return f"{cls.name}: there is no option {name}; its options are {', '.join(defaults)}"
        try:
            super(HhloPass, cls).from_spec(ArgSpec(cls.name, {name: values}))
        except ValueError:
            found = ",".join(str(v).lower() if isinstance(v, bool) else str(v) for v in values) or "nothing"
            expected = _expected(name, get_type_hints(cls)[name], defaults[name])
            return f"{cls.name}: {name} is {found}; {expected} was expected"
    return ""


def _expected(name: str, type: Any, default: object) -> str:
    """What an option takes, with its default or another example."""
    kinds = set(get_args(type)) - {NoneType} or {type}
    if kinds == {bool}:
        return f"true or false, as {name}=true,"
    if kinds == {int}:
        return f"an integer, as {name}={default},"
    if kinds == {str}:
        return f'text in quotes, as {name}="{default}",'
    return f"integers with commas and no blanks between, as {name}=0,2,"
