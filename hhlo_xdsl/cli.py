"""The command `hhlo`: grad, run, check, ops, doctor."""

from __future__ import annotations

import argparse
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hhlo_xdsl.errors import HhloError, RuntimeArgumentError
from hhlo_xdsl.progress import progress


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it went well, 1 if the program or its gradient is wrong, 2 for wrong usage."""
    arguments = _parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except HhloError as error:
        print(f"hhlo: {error}", file=sys.stderr)
    except OSError as error:
        print("hhlo: " + ": ".join(map(str, filter(None, (error.strerror, error.filename)))), file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hhlo", description="Differentiate and run StableHLO programs.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_grad(commands)
    _add_run(commands)
    _add_check(commands)
    ops = commands.add_parser("ops", help="list every op and whether it has derivative rules, per mode")
    ops.set_defaults(run=_ops)
    doctor = commands.add_parser("doctor", help="report versions and devices")
    doctor.set_defaults(run=_doctor)
    return parser


def _add_grad(commands: Any) -> None:
    grad = commands.add_parser("grad", help="print the gradient of a program")
    grad.add_argument("file", help="MLIR text or bytecode; - for text from standard input")
    grad.add_argument("--function", default="main", help="the function to differentiate (main)")
    grad.add_argument("--wrt", type=_numbers, help="arguments, as 0,2 (every floating or complex one)")
    grad.add_argument("--result", type=_numbers, default=(0,), help="results to differentiate, as 0,1 (0)")
    grad.add_argument("--no-value", action="store_true", help="leave out the results of the function itself")
    grad.add_argument("--seed", action="store_true", help="take a cotangent argument per differentiated result")
    grad.add_argument("--safe", action="store_true", help="zero where the incoming cotangent is exactly zero")
    grad.add_argument("--portable", action="store_true", help="avoid ops that some consumers do not take")
    grad.add_argument("--checkpoint", default="all", help="what loops keep: all, sqrt or binomial (all)")
    grad.add_argument("--slots", type=int, default=64, help="states that a loop of unknown length keeps (64)")
    grad.add_argument("--syntax", default="pjrt-1.16", help="pjrt-1.16, pretty or generic (pjrt-1.16)")
    grad.add_argument("-o", "--output", help="write to this file")
    grad.add_argument("--explain", action="store_true", help="tell op by op which rule is used and what is kept")
    grad.set_defaults(run=_grad)


def _add_run(commands: Any) -> None:
    run = commands.add_parser("run", help="run a program on the CPU and print its results")
    run.add_argument("file", help="MLIR text or bytecode; - for text from standard input")
    run.add_argument("--args", help="a .npz file with the arguments in order; random numbers if not given")
    run.add_argument("--seed", type=_seed, default=0, help="seed of the random numbers (0)")
    run.set_defaults(run=_run)


def _add_check(commands: Any) -> None:
    check = commands.add_parser("check", help="compare the gradient of a program with central differences in f64")
    check.add_argument("file", help="MLIR text or bytecode; - for text from standard input")
    check.add_argument("--wrt", type=_numbers, help="arguments, as 0,2 (every floating one)")
    check.add_argument("--args", help="a .npz file with the arguments in order; random numbers if not given")
    check.add_argument("--seed", type=_seed, default=0, help="seed of the random numbers (0)")
    check.set_defaults(run=_check)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(n) for n in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers such as 0,2") from None


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer of at least 0")
    return int(text)


def _read(file: str) -> Any:
    from hhlo_xdsl.files import load
    from hhlo_xdsl.text import parse

    with progress(f"reading {file}"):
        return parse(sys.stdin.read(), filename="<stdin>") if file == "-" else load(file)


def _grad(options: argparse.Namespace) -> int:
    from hhlo_xdsl.modules import grad_module
    from hhlo_xdsl.text import to_text

    if options.explain:
        return _explain(options)
    module = _read(options.file)
    with progress("differentiating"):
        gradient = grad_module(module, value=not options.no_value, **_grad_options(options))
    with progress("printing"):
        text = to_text(gradient, syntax=options.syntax)
    if options.output is None:
        sys.stdout.write(text)
    else:
        Path(options.output).write_text(text, encoding="utf-8")
    return 0


def _grad_options(options: argparse.Namespace) -> dict[str, Any]:
    """Those of `hhlo-grad` that have the same name here."""
    names = ("function", "wrt", "result", "seed", "safe", "portable", "checkpoint", "slots")
    return {name: getattr(options, name) for name in names}


def _explain(options: argparse.Namespace) -> int:
    from hhlo_xdsl.passes.explain import explain
    from hhlo_xdsl.passes.grad import GradPass

    for section in explain(_read(options.file), GradPass(value=not options.no_value, **_grad_options(options))):
        rows = [(s.op, s.type, "yes" if s.active else "no", f"{s.kept:,}", s.how) for s in section.steps]
        print(f"@{section.function}")
        print(_table([("op", "result", "active", "keeps", "rule, or why there is none"), *rows]))
        print(f"bytes kept for the way back: {section.kept:,} of results, {section.arguments:,} of arguments\n")
    return 0


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns, each as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _run(options: argparse.Namespace) -> int:
    from hhlo_xdsl.runtime.array import wait
    from hhlo_xdsl.session import Session

    with Session("cpu") as session:
        executable = session.compile(_read(options.file))
        args = _arguments(executable, options)
        with progress("running"):
            results = wait(executable(*args))
        for i, out in enumerate(results):
            print(f"result {i}: {out.spec}\n{out.numpy()}")
    return 0


def _check(options: argparse.Namespace) -> int:
    from hhlo_xdsl.check import check_gradient
    from hhlo_xdsl.session import Session
    from hhlo_xdsl.widen import NotWidened, widened

    module = _read(options.file)
    try:
        module = widened(module)
        print("computed in f64")
    except NotWidened as reason:
        print(f"computed in the program's own types: {reason}")
    with Session("cpu") as session:
        executable = session.compile(module)
        args = _converted(_arguments(executable, options), executable)
        rows = check_gradient(module, args, options.wrt, session=session, seed=options.seed)
        print("argument  gradient . u    differences     relative error")
        for row in rows:
            print(
                f"{row.argument:8}  {row.gradient: .6e}  {row.differences: .6e}  {row.error:.1e} "
                f" {'ok' if row.ok else 'WRONG'}"
            )
        if all(row.ok for row in rows):
            return 0
        print(_accused(module, args, [row.argument for row in rows], session, options.seed))
    return 1


def _converted(args: Sequence[Any], executable: Any) -> list[Any]:
    """Floating and complex arguments in the types that the program takes."""
    return [
        a.astype(spec.dtype.numpy) if spec.dtype.is_inexact and np.asarray(a).dtype.kind in "fcV" else a
        for a, spec in zip(args, executable.inputs, strict=False)
    ] + list(args[len(executable.inputs) :])


def _accused(module: Any, args: Sequence[Any], wrt: Sequence[int], session: Any, seed: int) -> str:
    """Which op makes the gradient wrong, and how."""
    from hhlo_xdsl.culprit import first_culprit

    found = first_culprit(module, args, wrt, session=session, seed=seed)
    if found is None:
        return "each op by itself is right: the error comes from how they are put together, or from rounding"
    sides = f"gradient {found.gradient:.6e}, differences {found.differences:.6e}"
    match found.fault:
        case "wrong":
            return f"wrong: {found.op}: {sides}{found.place}"
        case "kink":
            return (
                f"{found.op} has no derivative at these arguments: {sides}; give others with --args or"
                f" --seed{found.place}"
            )
        case "nan":
            return f"{found.op} makes NaN at these arguments: {sides}; give others with --args{found.place}"


def _arguments(executable: Any, options: argparse.Namespace) -> list[Any]:
    """The arguments in the .npz file, or random ones."""
    from hhlo_xdsl.check import random_array

    if options.args is not None:
        return _stored(options.args)
    rng = np.random.default_rng(options.seed)
    return [random_array(rng, spec) for spec in executable.inputs]


def _stored(file: str) -> list[Any]:
    try:
        stored = np.load(file)
        names = [n for n in stored.files if n.startswith("in_")] or stored.files
        return [stored[n] for n in names]
    except (AttributeError, EOFError, ValueError, zipfile.BadZipFile):
        raise RuntimeArgumentError(
            f"{file}: not a .npz file of arrays of numbers; write one with numpy.savez(file, in_0=x, in_1=y)"
        ) from None


def _ops(options: argparse.Namespace) -> int:
    from hhlo_xdsl.passes.states import states

    forward = states("forward")
    print(f"{'op':40} {'reverse':20} {'forward':20} reason")
    for op, reverse in states("reverse").items():
        (in_reverse, reason), (in_forward, other) = reverse[0], forward[op][0]
        reasons = dict.fromkeys(r for r in (reason, other) if r)
        print(f"{op.name:40} {in_reverse:20} {in_forward:20} {'; '.join(reasons)}".rstrip())
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from hhlo_xdsl.doctor import report

    lines, healthy = report()
    print("\n".join(lines))
    return 0 if healthy else 1


if __name__ == "__main__":
    sys.exit(main())
