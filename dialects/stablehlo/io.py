"""Ops that exchange values with the host and with other programs, in the order that tokens give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    BaseAttr,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from hhlo_xdsl.dialects.errors import VerifyError
from hhlo_xdsl.dialects.stablehlo.base import FLAG, TENSOR, AbstractGenericOp, flags
from hhlo_xdsl.dialects.stablehlo.checks import violated
from hhlo_xdsl.dialects.stablehlo.processes import (
    DEVICE_TO_DEVICE,
    DEVICE_TO_HOST,
    HOST_TO_DEVICE,
    I64_ELEMENTS,
    Channel,
    ChannelHandleAttr,
    i64_matrix,
)
from hhlo_xdsl.dialects.stablehlo.types import TokenType
from hhlo_xdsl.dialects.stablehlo.values import ELEMENTS_PER_AXIS, TENSORS, TENSORS_OR_TOKENS, check_values
from hhlo_xdsl.dialects.types import RankedTensor, is_static

TOKEN = BaseAttr(TokenType)


class AbstractInput(AbstractGenericOp):
    """An op that receives tensors.

    token   : what came before
    results : N tensors of known sizes, then a token
    """

    token = operand_def(TOKEN)
    results_ = var_result_def()
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def check_results(self, labels: tuple[str, str, str]) -> None:
        """Raise VerifyError unless the results are tensors of known sizes, and a token at the end.

        The `labels` are those of their being there, of the tensors, and of the token.
        """
        types = [r.type for r in self.results]
        if not types:
            raise violated(
                self.name, labels[0], "there are no results; the last must be a token, also if it is the only one"
            )
        *tensors, last = types
        for i, type in enumerate(tensors):
            if not isinstance(type, TensorType):
                raise violated(
                    self.name, labels[1], f"results[{i}] is {type}; all but the last must be tensors", VerifyError
                )
            if not is_static(cast(RankedTensor, type)):
                raise violated(self.name, "", f"results[{i}] is {type}; its sizes must be known")
        if not isinstance(last, TokenType):
            raise violated(self.name, labels[2], f"the last result is {last}; it must be !stablehlo.token", VerifyError)
        check_values(self.name, "results", types, TENSORS_OR_TOKENS, ELEMENTS_PER_AXIS, labels[1])


class AbstractOutput(AbstractGenericOp):
    """An op that gives tensors away.

    inputs : N tensors
    token  : what came before
    result : a token
    """

    inputs = var_operand_def(TENSOR)
    token = operand_def(TOKEN)
    result = result_def(TOKEN)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_semantics(self) -> None:
        check_values(self.name, "inputs", [v.type for v in self.inputs], TENSORS, ELEMENTS_PER_AXIS)


@irdl_op_definition
class InfeedOp(AbstractInput):
    """The next tensors that the host feeds to the program.

    infeed_config : for the implementation
    layout        : per tensor, an order of its dimensions
    results       : at least one (C1), N tensors of known sizes (C2), then a token (C3)

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#infeed
    """

    name = "stablehlo.infeed"
    # Upstream fills it in where it is absent.
    infeed_config = opt_prop_def(StringAttr)
    layout = opt_prop_def(BaseAttr(ArrayAttr))

    def __init__(
        self,
        token: SSAValue,
        types: Sequence[RankedTensor],
        infeed_config: str = "",
        layout: Sequence[Sequence[int]] | None = None,
    ):
        """Results are tensors of `types`, then a token."""
        properties: dict[str, Attribute] = {"infeed_config": StringAttr(infeed_config)}
        if layout is not None:
            properties["layout"] = ArrayAttr([ArrayAttr([IntegerAttr(d, i64) for d in dims]) for dims in layout])
        self._build((token,), (*types, TokenType()), properties)

    def verify_semantics(self) -> None:
        self.check_results(("C1", "C2", "C3"))
        if self.layout is None:
            return
        layouts = self.layout.data
        count = len(self.results) - 1
        if len(layouts) != count:
            raise violated(
                self.name, "", f"layout has {len(layouts)} entries; there are {count} tensors; give one for each"
            )
        for i, layout in enumerate(layouts):
            if not _is_int_list(layout):
                raise violated(self.name, "", f"layout[{i}] is {layout}; it must be a list of integers", VerifyError)


def _is_int_list(attribute: Attribute) -> bool:
    return isinstance(attribute, ArrayAttr) and all(
        isinstance(n, IntegerAttr) for n in cast("ArrayAttr[Attribute]", attribute).data
    )


@irdl_op_definition
class OutfeedOp(AbstractOutput):
    """Gives tensors to the host.

    inputs         : N tensors
    token, result  : tokens before and after
    outfeed_config : for the implementation

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#outfeed
    """

    name = "stablehlo.outfeed"
    # Upstream fills it in where it is absent.
    outfeed_config = opt_prop_def(StringAttr)

    def __init__(self, inputs: Sequence[SSAValue], token: SSAValue, outfeed_config: str = ""):
        self._build((*inputs, token), (TokenType(),), {"outfeed_config": StringAttr(outfeed_config)})


Pairs: TypeAlias = Sequence[tuple[int, int]]
"""(source, target) of each transfer."""


def _transfer_properties(
    channel: Channel | int, source_target_pairs: Pairs | None, is_host_transfer: bool, host_type: int
) -> dict[str, Attribute]:
    """The properties of send and recv; a number is the handle of a channel, whose type follows from the transfer."""
    if isinstance(channel, int):
        channel = Channel(channel, host_type if is_host_transfer else DEVICE_TO_DEVICE)
    found: dict[str, Attribute] = {"channel_handle": ChannelHandleAttr(channel)}
    found |= flags(is_host_transfer=is_host_transfer)
    if source_target_pairs is not None:
        found["source_target_pairs"] = i64_matrix(source_target_pairs, 2)
    return found


def _check_channel(
    op: str, channel: ChannelHandleAttr, is_host_transfer: IntegerAttr[Any] | None, host_type: int
) -> None:
    """Raise VerifyError unless the type of the channel fits: `host_type` for transfers to or from the host."""
    with_host = is_host_transfer is not None and bool(is_host_transfer.value.data)
    expected = host_type if with_host else DEVICE_TO_DEVICE
    if channel.data.type != expected:
        found = f"channel_handle has type {channel.data.type}"
        transfer = f"with is_host_transfer = {str(with_host).lower()}"
        raise violated(op, "C5", f"{found}; {transfer} it must be {expected}", VerifyError)


@irdl_op_definition
class SendOp(AbstractOutput):
    """Sends tensors to a channel: to other processes, or to the host.

    inputs              : N tensors
    token, result       : tokens before and after
    channel_handle      : of type 1, between devices, or 2, to the host           (C5)
    is_host_transfer    : whether to the host
    source_target_pairs : N x 2 (C1), no source twice (C2), no target twice (C3), ids that exist (C4)

    The reference verifier does not look at the pairs.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#send
    """

    name = "stablehlo.send"
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(FLAG)
    source_target_pairs = opt_prop_def(I64_ELEMENTS)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        token: SSAValue,
        channel: Channel | int,
        *,
        is_host_transfer: bool = False,
        source_target_pairs: Pairs | None = None,
    ):
        properties = _transfer_properties(channel, source_target_pairs, is_host_transfer, DEVICE_TO_HOST)
        self._build((*inputs, token), (TokenType(),), properties)

    def verify_semantics(self) -> None:
        super().verify_semantics()
        _check_channel(self.name, self.channel_handle, self.is_host_transfer, DEVICE_TO_HOST)


@irdl_op_definition
class RecvOp(AbstractInput):
    """Receives tensors from a channel: from other processes, or from the host.

    token               : what came before
    channel_handle      : of type 1, between devices, or 3, from the host         (C5)
    is_host_transfer    : whether from the host
    source_target_pairs : N x 2 (C1), no source twice (C2), no target twice (C3), ids that exist (C4)
    results             : N tensors of known sizes, then a token

    The reference verifier does not look at the pairs.

    Spec: https://github.com/openxla/stablehlo/blob/main/docs/spec.md#recv
    """

    name = "stablehlo.recv"
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(FLAG)
    source_target_pairs = opt_prop_def(I64_ELEMENTS)

    def __init__(
        self,
        token: SSAValue,
        types: Sequence[RankedTensor],
        channel: Channel | int,
        *,
        is_host_transfer: bool = False,
        source_target_pairs: Pairs | None = None,
    ):
        """Results are tensors of `types`, then a token."""
        properties = _transfer_properties(channel, source_target_pairs, is_host_transfer, HOST_TO_DEVICE)
        self._build((token,), (*types, TokenType()), properties)

    def verify_semantics(self) -> None:
        _check_channel(self.name, self.channel_handle, self.is_host_transfer, HOST_TO_DEVICE)
        self.check_results(("", "", ""))
