"""Contractions by labels: each dimension of an operand has a label, and equal labels run together.

`contract` is one product of two operands; `einsum` parses a formula and chooses the order of products.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hhlo_xdsl.dialects.stablehlo.contraction import DotGeneralOp
from hhlo_xdsl.dialects.stablehlo.dimension_numbers import DotNumbers
from hhlo_xdsl.errors import ShapeError
from hhlo_xdsl.ops.movement import moveaxis, permute_dims, squeeze
from hhlo_xdsl.ops.reduction import sum as reduce_sum
from hhlo_xdsl.tensor import ArrayLike, Tensor, made, promote
from hhlo_xdsl.where import with_place

Label: TypeAlias = str | int
"""A letter of a formula, or a dimension of its `...`, counted from the end: -1, -2, .."""
Labels: TypeAlias = tuple[Label, ...]


@dataclass(frozen=True)
class Term:
    """An operand and the labels of its dimensions."""

    tensor: Tensor
    labels: Labels

    @property
    def sizes(self) -> dict[Label, int]:
        """The size of each label."""
        return dict(zip(self.labels, self.tensor.shape, strict=True))


def contract(a: Term, b: Term, out: Labels) -> Tensor:
    """The products of a and b, summed over the labels that both have and `out` lacks.

    Each operand has a label at most once; labels of only one operand are in `out`, and `out` has no others.
    """
    if _product_labels(b, a, out) == out:
        a, b = b, a
    both = [label for label in a.labels if label in b.labels]
    batch, summed = [x for x in both if x in out], [x for x in both if x not in out]
    dims = [tuple(t.labels.index(x) for x in group) for group in (batch, summed) for t in (a, b)]
    product = made(DotGeneralOp, a.tensor, b.tensor, DotNumbers(*dims))
    found = _product_labels(a, b, out)
    return permute_dims(product, [found.index(label) for label in out])


def _product_labels(a: Term, b: Term, out: Collection[Label]) -> Labels:
    """How dot_general orders its result: labels of both, then those of a, then those of b."""
    batch = tuple(x for x in a.labels if x in b.labels and x in out)
    own = (tuple(x for x in t.labels if x not in other.labels) for t, other in ((a, b), (b, a)))
    return (*batch, *itertools.chain(*own))


def einsum(subscripts: str, *operands: ArrayLike) -> Tensor:
    """The sum of products that `subscripts` describes, as in numpy: `"ij,jk->ik"` is the matrix product.

    Each letter is a dimension. What is not in the result is summed over; a letter twice in one operand takes its
    diagonal; `...` is any further dimensions, which broadcast. Without `->` the result has the letters that occur once,
    in alphabetical order. Several operands are multiplied in pairs, those first whose product is small.

    Raises ShapeError for a malformed formula, and if sizes of one letter differ.

    >>> hh.trace(lambda q, k: hh.einsum("bqhd,bkhd->bhqk", q, k), hh.f32[2, 5, 4, 8], hh.f32[2, 6, 4, 8])
    """
    tensors = promote(*operands) if operands else ()
    inputs, out = _parse(subscripts, tensors)
    terms = [_diagonal(Term(t, labels)) for t, labels in zip(tensors, inputs, strict=True)]
    sizes = _common_sizes(subscripts, terms, out)
    terms = [_without_stretched(t, sizes) for t in terms]
    while len(terms) > 1:
        terms = _multiply_one_pair(terms, out)
    last = _summed(terms[0], out)
    return permute_dims(last.tensor, [last.labels.index(label) for label in out])


def _multiply_one_pair(terms: Sequence[Term], out: Labels) -> list[Term]:
    """The terms, two of them replaced by their product: those that shrink most by it, with the least work."""

    def needed_without(pair: tuple[int, int]) -> set[Label]:
        return {*out, *(x for i, t in enumerate(terms) if i not in pair for x in t.labels)}

    def growth_and_work(pair: tuple[int, int]) -> tuple[int, int]:
        a, b = terms[pair[0]], terms[pair[1]]
        needed, sizes = needed_without(pair), a.sizes | b.sizes
        product = math.prod(n for x, n in sizes.items() if x in needed)
        return product - a.tensor.size - b.tensor.size, math.prod(sizes.values())

    pair = min(itertools.combinations(range(len(terms)), 2), key=growth_and_work)
    needed = needed_without(pair)
    a, b = terms[pair[0]], terms[pair[1]]
    a, b = _summed(a, needed | set(b.labels)), _summed(b, needed | set(a.labels))
    made_labels = out if len(terms) == 2 else _product_labels(a, b, needed)
    product = Term(contract(a, b, tuple(x for x in made_labels if x in a.sizes | b.sizes)), made_labels)
    return [*(t for i, t in enumerate(terms) if i not in pair), product]


def _summed(term: Term, needed: Collection[Label]) -> Term:
    """The term without the labels that are not needed."""
    gone = [d for d, label in enumerate(term.labels) if label not in needed]
    if not gone:
        return term
    kept = tuple(label for label in term.labels if label in needed)
    return Term(reduce_sum(term.tensor, gone, dtype=term.tensor.dtype), kept)


def _diagonal(term: Term) -> Term:
    """The term with each label once: where a label repeats, only elements with equal indices stay."""
    for label, times in Counter(term.labels).items():
        for _ in range(times - 1):
            term = _diagonal_of(term, label)
    return term


def _diagonal_of(term: Term, label: Label) -> Term:
    """In rows of n * n elements, every (n+1)-th lies on the diagonal."""
    first, second = [d for d, x in enumerate(term.labels) if x == label][:2]
    n, m = term.tensor.shape[first], term.tensor.shape[second]
    if n != m:
        raise with_place(
            ShapeError(f"einsum: label {label!r} has sizes {n} and {m} in {term.tensor.spec}; equal ones were expected")
        )
    last = moveaxis(term.tensor, (first, second), (-2, -1))
    rows = last.reshape((*last.shape[:-2], n * n))
    rest = tuple(x for d, x in enumerate(term.labels) if d not in (first, second))
    return Term(rows[..., :: n + 1], (*rest, label))


def _common_sizes(subscripts: str, terms: Sequence[Term], out: Labels) -> dict[Label, int]:
    """The size of each label; dimensions of `...` broadcast, all others must agree."""
    sizes: dict[Label, int] = {}
    for t in terms:
        for label, n in t.sizes.items():
            before = sizes.setdefault(label, n)
            if before == 1 and isinstance(label, int):
                sizes[label] = n
            elif before != n and not (n == 1 and isinstance(label, int)):
                name = f"label {label!r}" if isinstance(label, str) else f"dimension {label} of ..."
                raise _malformed(subscripts, f"{name} has sizes {before} and {n}; equal ones were expected")
    return sizes


def _without_stretched(term: Term, sizes: dict[Label, int]) -> Term:
    """The term without the dimensions of size 1 that others stretch: the product broadcasts over them."""
    gone = [d for d, (label, n) in enumerate(zip(term.labels, term.tensor.shape, strict=True)) if n != sizes[label]]
    return Term(squeeze(term.tensor, gone), tuple(x for d, x in enumerate(term.labels) if d not in gone))


def _parse(subscripts: str, tensors: Sequence[Tensor]) -> tuple[list[Labels], Labels]:
    """The labels of each operand and of the result."""
    formula = "".join(subscripts.split())
    left, arrow, right = formula.partition("->")
    specs = left.split(",")
    if len(specs) != len(tensors) or not tensors:
        raise _malformed(subscripts, f"it has {len(specs)} operands, {len(tensors)} were given")
    inputs = [_labels(subscripts, spec, t.ndim) for spec, t in zip(specs, tensors, strict=True)]
    used = Counter(itertools.chain(*inputs))
    dots = sorted(x for x in used if isinstance(x, int))
    if arrow:
        out = _labels(subscripts, right, len(right.replace("...", "")) + len(dots))
    else:
        out = (*dots, *sorted(x for x, times in used.items() if isinstance(x, str) and times == 1))
    for label, times in Counter(out).items():
        if label not in used or times > 1:
            reason = "is in no operand" if label not in used else "is there twice"
            raise _malformed(subscripts, f"label {label!r} of the result {reason}")
    return inputs, out


def _labels(subscripts: str, spec: str, rank: int) -> Labels:
    """The labels of a part of the formula, for a tensor of that rank."""
    before, dots, after = spec.partition("...")
    letters = before + after
    hidden = rank - len(letters)
    if any(not c.isalpha() for c in letters) or hidden < 0 or (hidden and not dots):
        raise _malformed(subscripts, f"{spec!r} does not fit rank {rank}; a letter per dimension, or ..., was expected")
    return (*before, *range(-hidden, 0), *after)


def _malformed(subscripts: str, reason: str) -> Exception:
    return with_place(ShapeError(f"einsum: in {subscripts!r}, {reason}"))
