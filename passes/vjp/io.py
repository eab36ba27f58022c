"""Reverse-mode rules of ops that exchange values with the host and with other programs."""

from hhlo_xdsl.dialects.stablehlo.io import InfeedOp, OutfeedOp, RecvOp, SendOp
from hhlo_xdsl.passes.vjp.core import non_differentiable, unseen

non_differentiable("what the host feeds does not depend on the arguments", InfeedOp)
non_differentiable("its result is a token, which has no numbers", OutfeedOp, SendOp)
unseen("what it receives may depend on the arguments of another process", RecvOp)
