"""Ways to choose the next experiment, all made from the same parts.

>>> import ceopt
>>> ceopt.methods.names()
('cbo', 'cd-cbo', 'ceo', 'mes', 'mi', 'random')
>>> ceopt.methods.CEO(points=40).fantasies
16
"""

from ceopt.methods.cbo import CBO
from ceopt.methods.cd_cbo import CDCBO
from ceopt.methods.ceo import CEO
from ceopt.methods.mes import MES
from ceopt.methods.method import Asking, Method, Proposal
from ceopt.methods.mi import MI
from ceopt.methods.random import Random
from ceopt.methods.registry import method_of, names

__all__ = [
    "CBO",
    "CDCBO",
    "CEO",
    "MES",
    "MI",
    "Asking",
    "Method",
    "Proposal",
    "Random",
    "method_of",
    "names",
]
