"""The evidence of normal values is a product of Student t predictives, and an integral."""

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import invgamma, norm, t

from ceopt.maths.conjugate import WEAK, Prior, log_evidence


def student(v, seen, prior):
    """The predictive density of v after `seen`."""
    n, mean = len(seen), seen.mean() if len(seen) else 0.0
    kappa, a = prior.kappa + n, prior.a + n / 2
    b = prior.b + 0.5 * (((seen - mean) ** 2).sum() + prior.kappa * n * mean**2 / kappa)
    scale = np.sqrt(b * (kappa + 1) / (a * kappa))
    return t.logpdf(v, 2 * a, n * mean / kappa, scale)


@pytest.mark.parametrize("prior", [WEAK, Prior(0.3, 2.0, 0.7)])
def test_the_evidence_is_a_chain_of_student_predictives(prior, rng):
    v = rng.normal(1.0, 2.0, size=12)
    expected = sum(student(v[i], v[:i], prior) for i in range(12))
    assert log_evidence(v, prior) == pytest.approx(expected, abs=1e-9)


def test_the_evidence_is_the_integral_over_mean_and_variance():
    v = np.array([0.4, -1.1, 0.9])

    def density(mu, s2):
        return (
            np.exp(norm.logpdf(v, mu, np.sqrt(s2)).sum()) * norm.pdf(mu, 0, np.sqrt(s2)) * invgamma.pdf(s2, 1)
        )

    integral, _ = dblquad(density, 1e-3, 60, lambda s2: -8 * np.sqrt(s2), lambda s2: 8 * np.sqrt(s2))
    assert log_evidence(v) == pytest.approx(np.log(integral), abs=1e-3)


def test_no_values_are_no_evidence():
    assert log_evidence(np.zeros(0)) == 0.0
