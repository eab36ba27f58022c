"""Speed of text, of gradients and of dispatch, beside peers in the same run. Figures are the best of several tries."""

import io
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, stablehlo
from xdsl.parser import Parser
from xdsl.printer import Printer

import hhlo_xdsl as hh
from hhlo_xdsl.passes.verify import verify
from hhlo_xdsl.reader import read
from hhlo_xdsl.text import context, parse, to_text

LAYERS, WIDTH, TOKENS = 30, 16, 8


def block(p: dict[str, Any], x: Any) -> Any:
    q, k, v = (x @ p[name] for name in ("q", "k", "v"))
    x = x + jax.nn.softmax(q @ k.T / WIDTH**0.5) @ v @ p["o"]
    return x + jax.nn.gelu(x @ p["up"]) @ p["down"]


def loss(layers: list[dict[str, Any]], x: Any) -> Any:
    for p in layers:
        x = block(p, x)
    return jnp.sum(x * x)


def best(fn: Callable[[], object], tries: int = 5) -> float:
    """Seconds of the fastest of several calls."""
    times: list[float] = []
    for _ in range(tries):
        start = time.perf_counter()
        fn()
        times.append(time.perf_counter() - start)
    return min(times)


def cpp_context() -> ir.Context:
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made = ir.Context()
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    for dialect in (stablehlo, chlo):
        dialect.register_dialect(made)
    return made


def rate(what: str, ops: int, target: int, **seconds: float) -> None:
    ours = ops / seconds.pop("ours")
    peers = ", ".join(f"{name} {ops / s:,.0f}" for name, s in seconds.items())
    print(f"{what:24} {ours:12,.0f} ops/s   target {target:8,}  {'OK' if ours >= target else 'missed':6} ({peers})")


def ratio(what: str, ours: float, theirs: float) -> None:
    print(f"{what:24} {ours * 1e6:12,.1f} us      JAX {theirs * 1e6:12,.1f} us  ratio {ours / theirs:.2f}")


def text_rates(text: str) -> None:
    module = parse(text)
    ops, cpp = len(list(module.walk())), cpp_context()
    printed = ir.Module.parse(text, cpp)
    print(f"a transformer of {ops} ops, {len(text)} characters")
    rate(
        "reading",
        ops,
        15_000,
        ours=best(lambda: read(context(), text, "bench")),
        xdsl=best(lambda: Parser(context(), text).parse_module(), 2),
        cpp=best(lambda: ir.Module.parse(text, cpp)),
    )
    rate("verifying", ops, 40_000, ours=best(lambda: verify(module)), xdsl=best(module.verify))
    rate(
        "writing for PJRT",
        ops,
        100_000,
        ours=best(lambda: to_text(module, syntax="pjrt-1.16")),
        xdsl=best(lambda: Printer(io.StringIO()).print_op(module), 2),
        cpp=best(lambda: str(printed)),
    )


def gradient(text: str, layers: list[dict[str, Any]], x: Any) -> None:
    both = jax.value_and_grad(loss)

    def theirs() -> str:
        jax.clear_caches()
        return jax.jit(both).lower(layers, x).as_text()

    ratio(
        "read + grad + print",
        best(lambda: to_text(hh.grad_module(parse(text), value=True), syntax="pjrt-1.16"), 3),
        best(theirs, 3),
    )


def dispatch() -> None:
    ours, theirs = hh.jit(lambda x: x + x), jax.jit(lambda x: x + x)
    with hh.Session("cpu") as session:
        executable = session.compile(hh.trace(lambda x: x + x, hh.f32[4]))
        a, b = session.put(np.ones(4, np.float32)), jnp.ones(4)
        calls = 2000
        for fn in (ours, theirs):
            fn(np.ones(4, np.float32))
        ratio(
            "call, array in and out",
            best(lambda: [executable(a) for _ in range(calls)]) / calls,
            best(lambda: [theirs(b) for _ in range(calls)]) / calls,
        )


def main() -> None:
    names = ("q", "k", "v", "o", "up", "down")
    layers = [{name: jnp.ones((WIDTH, WIDTH)) for name in names} for _ in range(LAYERS)]
    x = jnp.ones((TOKENS, WIDTH))
    text = jax.jit(loss).lower(layers, x).as_text()
    text_rates(text)
    gradient(text, layers, x)
    dispatch()


if __name__ == "__main__":
    main()
