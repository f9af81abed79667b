"""The paper's other experiments, anytime curves and growth: each a module with `run`.

`run` gets a `Setting`, makes jobs, and writes `NAME.md` and figures into the setting's folder.
"""

from collections.abc import Callable

from harness.experiments import anytime, complexity, depth, dl85, encodings, growth, pareto, path
from harness.experiments.setting import Setting

EXPERIMENTS: dict[str, Callable[[Setting], None]] = {
    "anytime": anytime.run,
    "complexity": complexity.run,
    "depth-analysis": depth.run,
    "dl85": dl85.run,
    "encodings": encodings.run,
    "growth": growth.run,
    "pareto": pareto.run,
    "path": path.run,
}
