"""Parse and verify MLIR text with the C++ library in jaxlib, and print it: an oracle for what xDSL reads and writes.

Usage: python cpp_roundtrip.py [--generic] [--split-input-file] [FILE]
"""

import argparse
import re
import sys
from pathlib import Path

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo


def make_context() -> ir.Context:
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(context)
    # Nothing in jaxlib registers quant by name; reading a portable artifact loads it as a dependency.
    artifact = stablehlo.serialize_portable_artifact(ir.Module.parse("module {}", context), "1.0.0")
    stablehlo.deserialize_portable_artifact(context, artifact)
    return context


def roundtrip(text: str, generic: bool) -> str:
    module = ir.Module.parse(text)
    return module.operation.get_asm(print_generic_op_form=generic).rstrip("\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", default="-", help="input, standard input if - or absent")
    parser.add_argument("--generic", action="store_true", help="print the generic form of every op")
    parser.add_argument("--split-input-file", action="store_true", help="treat each part between // ----- on its own")
    args = parser.parse_args()
    text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text()
    parts = re.split(r"^// -----.*\n", text, flags=re.MULTILINE) if args.split_input_file else [text]
    with make_context():
        for number, part in enumerate(parts):
            try:
                printed = roundtrip(part, args.generic)
            except ir.MLIRError as error:
                print(error, file=sys.stderr)
                return 1
            print("\n// -----\n" * bool(number) + printed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
