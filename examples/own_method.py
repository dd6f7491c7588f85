"""A researcher's own method beside CEO: Thompson sampling for causes, in one small class.

    python examples/own_method.py     prints a table

A method is any value with a `name` and two functions: `believe` gives the belief that it goes by, `propose`
the next experiment.  This one draws a graph from P(G | D), then a curve of each effect given that graph, and
does what would be best if they were true, for its cost.  Both methods are held against the known answer of
the Synthetic system of the paper.  Two data sets are an example, not a comparison: that takes many, and all
systems.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import ceopt
from ceopt.acquisition.candidates import candidates
from ceopt.domain.intervention import Intervention
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference.belief import Belief, under
from ceopt.inference.scaling import unit_box
from ceopt.methods import Asking, Proposal

OBSERVED, INTERVENTIONS, SAMPLES = 100, 6, 10  # rows only watched; experiments, and rows in each
DATA_SETS = 2


@dataclass(frozen=True)
class Thompson:
    """What would be best for its cost if one draw of the graph, and of each effect, were true."""

    points: int = 60

    name = "thompson"

    def believe(self, belief: Belief) -> Belief:
        """All of it."""
        return belief

    def propose(self, beliefs: Sequence[Belief], asking: Asking) -> Proposal:
        """Smaller is better, in standard deviations of the target: the belief has been turned so."""
        rng = np.random.default_rng(asking.seed)
        belief = beliefs[rng.integers(len(beliefs))]  # beliefs differ in what open experiments may tell
        graphs = belief.problem.graphs.graphs
        drawn = graphs[rng.choice(len(graphs), p=belief.graphs.probabilities)]
        given = under(belief, WeightedGraphs.of([drawn]))
        now = min(self.means(belief, targets).min() for targets in belief.problem.sets)
        found = [self.best(given, targets, float(now), rng) for targets in belief.problem.sets]
        return max(found, key=lambda one: one.worth)

    def means(self, belief: Belief, targets: tuple[str, ...]) -> np.ndarray:
        """What is expected at the acquisition points of a set."""
        return belief.marginals(targets, candidates(belief, targets, self.points)).mean

    def best(self, given: Belief, targets: tuple[str, ...], now: float, rng: np.random.Generator) -> Proposal:
        """The least value of one draw of a set's effect, against the best mean of now."""
        x = candidates(given, targets, self.points)
        place = unit_box(given.problem, targets, x)
        effect = given.surrogates[targets].joint(place, given.effects(targets, x))
        draw = rng.multivariate_normal(effect.mean, effect.covariance, method="eigh")
        do, better = Intervention(targets, tuple(x[draw.argmin()].tolist())), now - float(draw.min())
        worth = better / given.problem.price(do)
        return Proposal(do, optimum=better, worth=worth, unit="sd of the target")


def main() -> None:
    """Both methods on the same data."""
    bench = ceopt.problems.synthetic()
    print("regret: how much worse the recommendation is, on average, than the best there is")
    print(f"{'data':>4}  {'method':<8}  {'recommended':<22}  {'regret':>6}  {'P(true graph)':>13}")
    for seed in range(DATA_SETS):
        for method in (ceopt.methods.CEO(), Thompson()):
            observed = bench.system.sample(OBSERVED, rng=seed)
            study = ceopt.create_study(bench.problem, observations=observed, method=method, seed=seed)
            best = study.optimize(bench.system, trials=INTERVENTIONS, samples=SAMPLES, progress=False)
            do = ", ".join(f"{name} = {level:.2f}" for name, level in best.do.items())
            regret = bench.system.mean(best.do) - bench.optimum.value
            found = study.graph_posterior()[bench.true_graph.text]
            print(f"{seed:>4}  {method.name:<8}  {do:<22}  {regret:>6.2f}  {found:>13.2f}")


if __name__ == "__main__":
    main()
