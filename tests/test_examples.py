"""The examples run as they stand, and say what they should."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def test_cnn_trains_and_agrees_with_jax():
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / "cnn.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    errors = [float(e) for e in re.findall(r"difference from jax\.grad (\S+)", done.stdout)]
    assert len(errors) == 4
    assert max(errors) < 1e-5
    losses = [float(e) for e in re.findall(r"mean loss of the last ten (\S+)", done.stdout)]
    assert losses[-1] < 0.2 < losses[0]
