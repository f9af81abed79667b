"""The experiments: the paper's others, anytime curves, growth, the hard end, threads and limits.

Each is declared as an `Experiment`: its sweeps (`sweep`: which tables, which settings) and its page (`page`:
which tables, figures and notes), mostly from the `columns` that several share. `experiment` runs them all.
"""

from harness.experiments import growth, hard, path, published
from harness.experiments.experiment import Experiment
from harness.experiments.sweep import Call

__all__ = ["EXPERIMENTS", "Call", "Experiment"]

EXPERIMENTS: dict[str, Experiment] = {
    "anytime": growth.ANYTIME,
    "complexity": published.COMPLEXITY,
    "depth-analysis": published.DEPTH,
    "dl85": published.DL85,
    "encodings": published.ENCODINGS,
    "growth": growth.GROWTH,
    "hard": hard.HARD,
    "limits": hard.LIMITS,
    "pareto": published.PARETO,
    "path": path.PATH,
    "threads": hard.THREADS,
    "wide": hard.WIDE,
}
