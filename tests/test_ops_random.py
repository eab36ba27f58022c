"""`hh.random`: the right distributions, by their moments and the test of Kolmogorov and Smirnov; keys; no bias."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import hhlo_xdsl as hh
from tests.evaluate import evaluate

R = hh.random
KEY = R.key(20240501)
N = 20_000

# The p-values of fixed seeds; each would fall below this once in 10 ** 4 seeds.
LEAST = 1e-4


def drawn(**functions):
    return evaluate(functions, KEY)


DISTRIBUTIONS = {
    "uniform": (R.uniform, stats.uniform()),
    "normal": (R.normal, stats.norm()),
    "exponential": (R.exponential, stats.expon()),
    "gumbel": (R.gumbel, stats.gumbel_r()),
    "laplace": (R.laplace, stats.laplace()),
    "truncated": (lambda k, n, d: R.truncated_normal(k, -0.5, 2.0, n, d), stats.truncnorm(-0.5, 2)),
    "uniform between": (lambda k, n, d: R.uniform(k, n, d, -3.0, 5.0), stats.uniform(-3, 8)),
}


@pytest.mark.parametrize("dtype", [hh.f32, hh.f64], ids=str)
def test_distributions(dtype):
    found = drawn(**{name: (lambda k, f=fn: f(k, N, dtype)) for name, (fn, _) in DISTRIBUTIONS.items()})
    for name, (_, right) in DISTRIBUTIONS.items():
        x = found[name]
        assert x.dtype == dtype.numpy
        assert np.isfinite(x).all(), name
        assert stats.kstest(x.astype(np.float64), right.cdf).pvalue > LEAST, name
        mean, variance, skew, kurtosis = (float(m) for m in right.stats("mvsk"))
        deviation = np.sqrt(variance)
        assert abs(x.mean() - mean) < 4 * deviation / np.sqrt(N), name
        assert abs(x.var() - variance) < 4 * variance * np.sqrt((kurtosis + 2) / N), name
        assert abs(stats.skew(x) - skew) < 0.15, name
        # Neighbours, and halves, which may come from the same bits, are independent.
        assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 4 / np.sqrt(N), name
        assert abs(np.corrcoef(x[: N // 2], x[N // 2 :])[0, 1]) < 4 / np.sqrt(N / 2), name


def test_halves_of_normal_are_independent():
    """The two numbers of a pair have one radius: their squares must not be correlated either."""
    x = drawn(x=lambda k: R.normal(k, N))["x"].astype(np.float64)
    a, b = x[: N // 2] ** 2, x[N // 2 :] ** 2
    assert abs(np.corrcoef(a, b)[0, 1]) < 4 / np.sqrt(N / 2)


@pytest.mark.parametrize("dtype", [hh.f16, hh.bf16], ids=str)
def test_narrow_types(dtype):
    found = drawn(
        u=lambda k: R.uniform(k, N, dtype),
        n=lambda k: R.normal(k, N, dtype),
        b=lambda k: R.uniform(k, N, dtype, 1.0, 3.0),
    )
    u, n, b = (found[name].astype(np.float64) for name in "unb")
    steps = 2 ** (11 if dtype is hh.f16 else 8)
    assert u.min() >= 0
    assert u.max() < 1
    assert ((u * steps) % 1 == 0).all()
    assert stats.chisquare(np.bincount((u * 128).astype(int), minlength=128)).pvalue > LEAST
    assert abs(u.mean() - (0.5 - 0.5 / steps)) < 4 * 0.289 / np.sqrt(N)
    assert abs(n.mean()) < 4 / np.sqrt(N)
    assert abs(n.var() - 1) < 4 * np.sqrt(2 / N)
    assert b.min() >= 1
    assert b.max() < 3
    assert abs(b.mean() - 2) < 0.03


def test_bounds_are_kept():
    """Rounding reaches the upper bound of a narrow interval, were it not for the last step."""
    found = drawn(
        a=lambda k: R.uniform(k, N, hh.f32, 1.0, 1.0 + 2.0**-22),
        b=lambda k: R.uniform(k, N, hh.f32, 100.0, 100.0),
        t=lambda k: R.truncated_normal(k, 3.0, 3.5, N),
        e=lambda k: R.truncated_normal(k, 9.0, 10.0, 100),
    )
    assert set(found["a"]) == {np.float32(1 + i * 2.0**-23) for i in range(2)}
    assert set(found["b"]) == {np.float32(100)}
    assert 3 <= found["t"].min() <= found["t"].max() <= 3.5
    assert stats.kstest(found["t"].astype(np.float64), stats.truncnorm(3, 3.5).cdf).pvalue > LEAST
    assert 9 <= found["e"].min() <= found["e"].max() <= 10


SPANS = [(hh.i32, -3, 4), (hh.i8, -128, 127), (hh.ui8, 0, 255), (hh.i64, -10, 10), (hh.ui32, 5, 6), (hh.i16, 100, 200)]


def test_integers():
    found = drawn(**{str(i): (lambda k, s=s: R.randint(k, N, s[1], s[2], s[0])) for i, s in enumerate(SPANS)})
    for i, (dtype, low, high) in enumerate(SPANS):
        x = found[str(i)]
        assert x.dtype == dtype.numpy
        counts = np.bincount(x.astype(np.int64) - low, minlength=high - low)
        assert len(counts) == high - low
        assert high - low == 1 or stats.chisquare(counts).pvalue > LEAST


def test_wide_spans_have_no_bias():
    """3/4 of 2 ** 64: reducing 64 bits by a remainder or a product alone gives some numbers twice as often as others."""
    span = 3 << 62
    found = drawn(
        u=lambda k: R.randint(k, N, 0, np.uint64(span), hh.ui64),
        i=lambda k: R.randint(k, N, -(2**63), 2**62, hh.i64),
        all=lambda k: R.randint(k, N, np.int64(-(2**63)), np.int64(2**63 - 1), hh.i64),
    )
    thirds = np.bincount((found["u"] >> np.uint64(62)).astype(int), minlength=3)
    assert len(thirds) == 3
    assert stats.chisquare(thirds).pvalue > LEAST
    thirds = np.bincount(((found["i"] >> np.int64(62)) + 2).astype(int), minlength=3)
    assert len(thirds) == 3
    assert stats.chisquare(thirds).pvalue > LEAST
    # Within a quarter too: twice as likely numbers would alternate with others.
    fine = np.bincount((found["u"] % np.uint64(3)).astype(int))
    assert stats.chisquare(fine).pvalue > LEAST
    assert stats.kstest(found["all"] / 2.0**64 + 0.5, "uniform").pvalue > LEAST


def test_bounds_may_be_tensors():
    low = np.array([[0], [10]], np.int32)
    found = evaluate({"x": lambda k, low: R.randint(k, (2, 500), low, low + hh.arange(1, 501))}, KEY, low)["x"]
    assert (found >= low).all()
    assert (found < low + np.arange(1, 501)).all()
    found = evaluate({"x": lambda k, low: R.randint(k, (2, 5), low, low)}, KEY, low)["x"]
    assert (found == low).all()


def test_bernoulli():
    p = np.array([0.0, 0.1, 0.5, 1.0], np.float32)
    found = evaluate(
        {
            "p": lambda k, p: R.bernoulli(k, p, (N, 4)),
            "half": lambda k, p: R.bernoulli(k, shape=N),
            "shape of p": lambda k, p: R.bernoulli(k, p),
        },
        KEY,
        p,
    )
    assert found["shape of p"].shape == (4,)
    assert (np.abs(found["p"].mean(0) - p) <= 4 * np.sqrt(p * (1 - p) / N)).all()
    assert stats.binomtest(int(found["half"].sum()), N).pvalue > LEAST


def test_categorical():
    p = np.array([[0.1, 0.2, 0.0, 0.7], [0.25] * 4], np.float32)
    with np.errstate(divide="ignore"):
        logits = np.log(p) + 3
    found = evaluate(
        {
            "many": lambda k, x: R.categorical(k, x, shape=(N, 2)),
            "one": lambda k, x: R.categorical(k, x),
            "first": lambda k, x: R.categorical(k, x.T, 0, (N, 2)),
        },
        KEY,
        logits,
    )
    assert found["one"].shape == (2,)
    for name in ("many", "first"):
        for row in range(2):
            counts = np.bincount(found[name][:, row], minlength=4)
            assert counts[p[row] == 0].sum() == 0
            assert stats.chisquare(counts[p[row] > 0], N * p[row][p[row] > 0]).pvalue > LEAST


def test_permutation():
    x = np.arange(12).reshape(3, 4)
    found = evaluate(
        {
            "n": lambda k, x: R.permutation(k, 100),
            "rows": lambda k, x: R.permutation(k, x),
            "columns": lambda k, x: R.permutation(k, x, 1),
            "none": lambda k, x: R.permutation(k, 0),
        },
        KEY,
        x,
    )
    assert sorted(found["n"]) == list(range(100))
    assert found["n"].tolist() != list(range(100))
    assert sorted(found["rows"].tolist()) == x.tolist()
    assert sorted(found["columns"].T.tolist()) == x.T.tolist()
    assert found["none"].shape == (0,)
    shuffled = hh.jit(lambda k: R.permutation(k, 3))
    orders = np.stack([shuffled(key).numpy() for key in R.split(KEY, 600)])
    counts = np.unique(orders @ [9, 3, 1], return_counts=True)[1]
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > LEAST


def test_choice():
    found = drawn(
        some=lambda k: R.choice(k, 5, (N,)),
        weighted=lambda k: R.choice(k, 3, N, p=np.array([0.5, 0.5, 0], np.float32)),
        without=lambda k: R.choice(k, 50, (5, 4), replace=False),
        rows=lambda k: R.choice(k, np.arange(6).reshape(3, 2), 2, replace=False),
    )
    assert stats.chisquare(np.bincount(found["some"])).pvalue > LEAST
    assert stats.chisquare(np.bincount(found["weighted"])).pvalue > LEAST
    assert len(np.unique(found["without"])) == 20
    assert found["rows"].shape == (2, 2)


def test_keys():
    assert KEY.dtype == np.uint64
    assert R.key(-1).tolist() == [2**64 - 1, 0]
    a, b = R.split(KEY)
    found = evaluate(
        {
            "keys": lambda k: (R.key(20240501), *R.split(k), R.fold_in(k, 7)),
            "same": lambda k: (R.normal(k, 5), R.normal(k, 5)),
            "traced seed": lambda k: R.key(k[0]),
        },
        KEY,
    )
    np.testing.assert_array_equal(found["keys"], [KEY, a, b, R.fold_in(KEY, 7)])
    np.testing.assert_array_equal(*found["same"])
    np.testing.assert_array_equal(found["traced seed"], KEY)
    many = np.concatenate([R.split(KEY, 500), [R.fold_in(KEY, i) for i in range(300)]])
    assert len(np.unique(many, axis=0)) == 800
    with pytest.raises(hh.DTypeError, match=r"key: seed is 1\.5; an integer was expected"):
        R.key(1.5)
    nested = R.fold_in(KEY, 0), R.split(R.split(KEY)[0])[0]
    assert nested[0].tolist() != nested[1].tolist()


def test_streams_of_keys_are_independent():
    def f(k):
        one, other = R.split(k)
        return R.normal(one, N), R.normal(other, N), R.normal(R.fold_in(k, 1), N), R.normal(R.fold_in(k, 2), N)

    correlation = np.corrcoef(np.stack(drawn(x=f)["x"])) - np.eye(4)
    assert np.abs(correlation).max() < 4 / np.sqrt(N)


def test_shapes():
    found = drawn(
        scalar=lambda k: (R.uniform(k), R.normal(k), R.exponential(k), R.randint(k, (), 0, 9)),
        none=lambda k: (R.uniform(k, 0), R.normal(k, (2, 0)), R.randint(k, (0, 3), 0, 9)),
        odd=lambda k: R.normal(k, (3, 5)),
    )
    assert all(x.shape == () for x in found["scalar"])
    assert [x.shape for x in found["none"]] == [(0,), (2, 0), (0, 3)]
    assert found["odd"].shape == (3, 5)


def test_gradients_reach_the_parameters():
    """Of a sum of mean + deviation * normal: the number of elements, and the sum of the normal numbers."""

    def f(mean, deviation, k):
        return (mean + deviation * R.normal(k, 9)).sum()

    gradient = hh.grad(f, (0, 1))(np.float32(1), np.float32(2), KEY)
    noise = drawn(x=lambda k: R.normal(k, 9))["x"]
    np.testing.assert_allclose([g.numpy() for g in gradient], [9, noise.sum()], rtol=1e-5)


@pytest.mark.parametrize(
    ("error", "message", "fn"),
    [
        (
            hh.DTypeError,
            r"random: key is f32\[2\]; ui64\[2\] was expected, as hh",
            lambda k: R.normal(k.astype(hh.f32)),
        ),
        (hh.DTypeError, r"random: key is ui64\[\]", lambda k: R.uniform(k[0], 3)),
        (hh.DTypeError, r"uniform: dtype is i32; f16, bf16, f32 or f64", lambda k: R.uniform(k, 3, hh.i32)),
        (hh.DTypeError, r"bits: dtype is i32; ui32 or ui64", lambda k: R.bits(k, 3, hh.i32)),
        (hh.DTypeError, r"randint: dtype is f32; integers", lambda k: R.randint(k, 3, 0, 5, hh.f32)),
        (hh.DTypeError, r"randint: a bound is f32\[\]; integers", lambda k: R.randint(k, 3, 0, 5.5)),
        (hh.DTypeError, r"300 does not fit i8", lambda k: R.randint(k, 3, 0, 300, hh.i8)),
        (hh.ShapeError, r"normal: shape is -1", lambda k: R.normal(k, -1)),
        (
            hh.ShapeError,
            r"categorical: shape is \[2\], logits are f32\[3, 4\]",
            lambda k: R.categorical(k, hh.ones((3, 4)), shape=2),
        ),
        (hh.ShapeError, r"choice: 5 of 3 are to be chosen", lambda k: R.choice(k, 3, 5, replace=False)),
        (hh.ShapeError, r"choice: p is f32\[2\], x is i32\[3\]", lambda k: R.choice(k, 3, 5, p=np.ones(2, np.float32))),
        (hh.ShapeError, r"fold_in: data is ui64\[2\]; one integer", lambda k: R.fold_in(k, k)),
        (hh.ShapeError, r"broadcast_to: shapes \[2\] and \[3\] do not", lambda k: R.bernoulli(k, np.ones(2), 3)),
    ],
)
def test_errors(error, message, fn):
    with pytest.raises(error, match=rf"^{message}(.|\n)*\n  at test_ops_random\.py:\d+ in <lambda>$"):
        hh.trace(fn, hh.ui64[2])
