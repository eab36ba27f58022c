"""Products and convolutions, against numpy and jax.lax."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import hhlo_xdsl as hh
from tests.evaluate import check, check_with_jax, evaluate

RNG = np.random.default_rng(3)


def normal(*shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


MATMULS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((6, 1, 2, 3), (5, 3, 4)),
    ((1, 5, 2, 3), (6, 5, 3, 4)),
    ((6, 1, 2, 3), (1, 5, 3, 4)),
    ((1, 2, 3), (1, 3, 4)),
    ((2, 0), (0, 4)),
]


def test_matmul():
    arrays = {shapes: (normal(*shapes[0]), normal(*shapes[1])) for shapes in MATMULS}
    pairs = {str(s): (lambda a=a, b=b: hh.matmul(a, b), lambda a=a, b=b: a @ b) for s, (a, b) in arrays.items()}
    check(pairs, rtol=1e-5, atol=1e-5, dtypes=True)


def test_matmul_does_not_spread_out_what_it_shares():
    """A weight for every batch would take as much memory as there are batches."""
    text = hh.to_text(hh.trace(hh.matmul, hh.f32[8, 16, 3], hh.f32[3, 4]))
    assert "broadcast" not in text
    assert "tensor<8x16x3xf32>, tensor<3x4xf32>" in text


def test_matmul_promotes():
    found = evaluate({"@": lambda a, b: a @ b}, np.arange(6).reshape(2, 3), normal(3, dtype=np.float64))
    assert found["@"].dtype == np.float64
    found = evaluate({"@": lambda a: a @ a}, np.eye(2, dtype=np.int32) * 7)
    assert found["@"].tolist() == [[49, 0], [0, 49]]


def test_other_products():
    a, b, z = normal(2, 3, 4), normal(4, 3, 5), normal(2, 3, 4) + 1j * normal(2, 3, 4)
    pairs = {
        "tensordot 1": (lambda a, b, z: hh.tensordot(a, b, 1), lambda a, b, z: np.tensordot(a, b, 1)),
        "tensordot 0": (lambda a, b, z: hh.tensordot(a[0], b[0], 0), lambda a, b, z: np.tensordot(a[0], b[0], 0)),
        "tensordot": (
            lambda a, b, z: hh.tensordot(a, b, ((-1, 1), (0, 1))),
            lambda a, b, z: np.tensordot(a, b, ((-1, 1), (0, 1))),
        ),
        "tensordot 2": (
            lambda a, b, z: hh.tensordot(a, hh.permute_dims(a, (1, 2, 0))),
            lambda a, b, z: np.tensordot(a, a.transpose(1, 2, 0)),
        ),
        "vecdot": (lambda a, b, z: hh.vecdot(a, a[0]), lambda a, b, z: np.vecdot(a, a[0])),
        "vecdot axis": (lambda a, b, z: hh.vecdot(a, a[:1], axis=1), lambda a, b, z: np.vecdot(a, a[:1], axis=1)),
        "vecdot complex": (lambda a, b, z: hh.vecdot(z, a), lambda a, b, z: np.vecdot(z, a)),
        "outer": (lambda a, b, z: hh.outer(a[0, 0], b[0, 0]), lambda a, b, z: np.outer(a[0, 0], b[0, 0])),
        "dot_general": (
            lambda a, b, z: hh.dot_general(a, b, batching=([1], [-2]), contracting=([-1], [0])),
            lambda a, b, z: np.einsum("ijk,kjl->jil", a, b),
        ),
    }
    check(pairs, a, b, z.astype(np.complex64), rtol=1e-5, atol=1e-5)


SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "i": 3, "j": 4, "k": 2}
EINSUMS = [
    "ij,jk->ik",
    "ij,jk->ki",
    "ij,jk",
    "ba,bc",
    "i,i->",
    "i,i->i",
    "i,j->ij",
    "ij,ij->",
    "ij->ji",
    "ij->",
    "ij",
    "ji",
    "ij->j",
    "ii->i",
    "ii->",
    "ii",
    "iij->ji",
    "iii->i",
    "iijj->ij",
    "iijj",
    "abc,cd->abd",
    "abc,adc->abd",
    "abcd,abdk->abck",
    "ab,cb,db->acd",
    "ab,bc,cd,di->ai",
    "ab,ab,ab->a",
    "ab,c,c->",
    "ab,cd->bd",
    "aib,i,bja->ij",
    "iab,ii->ab",
    "a...,...->a...",
    "...i,...ij->...j",
    "...ij,jk->...ik",
    "...,...->...",
    "i...->...i",
    "...ii->...i",
    " ij , jk -> i k ",
]


def operands(formula: str) -> list[np.ndarray]:
    specs = "".join(formula.split()).partition("->")[0].split(",")
    shapes = []
    for n, spec in enumerate(specs):
        before, dots, after = spec.partition("...")
        hidden = ((2, 3), (1, 3), (3,))[n] if dots else ()
        shapes.append((*(SIZES[c] for c in before), *hidden, *(SIZES[c] for c in after)))
    return [normal(*shape) for shape in shapes]


def test_einsum():
    arrays = {formula: operands(formula) for formula in EINSUMS}
    pairs = {
        formula: (lambda f=formula, xs=xs: hh.einsum(f, *xs), lambda f=formula, xs=xs: np.einsum(f, *xs))
        for formula, xs in arrays.items()
    }
    check(pairs, rtol=1e-4, atol=1e-5, dtypes=True)


def test_einsum_multiplies_the_small_ones_first():
    """(matrix @ matrix) @ vector costs a hundred times what matrix @ (matrix @ vector) does."""
    text = hh.to_text(
        hh.trace(lambda a, b, v: hh.einsum("ij,jk,k->i", a, b, v), hh.f32[99, 99], hh.f32[99, 99], hh.f32[99])
    )
    assert text.count("dot_general") == 2
    assert "-> tensor<99x99xf32>" not in text


def test_einsum_needs_no_transpose_for_a_swapped_product():
    text = hh.to_text(hh.trace(lambda a, b: hh.einsum("ij,jk->ki", a, b), hh.f32[2, 3], hh.f32[3, 4]))
    assert "transpose" not in text


CONVS = {
    "1-D": ((2, 9, 3), (3, 3, 4), {}),
    "2-D": ((2, 8, 7, 3), (3, 2, 3, 4), {}),
    "3-D": ((1, 5, 4, 6, 2), (2, 3, 2, 2, 3), {}),
    "0-D": ((4, 3), (3, 5), {}),
    "strides": ((2, 8, 7, 3), (3, 2, 3, 4), {"strides": (2, 3)}),
    "same": ((2, 8, 7, 3), (3, 2, 3, 4), {"padding": "SAME", "strides": 2}),
    "same with dilation": ((2, 8, 7, 3), (3, 2, 3, 4), {"padding": "SAME", "strides": 3, "rhs_dilation": 2}),
    "pairs": ((2, 8, 7, 3), (3, 2, 3, 4), {"padding": [(1, 2), (0, 3)]}),
    "cut": ((2, 8, 7, 3), (3, 2, 3, 4), {"padding": [(-1, 2), (0, -2)]}),
    "lhs dilation": ((2, 5, 4, 3), (3, 2, 3, 4), {"lhs_dilation": (2, 3), "padding": [(1, 0), (2, 1)]}),
    "rhs dilation": ((2, 8, 9, 3), (3, 2, 3, 4), {"rhs_dilation": (2, 3)}),
    "feature groups": ((2, 8, 7, 6), (3, 2, 2, 9), {"feature_group_count": 3}),
    "depthwise": ((2, 8, 7, 6), (3, 2, 1, 6), {"feature_group_count": 6, "padding": "SAME"}),
    "batch groups": ((6, 8, 7, 2), (3, 2, 2, 9), {"batch_group_count": 3}),
    "NCHW": ((2, 3, 8, 7), (4, 3, 3, 2), {"dimension_numbers": ("NCHW", "OIHW", "NCHW"), "strides": (1, 2)}),
    "mixed layout": ((8, 2, 3, 7), (4, 2, 3, 3), {"dimension_numbers": ("HNCW", "OWIH", "NWCH"), "strides": (1, 2)}),
}
LAYOUTS = {2: ("NC", "IO", "NC"), 3: ("NWC", "WIO", "NWC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NDHWC", "DHWIO", "NDHWC")}


def spread(value, count):
    return (value,) * count if isinstance(value, int) else value


def lax_conv(x, kernel, options):
    n = x.ndim - 2
    names = {"window_strides": "strides", "lhs_dilation": "lhs_dilation", "rhs_dilation": "rhs_dilation"}
    settings = {theirs: spread(options.get(ours, 1), n) for theirs, ours in names.items()}
    settings |= {k: v for k, v in options.items() if k.endswith("count")}
    layout = options.get("dimension_numbers", LAYOUTS[x.ndim])
    return jax.lax.conv_general_dilated(
        x, kernel, padding=options.get("padding", "VALID"), dimension_numbers=layout, **settings
    )


def test_conv():
    cases = {name: (normal(*x), normal(*kernel), options) for name, (x, kernel, options) in CONVS.items()}
    pairs = {
        name: (lambda x=x, k=k, o=o: hh.conv(x, k, **o), lambda x=x, k=k, o=o: lax_conv(x, k, o))
        for name, (x, k, o) in cases.items()
    }
    check_with_jax(pairs, rtol=1e-4, atol=1e-4)


def test_random_convs():
    """Strides, paddings, dilations and sizes by chance."""
    pairs = {}
    for i in range(24):
        sizes, window = RNG.integers(4, 8, 2), RNG.integers(1, 4, 2)
        options = {name: tuple(map(int, RNG.integers(1, 4, 2))) for name in ("strides", "lhs_dilation", "rhs_dilation")}
        options["padding"] = [tuple(map(int, RNG.integers(-1, 7, 2))) for _ in range(2)]
        x, k = normal(2, *sizes, 2), normal(*window, 2, 3)
        pairs[f"{i}: {options}"] = (
            lambda x=x, k=k, o=options: hh.conv(x, k, **o),
            lambda x=x, k=k, o=options: lax_conv(x, k, o),
        )
    check_with_jax(pairs, rtol=1e-4, atol=1e-4)


TRANSPOSED = [
    {"strides": s, "padding": p, "rhs_dilation": d, "transpose_kernel": t}
    for s in (1, 2, (3, 1))
    for p in ("SAME", "VALID", [(1, 2), (0, 1)])
    for d in (1, 2)
    for t in (False, True)
]


def test_conv_transpose():
    x = normal(2, 5, 4, 3)
    kernels = {False: normal(3, 2, 3, 4), True: normal(3, 2, 4, 3)}

    def theirs(options):
        settings = options | {
            "strides": spread(options["strides"], 2),
            "rhs_dilation": spread(options["rhs_dilation"], 2),
        }
        return jax.lax.conv_transpose(x, kernels[options["transpose_kernel"]], **settings)

    pairs = {
        str(o): (lambda o=o: hh.conv_transpose(x, kernels[o["transpose_kernel"]], **o), lambda o=o: theirs(o))
        for o in TRANSPOSED
    }
    check_with_jax(pairs, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("message", "fn"),
    [
        (r"matmul: operands are f32\[2, 3\] and f32\[\]; a scalar is no matrix; use \*", lambda x: x @ 2.0),
        (
            r"matmul: operands are f32\[2, 3\] and f32\[2, 3\]; 3, the last size of the first, and 2, the last but one of",
            lambda x: x @ x,
        ),
        (r"matmul: operands .* and 2, the last of the second, must be equal", lambda x: x @ x[:, 0]),
        (r"matmul: shapes \[2\] and \[4\] do not broadcast", lambda x: hh.zeros((2, 1, 1)) @ hh.zeros((4, 1, 1))),
        (r"tensordot: axes is 3; 0\.\.2 was expected", lambda x: hh.tensordot(x, x, 3)),
        (r"stablehlo.dot_general: contracting dimension 1 of lhs .* has size 3", lambda x: hh.tensordot(x, x, 1)),
        (r"vecdot: shapes \[2, 3\] and \[2\] do not", lambda x: hh.vecdot(x, x[:, 0])),
        (r"outer: operands are f32\[2, 3\] and f32\[3\]; vectors were expected", lambda x: hh.outer(x, x[0])),
        (r"einsum: in 'ij,jk', it has 2 operands, 1 were given", lambda x: hh.einsum("ij,jk", x)),
        (r"einsum: in 'ij,jk', label 'j' has sizes 3 and 2; equal ones", lambda x: hh.einsum("ij,jk", x, x)),
        (r"einsum: in 'ijk', 'ijk' does not fit rank 2; a letter per dimension", lambda x: hh.einsum("ijk", x)),
        (r"einsum: in 'i', 'i' does not fit rank 2", lambda x: hh.einsum("i", x)),
        (r"einsum: in 'i1', 'i1' does not fit", lambda x: hh.einsum("i1", x)),
        (r"einsum: in 'ij->ik', label 'k' of the result is in no operand", lambda x: hh.einsum("ij->ik", x)),
        (r"einsum: in 'ij->ii', label 'i' of the result is there twice", lambda x: hh.einsum("ij->ii", x)),
        (r"einsum: label 'i' has sizes 2 and 3 in f32\[2, 3\]", lambda x: hh.einsum("ii", x)),
        (r"einsum: in '', it has 1 operands, 0 were given", lambda x: hh.einsum("")),
        (r"einsum: in '...,...', dimension -1 of \.\.\. has sizes 3 and 2", lambda x: hh.einsum("...,...", x, x[:, 0])),
        (r"conv: x is f32\[2, 3\], kernel is f32\[3\]; one rank in 2..5", lambda x: hh.conv(x, x[0])),
        (
            r"conv: dimension_numbers are \('NHC', 'IO', 'NC'\), x is f32\[2, 3\]",
            lambda x: hh.conv(x, x, dimension_numbers=("NHC", "IO", "NC")),
        ),
        (r"stablehlo.convolution: rhs tensor<2x3xf32> takes 2 features", lambda x: hh.conv(x, x)),
        (
            r"stablehlo.convolution: feature_group_count is 2; it must divide 3",
            lambda x: hh.conv(x, x, feature_group_count=2),
        ),
        (r"conv: dimension_numbers are NHWC, x is", lambda x: hh.conv(x, x, dimension_numbers="NHWC")),
        (r"conv: padding is 3; .* or 1 pairs", lambda x: hh.conv(x[None], x[None], padding=3)),
        (r"conv: padding is \[\(1,\)\]; .* or 1 pairs", lambda x: hh.conv(x[None], x[None], padding=[(1,)])),
        (r"conv: strides is \[1\]; one integer or 0 were expected", lambda x: hh.conv(x, x, strides=(1,))),
    ],
)
def test_errors(message, fn):
    with pytest.raises(hh.ShapeError, match=rf"^{message}(.|\n)*\n  at test_ops_contraction\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.f32[2, 3])
