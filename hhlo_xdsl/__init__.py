"""hhlo-xdsl: StableHLO programs as xDSL IR, differentiated by a pass, run on any PJRT device.

The public names, each spelled out twice: where it is defined, for the interpreter, and as an import, for type checkers.
Nothing is imported before it is used: `dialects` and `passes` are sub-packages, so importing one of their files runs
this one.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

_NAMES = {
    "trace": "trace",
    "transforms": "grad jvp value_and_grad vjp",
    "jacobians": "hessian jacfwd jacobian jacrev",
    "custom": "custom_jvp custom_vjp stop_gradient",
    "modules": "grad_module jvp_module vjp_module",
    "jit": "jit",
    "legalize": "legalize_chlo",
    "text": "parse to_text",
    "files": "load save",
    "mesh": "Mesh shard",
    "session": "Session",
    "callbacks": "callback",
    "runtime.array": "Array wait",
    "runtime.callbacks": "register_ffi",
    "runtime.executable": "Executable MemoryStats",
    "runtime.options": "CompileOptions",
    "tensor": "Tensor",
    "dtypes": "DType Spec spec i1 bool_ i2 i4 i8 i16 i32 i64 ui2 ui4 ui8 ui16 ui32 ui64"
    " f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU"
    " f16 bf16 f32 f64 c64 c128",
    "errors": "CompileError DTypeError DifferentiationError HhloError ParseError PluginError RuntimeArgumentError"
    " ShapeError SyntaxVersionError TraceError VerifyError",
    "ops.creation": "arange asarray eye full full_like iota linspace meshgrid ones ones_like tril triu zeros"
    " zeros_like",
    "ops.unary": "abs acos acosh asin asinh astype atan atanh bitwise_invert cbrt ceil conj cos cosh digamma erf"
    " erf_inv erfc exp exp2 expm1 floor imag isfinite isinf isnan lgamma log log10 log1p log2"
    " logical_not logistic nan_to_num negative positive real reciprocal round rsqrt sigmoid sign"
    " signbit sin sinh sqrt square tan tanh trunc",
    "ops.binary": "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign"
    " divide floor_divide fmod hypot isclose logaddexp logical_and logical_or logical_xor maximum"
    " minimum multiply pow remainder subtract",
    "ops.compare": "clip equal greater greater_equal less less_equal not_equal where",
    "ops.control_flow": "associative_scan checkpoint cond fori_loop map scan switch while_loop",
    "ops.indexing": "dynamic_slice dynamic_update_slice take take_along_axis",
    "ops.ordering": "argsort searchsorted sort top_k",
    "ops.cumulative": "cumlogsumexp cummax cummin cumprod cumsum cumulative_prod cumulative_sum diff",
    "ops.linalg": "cross diagonal kron",
    "ops.movement": "broadcast_arrays broadcast_in_dim broadcast_to concat expand_dims flip matrix_transpose"
    " moveaxis pad permute_dims repeat reshape roll slice split squeeze stack swapaxes tile"
    " transpose unstack",
    "ops.contraction": "conv conv_transpose dot_general einsum matmul outer tensordot vecdot",
    "ops.reduction": "all any argmax argmin count_nonzero max mean min prod reduce_window std sum var",
}
"""Module -> the public names that are defined in it."""

_HOME = {name: f"hhlo_xdsl.{module}" for module, names in _NAMES.items() for name in names.split()}
_MODULES = {
    "chlo": "chlo",
    "distributed": "distributed",
    "fft": "ops.fft",
    "linalg": "ops.linalg",
    "nn": "nn",
    "random": "ops.random",
    "stablehlo": "stablehlo",
}
"""A public name -> the module that it is."""

__all__ = [*_HOME, *_MODULES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(f"hhlo_xdsl.{_MODULES[name]}")
    elif name == "__version__":
        from importlib.metadata import version

        value = version("hhlo-xdsl")
    else:
        raise AttributeError(f"module 'hhlo_xdsl' has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *(name for name in (*__all__, "__version__") if name not in globals())]


class _Package(ModuleType):
    """`hh.trace` and `hh.where` are functions: importing the modules of these names must not rebind them."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

