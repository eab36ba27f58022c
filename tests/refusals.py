"""Texts that break one constraint: we refuse them by its label, and so does upstream."""

from __future__ import annotations

import pytest

from hhlo_xdsl.errors import VerifyError
from hhlo_xdsl.text import parse
from tests import cpp


def check_refused(valid: str, broken: str, label: str) -> None:
    """`valid` is accepted, and `broken` refused by both, by us with `label` ("all_gather C1")."""
    parse(valid)
    assert cpp.refuses(valid) is None
    assert broken != valid
    assert cpp.refuses(broken) is not None
    with pytest.raises(VerifyError, match=rf"\(spec {label}\)"):
        parse(broken)
