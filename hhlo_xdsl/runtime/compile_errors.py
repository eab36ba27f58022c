"""What compiling refuses beforehand, and XLA's refusals in words that name the line of the program."""

from __future__ import annotations

import re

from hhlo_xdsl.errors import CompileError

_UNSAFE = (
    (
        re.compile(r"\b(?:stablehlo|mhlo)\.infeed\b"),
        "waits for ever: nothing feeds it. Pass the data as an argument of main",
    ),
    (
        re.compile(r"\b(?:stablehlo|mhlo)\.outfeed\b"),
        "waits for ever: nothing reads it. Return the value from main",
    ),
    (
        re.compile(r"\bmhlo\.layout_mode\b"),
        "changes how arrays lie in memory, and arrays here are row-major. Leave the attribute out",
    ),
    (
        re.compile(r"\bxla_(?:ffi_)?(?:partitioned_)?python_(?:cpu|gpu)_callback\b"),
        "crashes: it calls back into Python functions that were never registered. Express it with StableHLO ops",
    ),
)


def refuse_unsafe(text: str) -> None:
    """Raise CompileError for what XLA compiles although running it never returns, crashes or misreads memory."""
    for pattern, why in _UNSAFE:
        for match in pattern.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            if "//" not in _STRING.sub("", text[start : match.start()]):
                line, column = text.count("\n", 0, start) + 1, match.start() - start + 1
                found = f"the program cannot run: {match.group()} at line {line}, column {column} {why}"
                raise CompileError(f"{found}\n{_quote(text, line, column)}", line, column)


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


_DIAGNOSTIC = re.compile(
    r"^(?:[A-Z_]+: )?(?P<file>\S.*?):(?P<line>\d+)(?::(?P<column>\d+))?: (?:error|note): (?P<what>.*)$", re.MULTILINE
)
_NOISE = re.compile(r"Failed to parse using StableHLO|see current operation")
_STATUS = re.compile(r"^[A-Z_]+: ")


def compile_error(text: str, message: str) -> CompileError:
    """The error for XLA's `message`: its first diagnostic, the line of `text` that names, the rest, and a way out."""
    found = [m for m in _DIAGNOSTIC.finditer(message) if not _NOISE.search(m["what"])]
    if not found:
        return CompileError(f"XLA refused the program: {_STATUS.sub('', message).strip()}\n{_way_out(message)}")
    first, *others = found
    line, column = int(first["line"]), int(first["column"] or 0)
    in_text = first["file"] == "-" and line > 0
    parts = [f"XLA refused the program{_place(first)}: {first['what']}"]
    if in_text:
        parts.append(_quote(text, line, column))
    parts += [f"{m['what']}{_place(m)}" for m in others]
    parts.append(_way_out(message))
    return CompileError("\n".join(parts), line if in_text else 0, column if in_text else 0)


def _place(diagnostic: re.Match[str]) -> str:
    file, line, column = diagnostic["file"], diagnostic["line"], diagnostic["column"]
    if line == "0":
        return ""
    return f" at line {line}, column {column}" if file == "-" else f" at {file}:{line}"


def _quote(text: str, line: int, column: int) -> str:
    """Line `line` of `text` with a caret under `column`, cut to what fits a terminal."""
    lines = text.split("\n", line)
    if len(lines) < line:
        return ""
    start = max(0, column - 1 - _QUOTE_WIDTH // 2)
    shown = lines[line - 1][start : start + _QUOTE_WIDTH].replace("\t", " ")
    margin = " " * len(str(line))
    return f"  {line} | {shown}\n  {margin} | {' ' * (column - 1 - start)}^"


_QUOTE_WIDTH = 110

_WAYS_OUT = (
    (r"main function|with .main. function", "Name the function to run @main and do not make it private."),
    (r"Unbounded dynamism|PadToStatic", "Give every dimension a size: XLA runs programs of static shape."),
    (
        r"No FFI handler|No registered implementation",
        "No code for this custom call is in the process. Replace it by StableHLO ops.",
    ),
    (r"can't be translated|for export to XLA|not supported by XLA", "Express it with ops that XLA runs here."),
    (r"Dialect `|unregistered", "Use the ops of the dialects stablehlo, chlo and func."),
    (r"compile option|While setting option", "Options are XLA debug flags: {'xla_backend_optimization_level': 0}."),
)


def _way_out(message: str) -> str:
    for pattern, remedy in _WAYS_OUT:
        if re.search(pattern, message):
            return remedy
    return "Correct the program there; the StableHLO specification lists what each op demands."
