"""Stands for the clinic: ten new patients, the doses being set, on standard output.

python treat.py 2 aspirin=1 statin=0.5 > second.csv     the second ten
"""

import sys

from make_data import patients

which, *words = sys.argv[1:]
doses = {name: float(level) for name, level in (word.split("=") for word in words)}
print(patients(10, seed=int(which), **doses).to_csv(index=False), end="")
