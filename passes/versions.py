"""What each version of StableHLO can say: the version in which ops, attributes, values and element types appeared.

Source: the version log of VHLO, https://github.com/openxla/stablehlo/blob/main/stablehlo/dialect/VhloDialect.td
Everything that is not named here is as old as 1.0. CHLO has no versions of its own: what a version has of it is what
the first jaxlib has that bundles the version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import ComplexType, DictionaryAttr, TensorType
from xdsl.ir import Attribute, Operation

from hhlo_xdsl.dialects.errors import SyntaxVersionError
from hhlo_xdsl.dialects.stablehlo.types import FutureType
from hhlo_xdsl.dialects.types import RankedTensor

VERSIONS = tuple(f"1.{minor}" for minor in range(23))
"""The versions that can be written for; the last is that of the newest jaxlib supported."""

Minor: TypeAlias = int
"""The n of version 1.n."""

OPS: dict[str, Minor] = {
    "stablehlo.tan": 4,
    "stablehlo.async_done": 15,
    "stablehlo.async_start": 15,
    "stablehlo.collective_reduce": 19,
    "chlo.mulhi": 17,
}
"""Op -> the version that introduced it."""

ATTRIBUTES: dict[tuple[str, str], Minor] = {
    ("stablehlo.dot_general", "algorithm"): 6,
    ("stablehlo.exponential", "result_accuracy"): 9,
    **{
        (f"stablehlo.{name}", "result_accuracy"): 10
        for name in (
            "cbrt",
            "cosine",
            "exponential_minus_one",
            "log",
            "log_plus_one",
            "logistic",
            "rsqrt",
            "sine",
            "sqrt",
            "tan",
            "tanh",
        )
    },
    ("stablehlo.recv", "source_target_pairs"): 12,
    ("stablehlo.send", "source_target_pairs"): 12,
    ("stablehlo.custom_call", "result_tilings"): 18,
    ("stablehlo.collective_broadcast", "has_dynamic_root"): 20,
    ("chlo.scan", "scan_dim_size"): 17,
    ("chlo.top_k", "is_stable"): 18,
}
"""Op and attribute -> the version that introduced the attribute."""

ELEMENTS: dict[str, Minor] = {
    "i2": 2,
    "ui2": 2,
    "tf32": 6,
    "f8E3M4": 7,
    "f8E4M3": 7,
    "f4E2M1FN": 8,
    "f6E2M3FN": 8,
    "f6E3M2FN": 8,
    "f8E8M0FNU": 8,
}
"""Element type -> the version that introduced it."""


def _attribute(op: Operation, name: str) -> Attribute | None:
    return op.properties.get(name, op.attributes.get(name))


def _has_batching_dimensions(op: Operation) -> bool:
    names = "dimension_numbers", "scatter_dimension_numbers"
    return any("batching_dims" in str(a) for a in map(lambda n: _attribute(op, n), names) if a is not None)


def _has_several_operands(op: Operation) -> bool:
    return len(op.operands) > 1


def _has_mesh_groups(op: Operation) -> bool:
    groups = _attribute(op, "replica_groups")
    return groups is not None and groups.name == "stablehlo.replica_group_mesh_axes"


def _reads_or_gives_futures(op: Operation) -> bool:
    return any(isinstance(v.type, FutureType) for v in (*op.operands, *op.results))


_COLLECTIVES = ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "reduce_scatter")

FORMS: dict[str, list[tuple[Minor, str, Callable[[Operation], bool]]]] = {
    **{
        f"stablehlo.{name}": [(1, "batching dimensions", _has_batching_dimensions)]
        for name in ("gather", "dynamic_gather", "scatter")
    },
    "stablehlo.custom_call": [
        (3, "a dictionary as backend_config", lambda op: isinstance(_attribute(op, "backend_config"), DictionaryAttr)),
        (17, "futures", _reads_or_gives_futures),
    ],
    "stablehlo.composite": [(14, "regions", lambda op: bool(op.regions))],
    **{f"stablehlo.{name}": [(16, "replica groups of a mesh", _has_mesh_groups)] for name in _COLLECTIVES},
}
"""Op -> version, what appeared in it, and whether an op uses it."""
for _name in ("all_gather", "all_reduce", "all_to_all"):
    FORMS[f"stablehlo.{_name}"].append((5, "several operands", _has_several_operands))


def check_version(op: Operation, version: str) -> None:
    """Raise SyntaxVersionError, naming both, if `op` uses what is newer than `version`, or the version is unknown."""
    if version not in VERSIONS:
        raise SyntaxVersionError(
            f'StableHLO version "{version}" is not known; known are {VERSIONS[0]} to {VERSIONS[-1]}'
        )
    minor = int(version.partition(".")[2])
    for since, what in _uses(op):
        if since > minor:
            raise SyntaxVersionError(
                f"{op.name}: {what} appeared in StableHLO 1.{since}; the target is {version}; write for a newer"
                " version, or without it"
            )


def _uses(op: Operation) -> Iterator[tuple[Minor, str]]:
    """What of `op` is younger than 1.0, with the version it appeared in."""
    name = op.name
    if name in OPS:
        yield OPS[name], "the op"
    for attribute in (*op.properties, *op.attributes):
        if (name, attribute) in ATTRIBUTES:
            yield ATTRIBUTES[name, attribute], f"its attribute {attribute}"
    for since, what, is_used in FORMS.get(name, ()):
        if is_used(op):
            yield since, f"its form with {what}"
    for result in op.results:
        if (since := _element_since(result.type)) is not None:
            yield since, f"its element type in {result.type}"


@lru_cache(maxsize=4096)
def _element_since(type: Attribute) -> Minor | None:
    if not isinstance(type, TensorType):
        return None
    element = cast(RankedTensor, type).element_type
    if isinstance(element, ComplexType):
        element = cast("ComplexType[Any]", element).element_type
    return ELEMENTS.get(str(element))
