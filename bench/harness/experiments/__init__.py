"""The paper's other experiments, anytime curves, growth, the hard end, threads and limits: each a module with `run`.

`run` gets a `Setting`, makes jobs, and writes `NAME.md` and figures into the setting's folder.
"""

from collections.abc import Callable

from harness.experiments import (
    anytime,
    complexity,
    depth,
    dl85,
    encodings,
    growth,
    hard,
    limits,
    pareto,
    path,
    threads,
    wide,
)
from harness.experiments.setting import Setting

EXPERIMENTS: dict[str, Callable[[Setting], None]] = {
    "anytime": anytime.run,
    "complexity": complexity.run,
    "depth-analysis": depth.run,
    "dl85": dl85.run,
    "encodings": encodings.run,
    "growth": growth.run,
    "hard": hard.run,
    "limits": limits.run,
    "pareto": pareto.run,
    "path": path.run,
    "threads": threads.run,
    "wide": wide.run,
}

TIME_LIMITS = {"growth": 60.0, "hard": 60.0, "limits": 60.0, "threads": 60.0, "wide": 60.0}
"""Seconds for each run, where they are not `TIME_LIMIT`."""

TIME_LIMIT = 10.0
