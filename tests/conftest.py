"""What every test may ask for."""

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    """A generator of its own for each test, the same each time."""
    return np.random.default_rng(20230425)
