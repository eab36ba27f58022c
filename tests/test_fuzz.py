"""Texts with faults made at random: each is read, or refused by ParseError or VerifyError, and in little time.

FUZZ=100000 in the environment, as `make fuzz` sets it, tries more of them.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hhlo_xdsl.errors import ParseError, VerifyError
from hhlo_xdsl.text import parse, to_text

DATA = Path(__file__).parent / "data"
COUNT = int(os.environ.get("FUZZ", "1200"))
"""How many texts are tried."""
SECONDS = 5
"""How long one may take; all are short."""


def sources() -> list[str]:
    """Texts without faults, of every op."""
    ops = json.loads((DATA / "op_examples.json").read_text())
    modules = [e[form] for op in ops for e in op["examples"] for form in ("module", "generic_module")]
    return [text for text in modules if len(text) < 4000]


SOURCES = sources()
TOKEN = re.compile(r'"[^"]*"|[%#!@^]?[\w.$]+|->|::|\s+|.')
TOKENS = [[m.group() for m in TOKEN.finditer(text)] for text in SOURCES]
WORDS = sorted({token for tokens in TOKENS for token in tokens if not token.isspace()})
CHARACTERS = "".join(map(chr, range(32, 127))) + "\n\t\0\x7fé∀\U0001f600\ufeff"

Draw = random.Random


def with_token_replaced(draw: Draw, tokens: list[str]) -> list[str]:
    at = draw.randrange(len(tokens))
    return [*tokens[:at], draw.choice(WORDS), *tokens[at + 1 :]]


def with_token_inserted(draw: Draw, tokens: list[str]) -> list[str]:
    at = draw.randrange(len(tokens))
    return [*tokens[:at], draw.choice(WORDS), *tokens[at:]]


def with_tokens_removed(draw: Draw, tokens: list[str]) -> list[str]:
    at = draw.randrange(len(tokens))
    return tokens[:at] + tokens[at + draw.choice((1, 1, 1, 2, 5, 20)) :]


def with_tokens_exchanged(draw: Draw, tokens: list[str]) -> list[str]:
    a, b = draw.randrange(len(tokens)), draw.randrange(len(tokens))
    found = list(tokens)
    found[a], found[b] = found[b], found[a]
    return found


def with_tokens_repeated(draw: Draw, tokens: list[str]) -> list[str]:
    at, count = draw.randrange(len(tokens)), draw.choice((1, 2, 10, 50))
    return tokens[: at + count] + tokens[at:]


def with_number_changed(draw: Draw, tokens: list[str]) -> list[str]:
    numbers = [i for i, token in enumerate(tokens) if token[0].isdigit()] or [0]
    found = list(tokens)
    found[draw.choice(numbers)] = draw.choice(("0", "-1", "1", "7", "0x7", "9223372036854775808", "1.5", "1e400", "?"))
    return found


def with_parts_of_another(draw: Draw, tokens: list[str]) -> list[str]:
    other = draw.choice(TOKENS)
    a, b = draw.randrange(len(other)), draw.randrange(len(tokens))
    return tokens[:b] + other[a : a + draw.choice((3, 10, 40))] + tokens[b:]


def cut_off(draw: Draw, tokens: list[str]) -> list[str]:
    return tokens[: draw.randrange(len(tokens))]


ON_TOKENS: list[Callable[[Draw, list[str]], list[str]]] = [
    with_token_replaced,
    with_token_inserted,
    with_tokens_removed,
    with_tokens_exchanged,
    with_tokens_repeated,
    with_number_changed,
    with_parts_of_another,
    cut_off,
]


def with_characters_changed(draw: Draw, text: str) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(CHARACTERS) + text[at + draw.choice((0, 1, 1, 2, 30)) :]


def faulty(draw: Draw) -> str:
    """One of the texts, with one to three changes."""
    tokens = draw.choice(TOKENS)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        if not tokens:
            break
        if draw.random() < 0.75:
            tokens = draw.choice(ON_TOKENS)(draw, tokens)
        else:
            tokens = TOKEN.findall(with_characters_changed(draw, "".join(tokens)))
    return "".join(tokens)


class TooLong(BaseException):
    """Not an Exception, so that no handler takes it for a fault of the text."""


@contextmanager
def limited_time() -> Iterator[None]:
    def too_long(*_: object) -> None:
        raise TooLong(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fault_of(text: str) -> str:
    """What goes wrong beyond an error that is due; empty if nothing does."""
    try:
        with limited_time():
            try:
                module = parse(text)
            except (ParseError, VerifyError) as error:
                return "" if str(error).strip() else "an error without words"
            for syntax in ("pretty", "generic"):
                printed = to_text(module, syntax=syntax)
                if to_text(parse(printed), syntax=syntax) != printed:
                    return f"the {syntax} text, read and printed again, is another one"
    except (Exception, TooLong) as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("part", range(10))
def test_faults_end_in_an_error_of_ours(part: int):
    draw = random.Random(part)
    found: list[str] = []
    for _ in range(COUNT // 10):
        text = faulty(draw)
        fault = fault_of(text)
        if fault:
            found.append(f"{fault}\n{text}")
    assert not found, f"{len(found)} texts, for example:\n\n" + "\n\n".join(found[:3])
