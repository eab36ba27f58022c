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


def test_two_processes_train_like_two_devices():
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / "data_parallel.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    before, after = map(float, re.findall(r"\d\.\d{6}", first))
    assert after < before / 2
    assert second == "two processes of one device give the same 20 losses, bit for bit: True"
