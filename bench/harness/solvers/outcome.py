"""What a solver hands back: answers and size, and what only it can know."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness import tables, trees
from harness.job import Job


@dataclass
class Outcome:
    """`seconds` and the counts are measured here; the rest is the solver's own word."""

    status: str
    correct: int
    splits: int
    rows: int
    seconds: float
    cpu_seconds: float
    depth: int | None = None
    test_rows: int | None = None
    test_correct: int | None = None
    search_seconds: float | None = None
    process_seconds: float | None = None
    peak_mb: float | None = None
    search_mb: float | None = None
    upper_bound: float | None = None
    iterations: int | None = None
    evaluations: int | None = None
    complexity_bound: float | None = None
    trace: list[list[float | None]] | None = None

    @staticmethod
    def of_tree(job: Job, tree: trees.Tree, **rest: object) -> "Outcome":
        """Counts a tree's correct answers on the job's tables."""
        outcome = Outcome.of_answers(job, lambda features: trees.answers(tree, features), trees.splits(tree), **rest)
        outcome.depth = trees.depth(tree)
        return outcome

    @staticmethod
    def of_answers(job: Job, answer: Callable[[np.ndarray], np.ndarray], splits: int, **rest: object) -> "Outcome":
        """The same for anything that answers rows."""
        features, labels = tables.read(job.table)
        outcome = Outcome(correct=_right(answer, features, labels), splits=splits, rows=len(labels), **rest)
        if job.test is not None:
            features, labels = tables.read(job.test)
            outcome.test_correct, outcome.test_rows = _right(answer, features, labels), len(labels)
        return outcome


def _right(answer: Callable[[np.ndarray], np.ndarray], features: np.ndarray, labels: np.ndarray) -> int:
    return int((np.asarray(answer(features)) == labels).sum())
