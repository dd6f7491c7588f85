"""Every benchmark and variant of the package, by its full name."""

from ceopt import problems

BENCHMARKS = {
    "synthetic": problems.synthetic(),
    "synthetic-cbo": problems.synthetic("cbo"),
    "health": problems.health(),
    "health-cbo": problems.health("cbo"),
    "epidemiology": problems.epidemiology(),
    "epidemiology-authors": problems.epidemiology("authors"),
    "epidemiology-paper-text": problems.epidemiology("paper-text"),
    "epidemiology-extended": problems.epidemiology_extended(),
    "epidemiology-extended-authors": problems.epidemiology_extended("authors"),
    "symptoms": problems.symptoms(),
    "complete-graph": problems.complete_graph(),
}