if TYPE_CHECKING:
    from hhlo_xdsl import chlo as chlo
    from hhlo_xdsl import distributed as distributed
    from hhlo_xdsl import nn as nn
    from hhlo_xdsl import stablehlo as stablehlo
    from hhlo_xdsl.callbacks import callback as callback
    from hhlo_xdsl.custom import custom_jvp as custom_jvp
    from hhlo_xdsl.custom import custom_vjp as custom_vjp
    from hhlo_xdsl.custom import stop_gradient as stop_gradient
    from hhlo_xdsl.dtypes import DType as DType
    from hhlo_xdsl.dtypes import Spec as Spec
    from hhlo_xdsl.dtypes import bf16 as bf16
    from hhlo_xdsl.dtypes import bool_ as bool_
    from hhlo_xdsl.dtypes import c64 as c64
    from hhlo_xdsl.dtypes import c128 as c128
    from hhlo_xdsl.dtypes import f4E2M1FN as f4E2M1FN
    from hhlo_xdsl.dtypes import f6E2M3FN as f6E2M3FN
    from hhlo_xdsl.dtypes import f6E3M2FN as f6E3M2FN
    from hhlo_xdsl.dtypes import f8E3M4 as f8E3M4
    from hhlo_xdsl.dtypes import f8E4M3 as f8E4M3
    from hhlo_xdsl.dtypes import f8E4M3B11FNUZ as f8E4M3B11FNUZ
    from hhlo_xdsl.dtypes import f8E4M3FN as f8E4M3FN
    from hhlo_xdsl.dtypes import f8E4M3FNUZ as f8E4M3FNUZ
    from hhlo_xdsl.dtypes import f8E5M2 as f8E5M2
    from hhlo_xdsl.dtypes import f8E5M2FNUZ as f8E5M2FNUZ
    from hhlo_xdsl.dtypes import f8E8M0FNU as f8E8M0FNU
    from hhlo_xdsl.dtypes import f16 as f16
    from hhlo_xdsl.dtypes import f32 as f32
    from hhlo_xdsl.dtypes import f64 as f64
    from hhlo_xdsl.dtypes import i1 as i1
    from hhlo_xdsl.dtypes import i2 as i2
    from hhlo_xdsl.dtypes import i4 as i4
    from hhlo_xdsl.dtypes import i8 as i8
    from hhlo_xdsl.dtypes import i16 as i16
    from hhlo_xdsl.dtypes import i32 as i32
    from hhlo_xdsl.dtypes import i64 as i64
    from hhlo_xdsl.dtypes import spec as spec
    from hhlo_xdsl.dtypes import ui2 as ui2
    from hhlo_xdsl.dtypes import ui4 as ui4
    from hhlo_xdsl.dtypes import ui8 as ui8
    from hhlo_xdsl.dtypes import ui16 as ui16
    from hhlo_xdsl.dtypes import ui32 as ui32
    from hhlo_xdsl.dtypes import ui64 as ui64
    from hhlo_xdsl.errors import CompileError as CompileError
    from hhlo_xdsl.errors import DifferentiationError as DifferentiationError
    from hhlo_xdsl.errors import DTypeError as DTypeError
    from hhlo_xdsl.errors import HhloError as HhloError
    from hhlo_xdsl.errors import ParseError as ParseError
    from hhlo_xdsl.errors import PluginError as PluginError
    from hhlo_xdsl.errors import RuntimeArgumentError as RuntimeArgumentError
    from hhlo_xdsl.errors import ShapeError as ShapeError
    from hhlo_xdsl.errors import SyntaxVersionError as SyntaxVersionError
    from hhlo_xdsl.errors import TraceError as TraceError
    from hhlo_xdsl.errors import VerifyError as VerifyError
    from hhlo_xdsl.files import load as load
    from hhlo_xdsl.files import save as save
    from hhlo_xdsl.jacobians import hessian as hessian
    from hhlo_xdsl.jacobians import jacfwd as jacfwd
    from hhlo_xdsl.jacobians import jacobian as jacobian
    from hhlo_xdsl.jacobians import jacrev as jacrev
    from hhlo_xdsl.jit import jit as jit
    from hhlo_xdsl.legalize import legalize_chlo as legalize_chlo
    from hhlo_xdsl.mesh import Mesh as Mesh
    from hhlo_xdsl.mesh import shard as shard
    from hhlo_xdsl.modules import grad_module as grad_module
    from hhlo_xdsl.modules import jvp_module as jvp_module
    from hhlo_xdsl.modules import vjp_module as vjp_module
    from hhlo_xdsl.ops import fft as fft
    from hhlo_xdsl.ops import linalg as linalg
    from hhlo_xdsl.ops import random as random
    from hhlo_xdsl.ops.binary import add as add
    from hhlo_xdsl.ops.binary import atan2 as atan2
    from hhlo_xdsl.ops.binary import bitwise_and as bitwise_and
    from hhlo_xdsl.ops.binary import bitwise_left_shift as bitwise_left_shift
    from hhlo_xdsl.ops.binary import bitwise_or as bitwise_or
    from hhlo_xdsl.ops.binary import bitwise_right_shift as bitwise_right_shift
    from hhlo_xdsl.ops.binary import bitwise_xor as bitwise_xor
    from hhlo_xdsl.ops.binary import copysign as copysign
    from hhlo_xdsl.ops.binary import divide as divide
    from hhlo_xdsl.ops.binary import floor_divide as floor_divide
    from hhlo_xdsl.ops.binary import fmod as fmod
    from hhlo_xdsl.ops.binary import hypot as hypot
    from hhlo_xdsl.ops.binary import isclose as isclose
    from hhlo_xdsl.ops.binary import logaddexp as logaddexp
    from hhlo_xdsl.ops.binary import logical_and as logical_and
    from hhlo_xdsl.ops.binary import logical_or as logical_or
    from hhlo_xdsl.ops.binary import logical_xor as logical_xor
    from hhlo_xdsl.ops.binary import maximum as maximum
    from hhlo_xdsl.ops.binary import minimum as minimum
    from hhlo_xdsl.ops.binary import multiply as multiply
    from hhlo_xdsl.ops.binary import pow as pow
    from hhlo_xdsl.ops.binary import remainder as remainder
    from hhlo_xdsl.ops.binary import subtract as subtract
    from hhlo_xdsl.ops.compare import clip as clip
    from hhlo_xdsl.ops.compare import equal as equal
    from hhlo_xdsl.ops.compare import greater as greater
    from hhlo_xdsl.ops.compare import greater_equal as greater_equal
    from hhlo_xdsl.ops.compare import less as less
    from hhlo_xdsl.ops.compare import less_equal as less_equal
    from hhlo_xdsl.ops.compare import not_equal as not_equal
    from hhlo_xdsl.ops.compare import where as where
    from hhlo_xdsl.ops.contraction import conv as conv
    from hhlo_xdsl.ops.contraction import conv_transpose as conv_transpose
    from hhlo_xdsl.ops.contraction import dot_general as dot_general
    from hhlo_xdsl.ops.contraction import einsum as einsum
    from hhlo_xdsl.ops.contraction import matmul as matmul
    from hhlo_xdsl.ops.contraction import outer as outer
    from hhlo_xdsl.ops.contraction import tensordot as tensordot
    from hhlo_xdsl.ops.contraction import vecdot as vecdot
    from hhlo_xdsl.ops.control_flow import associative_scan as associative_scan
    from hhlo_xdsl.ops.control_flow import checkpoint as checkpoint
    from hhlo_xdsl.ops.control_flow import cond as cond
    from hhlo_xdsl.ops.control_flow import fori_loop as fori_loop
    from hhlo_xdsl.ops.control_flow import map as map
    from hhlo_xdsl.ops.control_flow import scan as scan
    from hhlo_xdsl.ops.control_flow import switch as switch
    from hhlo_xdsl.ops.control_flow import while_loop as while_loop
    from hhlo_xdsl.ops.creation import arange as arange
    from hhlo_xdsl.ops.creation import asarray as asarray
    from hhlo_xdsl.ops.creation import eye as eye
    from hhlo_xdsl.ops.creation import full as full
    from hhlo_xdsl.ops.creation import full_like as full_like
    from hhlo_xdsl.ops.creation import iota as iota
    from hhlo_xdsl.ops.creation import linspace as linspace
    from hhlo_xdsl.ops.creation import meshgrid as meshgrid
    from hhlo_xdsl.ops.creation import ones as ones
    from hhlo_xdsl.ops.creation import ones_like as ones_like
    from hhlo_xdsl.ops.creation import tril as tril
    from hhlo_xdsl.ops.creation import triu as triu
    from hhlo_xdsl.ops.creation import zeros as zeros
    from hhlo_xdsl.ops.creation import zeros_like as zeros_like
    from hhlo_xdsl.ops.cumulative import cumlogsumexp as cumlogsumexp
    from hhlo_xdsl.ops.cumulative import cummax as cummax
    from hhlo_xdsl.ops.cumulative import cummin as cummin
    from hhlo_xdsl.ops.cumulative import cumprod as cumprod
    from hhlo_xdsl.ops.cumulative import cumsum as cumsum
    from hhlo_xdsl.ops.cumulative import cumulative_prod as cumulative_prod
    from hhlo_xdsl.ops.cumulative import cumulative_sum as cumulative_sum
    from hhlo_xdsl.ops.cumulative import diff as diff
    from hhlo_xdsl.ops.indexing import dynamic_slice as dynamic_slice
    from hhlo_xdsl.ops.indexing import dynamic_update_slice as dynamic_update_slice
    from hhlo_xdsl.ops.indexing import take as take
    from hhlo_xdsl.ops.indexing import take_along_axis as take_along_axis
    from hhlo_xdsl.ops.linalg import cross as cross
    from hhlo_xdsl.ops.linalg import diagonal as diagonal
    from hhlo_xdsl.ops.linalg import kron as kron
    from hhlo_xdsl.ops.movement import broadcast_arrays as broadcast_arrays
    from hhlo_xdsl.ops.movement import broadcast_in_dim as broadcast_in_dim
    from hhlo_xdsl.ops.movement import broadcast_to as broadcast_to
    from hhlo_xdsl.ops.movement import concat as concat
    from hhlo_xdsl.ops.movement import expand_dims as expand_dims
    from hhlo_xdsl.ops.movement import flip as flip
    from hhlo_xdsl.ops.movement import matrix_transpose as matrix_transpose
    from hhlo_xdsl.ops.movement import moveaxis as moveaxis
    from hhlo_xdsl.ops.movement import pad as pad
    from hhlo_xdsl.ops.movement import permute_dims as permute_dims
    from hhlo_xdsl.ops.movement import repeat as repeat
    from hhlo_xdsl.ops.movement import reshape as reshape
    from hhlo_xdsl.ops.movement import roll as roll
    from hhlo_xdsl.ops.movement import slice as slice
    from hhlo_xdsl.ops.movement import split as split
    from hhlo_xdsl.ops.movement import squeeze as squeeze
    from hhlo_xdsl.ops.movement import stack as stack
    from hhlo_xdsl.ops.movement import swapaxes as swapaxes
    from hhlo_xdsl.ops.movement import tile as tile
    from hhlo_xdsl.ops.movement import transpose as transpose
    from hhlo_xdsl.ops.movement import unstack as unstack
    from hhlo_xdsl.ops.ordering import argsort as argsort
    from hhlo_xdsl.ops.ordering import searchsorted as searchsorted
    from hhlo_xdsl.ops.ordering import sort as sort
    from hhlo_xdsl.ops.ordering import top_k as top_k
    from hhlo_xdsl.ops.reduction import all as all
    from hhlo_xdsl.ops.reduction import any as any
    from hhlo_xdsl.ops.reduction import argmax as argmax
    from hhlo_xdsl.ops.reduction import argmin as argmin
    from hhlo_xdsl.ops.reduction import count_nonzero as count_nonzero
    from hhlo_xdsl.ops.reduction import max as max
    from hhlo_xdsl.ops.reduction import mean as mean
    from hhlo_xdsl.ops.reduction import min as min
    from hhlo_xdsl.ops.reduction import prod as prod
    from hhlo_xdsl.ops.reduction import reduce_window as reduce_window
    from hhlo_xdsl.ops.reduction import std as std
    from hhlo_xdsl.ops.reduction import sum as sum
    from hhlo_xdsl.ops.reduction import var as var
    from hhlo_xdsl.ops.unary import abs as abs
    from hhlo_xdsl.ops.unary import acos as acos
    from hhlo_xdsl.ops.unary import acosh as acosh
    from hhlo_xdsl.ops.unary import asin as asin
    from hhlo_xdsl.ops.unary import asinh as asinh
    from hhlo_xdsl.ops.unary import astype as astype
    from hhlo_xdsl.ops.unary import atan as atan
    from hhlo_xdsl.ops.unary import atanh as atanh
    from hhlo_xdsl.ops.unary import bitwise_invert as bitwise_invert
    from hhlo_xdsl.ops.unary import cbrt as cbrt
    from hhlo_xdsl.ops.unary import ceil as ceil
    from hhlo_xdsl.ops.unary import conj as conj
    from hhlo_xdsl.ops.unary import cos as cos
    from hhlo_xdsl.ops.unary import cosh as cosh
    from hhlo_xdsl.ops.unary import digamma as digamma
    from hhlo_xdsl.ops.unary import erf as erf
    from hhlo_xdsl.ops.unary import erf_inv as erf_inv
    from hhlo_xdsl.ops.unary import erfc as erfc
    from hhlo_xdsl.ops.unary import exp as exp
    from hhlo_xdsl.ops.unary import exp2 as exp2
    from hhlo_xdsl.ops.unary import expm1 as expm1
    from hhlo_xdsl.ops.unary import floor as floor
    from hhlo_xdsl.ops.unary import imag as imag
    from hhlo_xdsl.ops.unary import isfinite as isfinite
    from hhlo_xdsl.ops.unary import isinf as isinf
    from hhlo_xdsl.ops.unary import isnan as isnan
    from hhlo_xdsl.ops.unary import lgamma as lgamma
    from hhlo_xdsl.ops.unary import log as log
    from hhlo_xdsl.ops.unary import log1p as log1p
    from hhlo_xdsl.ops.unary import log2 as log2
    from hhlo_xdsl.ops.unary import log10 as log10
    from hhlo_xdsl.ops.unary import logical_not as logical_not
    from hhlo_xdsl.ops.unary import logistic as logistic
    from hhlo_xdsl.ops.unary import nan_to_num as nan_to_num
    from hhlo_xdsl.ops.unary import negative as negative
    from hhlo_xdsl.ops.unary import positive as positive
    from hhlo_xdsl.ops.unary import real as real
    from hhlo_xdsl.ops.unary import reciprocal as reciprocal
    from hhlo_xdsl.ops.unary import round as round
    from hhlo_xdsl.ops.unary import rsqrt as rsqrt
    from hhlo_xdsl.ops.unary import sigmoid as sigmoid
    from hhlo_xdsl.ops.unary import sign as sign
    from hhlo_xdsl.ops.unary import signbit as signbit
    from hhlo_xdsl.ops.unary import sin as sin
    from hhlo_xdsl.ops.unary import sinh as sinh
    from hhlo_xdsl.ops.unary import sqrt as sqrt
    from hhlo_xdsl.ops.unary import square as square
    from hhlo_xdsl.ops.unary import tan as tan
    from hhlo_xdsl.ops.unary import tanh as tanh
    from hhlo_xdsl.ops.unary import trunc as trunc
    from hhlo_xdsl.runtime.array import Array as Array
    from hhlo_xdsl.runtime.array import wait as wait
    from hhlo_xdsl.runtime.callbacks import register_ffi as register_ffi
    from hhlo_xdsl.runtime.executable import Executable as Executable
    from hhlo_xdsl.runtime.executable import MemoryStats as MemoryStats
    from hhlo_xdsl.runtime.options import CompileOptions as CompileOptions
    from hhlo_xdsl.session import Session as Session
    from hhlo_xdsl.tensor import Tensor as Tensor
    from hhlo_xdsl.text import parse as parse
    from hhlo_xdsl.text import to_text as to_text
    from hhlo_xdsl.trace import trace as trace
    from hhlo_xdsl.transforms import grad as grad
    from hhlo_xdsl.transforms import jvp as jvp
    from hhlo_xdsl.transforms import value_and_grad as value_and_grad
    from hhlo_xdsl.transforms import vjp as vjp

    __version__: str
