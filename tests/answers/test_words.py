"""Numbers and interventions as people read them."""

import pytest

from ceopt.answers.words import percent, said
from ceopt.domain.intervention import Intervention


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "0 %"),
        (1e-12, "under 1 %"),
        (0.0099, "under 1 %"),
        (0.01, "1 %"),
        (0.384, "38 %"),
        (0.5, "50 %"),
        (0.99, "99 %"),
        (0.9901, "over 99 %"),
        (1 - 1e-12, "over 99 %"),
        (1.0, "100 %"),
    ],
)
def test_a_probability_is_a_percentage_that_never_claims_to_be_certain(p, text):
    assert percent(p) == text


@pytest.mark.parametrize(
    ("do", "text"),
    [
        ({"dose": 0.25}, "dose = 0.25"),
        ({"rest": 8, "dose": 1 / 3}, "dose = 0.3333, rest = 8"),
        ({"dose": 1234567.0}, "dose = 1.235e+06"),
        ({"dose": -0.0}, "dose = 0"),
    ],
)
def test_an_intervention_is_rounded_for_the_eye(do, text):
    assert said(Intervention.of(do)) == text
