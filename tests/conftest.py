"""Settings that every test shares. They must be made before jax and hypothesis are first used."""

import gc
import os
from pathlib import Path

import hypothesis
import numpy as np
import pytest

# jax is only an oracle: on the CPU, and without its silent narrowing of f64 to f32.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")
# XLA's C++ log lines would hide the output of a failing test.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

# The same examples on every run, and no deadline: compiling is slow and its time varies.
hypothesis.settings.register_profile("default", deadline=None, derandomize=True, max_examples=50)
# HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("explore", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).parent / "data"


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
