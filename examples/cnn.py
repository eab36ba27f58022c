"""From a StableHLO file to a trained network, in one page.

`cnn.mlir` is a convolutional network and its loss, as JAX prints it: main(images, labels, 4 parameters) -> loss.
Nothing in it says how to differentiate it. This script does, and trains the network on patterns that it makes.
"""

from pathlib import Path

import numpy as np

import hhlo_xdsl as hh

HERE = Path(__file__).parent
IMAGES, LABELS, *PARAMETERS = range(6)
STEPS, RATE, CLASSES = 60, 0.1, 4


def main() -> None:
    """Read, differentiate, show, check, train."""
    loss = hh.parse((HERE / "cnn.mlir").read_text(), filename="cnn.mlir")
    gradient = hh.grad_module(loss, wrt=PARAMETERS, value=True)
    show(gradient)
    with hh.Session("cpu") as session:
        step = session.compile(gradient)
        check(step)
        train(step)


def show(gradient) -> None:
    """Print the way back from the second convolution through max pooling and relu to the first kernel."""
    lines = [line.removeprefix("    ") for line in hh.to_text(gradient).splitlines()]
    convolutions = [i for i, line in enumerate(lines) if "stablehlo.convolution(" in line]
    print(f"hhlo-grad made {len(lines)} lines of StableHLO. From the second convolution back to the first kernel:\n")
    for line in lines[convolutions[2] : convolutions[-1] + 1]:
        print(f"  {line if len(line) <= 150 else line[:146] + ' ...'}")


def check(step) -> None:
    """Compare loss and gradients at a stored point with those that JAX computed there."""
    stored = np.load(HERE / "cnn_reference.npz")
    value, *gradients = step(*(stored[f"in_{i}"] for i in range(6)))
    print(f"\nAt the stored point: loss {value.item():.6f}, JAX {stored['value']:.6f}")
    for i, found in zip(PARAMETERS, gradients, strict=True):
        expected = stored[f"grad_{i}"]
        error = np.abs(found.numpy() - expected).max() / np.abs(expected).max()
        print(f"  gradient of argument {i}, {found.spec!r:20} largest relative difference from jax.grad {error:.1e}")
        if error > 1e-5:
            raise SystemExit("the gradient disagrees with the reference")


def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Three noisy images of waves in one of four directions, and their classes, one-hot."""
    classes = rng.integers(0, CLASSES, 3)
    y, x = np.mgrid[0:16, 0:16]
    angle = classes[:, None, None] * np.pi / CLASSES
    wave = np.sin(1.2 * (np.cos(angle) * x + np.sin(angle) * y))
    images = np.stack([wave, -wave], -1) + 0.3 * rng.standard_normal((3, 16, 16, 2))
    return images.astype(np.float32), np.eye(CLASSES, dtype=np.float32)[classes]


def train(step) -> None:
    """Plain stochastic gradient descent, a new batch each step."""
    rng = np.random.default_rng(0)
    shapes = [step.inputs[i].shape for i in PARAMETERS]
    parameters = [0.3 * rng.standard_normal(s).astype(np.float32) for s in shapes]
    losses: list[float] = []
    print(f"\nTraining for {STEPS} steps:")
    for i in range(STEPS):
        value, *gradients = step(*batch(rng), *parameters)
        parameters = [p - np.float32(RATE) * g.numpy() for p, g in zip(parameters, gradients, strict=True)]
        losses.append(value.item())
        if (i + 1) % 10 == 0:
            print(f"  step {i + 1:3}: mean loss of the last ten {np.mean(losses[-10:]):.4f}")
    if np.mean(losses[-10:]) > 0.7 * np.mean(losses[:10]):
        raise SystemExit("the loss did not fall")


if __name__ == "__main__":
    main()
