"""`CompileOptions`: what a user may tell the compiler about one program. No jaxlib here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hhlo_xdsl.errors import CompileError

if TYPE_CHECKING:
    from hhlo_xdsl.runtime.client import Device

Flags = Mapping[str, bool | int | float | str]


@dataclass(frozen=True)
class CompileOptions:
    """How a program is compiled, and on how many devices each run of it computes."""

    optimization_level: int | None = None
    """0 (compiles fastest) to 3 (runs fastest); None for the compiler's own choice."""
    fast_math: bool = False
    """Whether the CPU compiler may reorder sums and replace divisions, which changes the last digits."""
    replicas: int = 1
    """How many devices run the same program on arguments of their own; collectives join them."""
    partitions: int = 1
    """Over how many devices one run is split, as the shardings in the program say."""
    devices: Sequence[Device] = ()
    """replicas * partitions devices, those of one replica together; the first ones of the session if empty."""
    donate: tuple[int, ...] = ()
    """Numbers of the arguments whose memory results may take over. A donated Array cannot be used afterwards."""
    dump: str | os.PathLike[str] | None = None
    """A folder for the compiler's intermediate programs; None writes none."""
    flags: Flags = field(default_factory=dict[str, bool | int | float | str])
    """XLA's debug flags, such as {"xla_cpu_use_onednn": False}."""

    def __post_init__(self) -> None:
        """Raise CompileError for numbers out of range."""
        if self.optimization_level not in (None, 0, 1, 2, 3):
            raise CompileError(f"optimization_level is {self.optimization_level!r}, expected None or 0 to 3")
        for name in ("replicas", "partitions"):
            count = getattr(self, name)
            if type(count) is not int or count < 1:
                raise CompileError(f"{name} is {count!r}, expected an integer of at least 1")
        for number in self.donate:
            if type(number) is not int or number < 0:
                raise CompileError(f"donate names {number!r}, expected numbers of arguments, as (0, 2)")

    def xla_flags(self) -> dict[str, bool | int | float | str]:
        """Everything that XLA takes as a debug flag."""
        found: dict[str, bool | int | float | str] = {}
        if self.optimization_level is not None:
            found["xla_backend_optimization_level"] = self.optimization_level
        if self.fast_math:
            found["xla_cpu_enable_fast_math"] = True
        if self.dump is not None:
            found |= {"xla_dump_to": os.fspath(self.dump), "xla_dump_hlo_as_text": True}
        return found | dict(self.flags)
