"""The exact peers, each called as its own documentation says, on one thread.

Their objectives are ours: STreeD's cost per branching node is λ; GOSDT's price per leaf is λ, and a
binary tree has one leaf more than splits; DL8.5 knows no λ and maximises accuracy within a depth.
"""

import ctypes
import os
import re
import sys
import tempfile
import time

import numpy as np

from harness import tables
from harness.job import Job, Outcome
from harness.solvers import counting
from harness.trees import Leaf, Split, Tree

STREED_DEPTH = 20
"""The deepest that STreeD offers."""


class Clock:
    """Wall and processor time of a block."""

    def __enter__(self) -> "Clock":
        self._start = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._start[0]
        self.cpu_seconds = time.process_time() - self._start[1]

    def times(self) -> dict[str, float]:
        """Both times, under the names of the fields of `Outcome`."""
        return {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds}


class Printed:
    """What was printed to standard output inside a `with`, also from C++."""

    def __enter__(self) -> "Printed":
        self.text = ""
        self._file = tempfile.TemporaryFile("w+")
        self._kept = os.dup(1)
        os.dup2(self._file.fileno(), 1)
        return self

    def __exit__(self, *_: object) -> None:
        # Python and C++ may still hold some of it back.
        sys.stdout.flush()
        ctypes.CDLL(None).fflush(None)
        os.dup2(self._kept, 1)
        os.close(self._kept)
        self._file.seek(0)
        self.text = self._file.read()
        self._file.close()


def streed(job: Job) -> Outcome:
    """STreeD with cost-complexity λ; without a depth in the job, the deepest it offers."""
    return _streed(job, terminal_solver=True)


def streed_plain(job: Job) -> Outcome:
    """The same without its solver for trees of depth two, as the paper compares it."""
    return _streed(job, terminal_solver=False)


def _streed(job: Job, terminal_solver: bool) -> Outcome:
    from pystreed import STreeDClassifier

    features, labels = tables.read(job.table)
    classes, codes = np.unique(labels, return_inverse=True)
    solver = STreeDClassifier(
        "cost-complex-accuracy",
        max_depth=STREED_DEPTH if job.max_depth is None else job.max_depth,
        cost_complexity=float(job.penalty),
        time_limit=job.time_limit,
        verbose=True,
        print_intermediates=True,
        use_terminal_solver=terminal_solver,
    )
    with Printed() as printed, Clock() as clock:
        solver.fit(features, codes)
    tree = _streed_tree(solver.get_tree(), classes)
    elapsed = re.search(r"Total time elapsed: ([\d.e+-]+)", printed.text)
    return counting.of_tree(
        job,
        tree,
        status="optimal" if solver.fit_result.is_optimal() else "stopped",
        search_seconds=float(elapsed[1]) if elapsed else None,
        trace=streed_trace(printed.text, len(labels)),
        **clock.times(),
    )


def streed_trace(log: str, rows: int) -> list[list[float | None]]:
    """Its printed costs as objectives: the cost is errors + λ · rows · splits. It gives no bound."""
    found = re.findall(r"After ([\d.e+-]+) seconds .*Solution = ([\d.e+-]+)", log)
    return [[float(seconds), 1 - float(cost) / rows, None] for seconds, cost in found]


def _streed_tree(node: object, classes: np.ndarray) -> Tree:
    if node.is_leaf_node():
        return Leaf(int(classes[int(node.label)]))
    return Split(int(node.feature), _streed_tree(node.left_child, classes), _streed_tree(node.right_child, classes))


def gosdt(job: Job) -> Outcome:
    """GOSDT with regularisation λ, also where that is below 1 / rows."""
    from gosdt import GOSDTClassifier, Status

    features, labels = tables.read(job.table)
    classes = np.unique(labels)
    solver = GOSDTClassifier(
        regularization=float(job.penalty),
        allow_small_reg=True,
        depth_budget=job.max_depth,
        time_limit=max(1, round(job.time_limit)),
        worker_limit=1,
    )
    with Printed(), Clock() as clock:
        solver.fit(features.astype(bool), labels)
    result = solver.result_
    tree = _gosdt_tree(solver.trees_[0].tree, classes)
    # Its loss counts every leaf, ours every split: one leaf is free.
    bound = 1 - result.lowerbound + float(job.penalty)
    return counting.of_tree(
        job,
        tree,
        status="optimal" if result.status == Status.CONVERGED else "stopped",
        search_seconds=float(result.time),
        upper_bound=bound,
        iterations=int(result.n_iterations),
        **clock.times(),
    )


def _gosdt_tree(node: object, classes: np.ndarray) -> Tree:
    if hasattr(node, "prediction"):
        return Leaf(int(classes[int(node.prediction)]))
    return Split(int(node.feature), _gosdt_tree(node.right_child, classes), _gosdt_tree(node.left_child, classes))


def dl85(job: Job) -> Outcome:
    """DL8.5 within the job's depth, which it must be given; `min_support` is an option."""
    from pydl85 import DL85Classifier

    features, labels = tables.read(job.table)
    classes, codes = np.unique(labels, return_inverse=True)
    if job.max_depth is None:
        raise ValueError("DL8.5 needs a depth")
    solver = DL85Classifier(
        max_depth=job.max_depth,
        min_sup=int(job.options.get("min_support", 1)),
        time_limit=max(1, round(job.time_limit)),
    )
    with Printed(), Clock() as clock:
        solver.fit(features, codes)
    return counting.of_tree(
        job,
        _dl85_tree(solver.base_tree_ if hasattr(solver, "base_tree_") else solver.tree_, classes),
        status="stopped" if solver.timeout_ else "optimal",
        search_seconds=float(solver.runtime_),
        **clock.times(),
    )


def _dl85_tree(node: dict, classes: np.ndarray) -> Tree:
    if "feat" not in node:
        return Leaf(int(classes[int(node["value"])]))
    return Split(int(node["feat"]), _dl85_tree(node["right"], classes), _dl85_tree(node["left"], classes))
