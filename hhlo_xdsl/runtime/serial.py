"""The bytes around a compiled program: what it was made by and for, and a checksum.

What XLA serializes is machine code: it has no version that XLA would check, and a damaged one ends the process. So
nothing reaches XLA unless the header fits.
"""

from __future__ import annotations

import hashlib
import json
import platform
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hhlo_xdsl.errors import CompileError

if TYPE_CHECKING:
    from hhlo_xdsl.runtime.client import Device

_MAGIC = b"HHLOEXE1"
_DIGEST = hashlib.sha256().digest_size


def packed(about: dict[str, Any], code: bytes) -> bytes:
    """Code behind a header that says what it is about."""
    head = json.dumps(about).encode()
    body = len(head).to_bytes(8, "little") + head + code
    return _MAGIC + hashlib.sha256(body).digest() + body


def unpacked(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the code; raises CompileError if these are not whole."""
    start = len(_MAGIC) + _DIGEST
    if not data.startswith(_MAGIC):
        raise CompileError("these bytes are no compiled program of hhlo-xdsl; make them with Executable.serialize")
    body = data[start:]
    if hashlib.sha256(body).digest() != data[len(_MAGIC) : start]:
        raise CompileError("the compiled program is damaged: its checksum does not fit; compile its text again")
    end = 8 + int.from_bytes(body[:8], "little")
    return json.loads(body[8:end]), body[end:]


def maker(device: Device) -> str:
    """What compiled code depends on: jaxlib, the kind of device, the processor."""
    return f"jaxlib {device.jaxlib.version()} for {device.platform} ({device.kind}) on {_processor()}"


@cache
def _processor() -> str:
    """The processor's architecture and a digest of its features."""
    features = ""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        features = next((line for line in lines if line.lower().startswith(("flags", "features"))), "")
    digest = hashlib.sha256((features or platform.processor()).encode()).hexdigest()[:12]
    return f"{platform.machine()} {digest}"
