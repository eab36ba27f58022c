"""Options of passes, as `xdsl-opt -p` reads them."""

from __future__ import annotations

import dataclasses

import pytest
from xdsl.passes import ModulePass, PassPipeline

from hhlo_xdsl.errors import HhloError
from hhlo_xdsl.passes.grad import GradPass
from hhlo_xdsl.passes.options import HhloPass
from hhlo_xdsl.passes.universe import UNIVERSE

PASSES = dict(UNIVERSE.all_passes)


def read(spec: str) -> ModulePass:
    (found,) = PassPipeline.parse_spec(PASSES, spec).passes
    return found


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_tells_wrong_options_in_words(name: str):
    assert issubclass(PASSES[name](), HhloPass)
    with pytest.raises(HhloError, match=rf"^{name}: there is no option nope; its options are "):
        read(f"{name}{{nope=1}}")


def test_right_options():
    assert read('hhlo-grad{function="f" wrt=0,2 value=false slots=3}') == GradPass("f", (0, 2), value=False, slots=3)
    assert read("hhlo-grad{wrt=1}") == GradPass(wrt=(1,))
    assert read("hhlo-grad") == GradPass()


WRONG = {
    "wrt=a": "wrt is a; integers with commas and no blanks between, as wrt=0,2, was expected",
    "wrt=0.5": "wrt is 0.5; integers with commas",
    "value=1": "value is 1; true or false, as value=true, was expected",
    "safe=yes": "safe is yes; true or false, as safe=true, was expected",
    "value": "value is nothing; true or false",
    "function=3": 'function is 3; text in quotes, as function="main", was expected',
    'slots="a"': "slots is a; an integer, as slots=64, was expected",
    "wrt=0 value=1": "value is 1",
}


@pytest.mark.parametrize("options", WRONG)
def test_wrong_options(options: str):
    with pytest.raises(HhloError) as found:
        read(f"hhlo-grad{{{options}}}")
    assert str(found.value).startswith(f"hhlo-grad: {WRONG[options]}")


def test_a_version_without_quotes():
    with pytest.raises(HhloError, match=r'hhlo-pjrt-syntax: version is 1\.16; text in quotes, as version="1\.16",'):
        read("hhlo-pjrt-syntax{version=1.16}")


@pytest.mark.parametrize("name", PASSES)
def test_passes_print_as_they_are_read(name: str):
    made = PASSES[name]()()
    assert read(str(made.pipeline_pass_spec(include_default=True)).replace("wrt ", "")) == made
    assert dataclasses.is_dataclass(made)
