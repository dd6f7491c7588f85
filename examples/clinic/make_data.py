"""Makes psa.csv and outcomes.csv: patients whose doses follow age and bmi, and ten who got
aspirin 0.

age     = U[55, 75]
bmi     = 27 - .03 (age - 65) + N(0, 1.5)
aspirin = s(-8 + .1 age + .05 bmi + N(0, .15))
statin  = s(-12 + .1 age + .2 bmi + N(0, .15))
cancer  = s(-2 + .04 (age - 65) - statin + .5 aspirin + N(0, .3))
psa     = 2 + .05 age + .1 bmi - 1.2 statin + .8 aspirin + 2 cancer + N(0, .4)

s is the logistic function. The best dose is aspirin 0 with statin 1.
"""

from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent


def patients(n: int, seed: int, **do: float) -> pd.DataFrame:
    """So many patients, the doses in `do` being set."""
    rng = np.random.default_rng(seed)
    noise = {name: rng.normal(0, 1, n) for name in ("bmi", "aspirin", "statin", "cancer", "psa")}
    age = rng.uniform(55, 75, n)
    bmi = 27 - 0.03 * (age - 65) + 1.5 * noise["bmi"]
    aspirin = do.get("aspirin", logistic(-8 + 0.1 * age + 0.05 * bmi + 0.15 * noise["aspirin"]))
    statin = do.get("statin", logistic(-12 + 0.1 * age + 0.2 * bmi + 0.15 * noise["statin"]))
    cancer = logistic(-2 + 0.04 * (age - 65) - statin + 0.5 * aspirin + 0.3 * noise["cancer"])
    psa = 2 + 0.05 * age + 0.1 * bmi - 1.2 * statin + 0.8 * aspirin + 2 * cancer + 0.4 * noise["psa"]
    columns = {"age": age, "bmi": bmi, "aspirin": aspirin, "statin": statin, "cancer": cancer, "psa": psa}
    return pd.DataFrame(columns, index=range(n)).round({"age": 1, "bmi": 1}).round(3)


def logistic(x: np.ndarray) -> np.ndarray:
    """From the line to (0, 1)."""
    return 1 / (1 + np.exp(-x))


if __name__ == "__main__":
    patients(120, seed=0).to_csv(HERE / "psa.csv", index=False)
    patients(10, seed=1, aspirin=0.0).to_csv(HERE / "outcomes.csv", index=False)
