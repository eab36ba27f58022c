"""Thin functions of the family io: tensors from and to other programs, in an order that tokens keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hhlo_xdsl.dialects.stablehlo import io as dialect
from hhlo_xdsl.dialects.stablehlo.processes import Channel
from hhlo_xdsl.dtypes import DType, Spec
from hhlo_xdsl.stablehlo.shared import Ints, Pairs, several, types, values
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, tensor


def infeed(
    token: ArrayLike, specs: Sequence[Spec | DType], infeed_config: str = "", layout: Sequence[Ints] | None = None
) -> tuple[Tensor, ...]:
    """The next tensors that the host feeds, of types such as hh.f32[2, 3]; then a token."""
    before = tensor(token).ssa
    return several(lambda: dialect.InfeedOp(before, types(specs), infeed_config, layout))


def outfeed(inputs: Sequence[ArrayLike], token: ArrayLike, outfeed_config: str = "") -> Tensor:
    """Gives tensors to the host; a token."""
    return made(dialect.OutfeedOp, values(inputs), tensor(token), outfeed_config)


def send(
    inputs: Sequence[ArrayLike],
    token: ArrayLike,
    channel: Channel | int,
    *,
    is_host_transfer: bool = False,
    source_target_pairs: Pairs | None = None,
) -> Tensor:
    """Sends tensors to a channel; a token."""
    operands = values(inputs), tensor(token).ssa
    settings: dict[str, Any] = {"is_host_transfer": is_host_transfer, "source_target_pairs": source_target_pairs}
    return made(lambda: dialect.SendOp(*operands, channel, **settings))


def recv(
    token: ArrayLike,
    specs: Sequence[Spec | DType],
    channel: Channel | int,
    *,
    is_host_transfer: bool = False,
    source_target_pairs: Pairs | None = None,
) -> tuple[Tensor, ...]:
    """Receives tensors of the given types from a channel; then a token."""
    before = tensor(token).ssa
    settings: dict[str, Any] = {"is_host_transfer": is_host_transfer, "source_target_pairs": source_target_pairs}
    return several(lambda: dialect.RecvOp(before, types(specs), channel, **settings))
