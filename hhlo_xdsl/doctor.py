"""`hhlo doctor`: what is installed, which devices there are, and what is wrong, in words."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from hhlo_xdsl.dtypes import f32
from hhlo_xdsl.errors import HhloError
from hhlo_xdsl.runtime.bytecode import stablehlo_version
from hhlo_xdsl.runtime.client import find_plugins
from hhlo_xdsl.session import Session

_PACKAGES = ("hhlo-xdsl", "xdsl", "jaxlib", "numpy", "ml_dtypes", "optree")
_OLDEST, _NEWEST = (0, 10), (0, 12)
"""The versions of jaxlib that are tested."""


def report() -> tuple[list[str], bool]:
    """Lines about this installation, and whether programs run on the CPU."""
    lines = [f"python {platform.python_version()} on {platform.platform()}"]
    for package in _PACKAGES:
        try:
            lines.append(f"{package} {version(package)}{_remark(package, version(package))}")
        except PackageNotFoundError:
            lines.append(f"{package} is not installed; reinstall hhlo-xdsl with pip")
    try:
        lines.append(f"StableHLO {stablehlo_version()}, in jaxlib")
    except ImportError as error:
        lines.append(f"StableHLO is not to be had: jaxlib does not import ({error}); reinstall jaxlib")
    cpu, healthy = _cpu()
    lines.append(cpu)
    lines += [_plugin(name, path) for name, path in find_plugins().items()]
    if "jax" in sys.modules:
        lines.append("jax is loaded in this process; hhlo-xdsl does not need it")
    return lines, healthy


def _remark(package: str, found: str) -> str:
    if package != "jaxlib":
        return ""
    numbers = tuple(int(n) for n in found.split(".")[:2])
    if _OLDEST <= numbers <= _NEWEST:
        return ""
    return f" (untested; 0.{_OLDEST[1]} to 0.{_NEWEST[1]} are tested)"


def _cpu() -> tuple[str, bool]:
    """A line about the built-in platform, which is tried."""
    text = (
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {"
        " %0 = stablehlo.add %a, %a : tensor<2xf32> return %0 : tensor<2xf32> }"
    )
    try:
        with Session("cpu") as session:
            (out,) = session.compile(text)(np.ones(2, f32.numpy))
            works = out.numpy().tolist() == [2.0, 2.0]
            devices = ", ".join(map(repr, session.devices))
    except HhloError as error:
        return f"cpu: programs do not run: {error}", False
    return f"cpu: {devices}, programs run" if works else "cpu: 1 + 1 is not 2 here; reinstall jaxlib", works


def _plugin(name: str, path: Path) -> str:
    """A line about an installed plug-in, which is opened."""
    try:
        with Session(plugin=path) as session:
            client = session.devices[0].handle.client
            spoken = ".".join(map(str, getattr(client, "stablehlo_current_version", ()))) or "unknown"
            return f"plug-in {name}: {session.platform}, StableHLO {spoken}, e.g. {session.devices[0]!r}, at {path}"
    except HhloError as error:
        return f"plug-in {name}: {error}"
