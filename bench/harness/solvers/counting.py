"""Counts for the tree or the predictions of a solver on the tables of a job."""

from collections.abc import Callable

import numpy as np

from harness import tables, trees
from harness.job import Job, Outcome

Answer = Callable[[np.ndarray], np.ndarray]


def of_tree(job: Job, tree: trees.Tree, **rest: object) -> Outcome:
    """Counts a tree's correct answers, splits and depth."""

    def answer(features: np.ndarray) -> np.ndarray:
        return trees.answers(tree, features)

    return of_answers(job, answer, trees.splits(tree), depth=trees.depth(tree), **rest)


def of_answers(job: Job, answer: Answer, splits: int, **rest: object) -> Outcome:
    """The same for any model that predicts rows."""
    right, rows = _right(answer, job.table)
    outcome = Outcome(correct=right, rows=rows, splits=splits, **rest)
    if job.test is not None:
        outcome.test_correct, outcome.test_rows = _right(answer, job.test)
    return outcome


def _right(answer: Answer, table: str) -> tuple[int, int]:
    features, labels = tables.read(table)
    return int((np.asarray(answer(features)) == labels).sum()), len(labels)
