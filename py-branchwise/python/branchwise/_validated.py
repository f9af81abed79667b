"""A classifier that chooses λ by cross-validation."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from branchwise._callbacks import Told, with_callbacks
from branchwise._estimator import BranchesClassifier
from branchwise._settings import whole
from branchwise._task import task_of


class BranchesClassifierCV(BranchesClassifier):
    """The optimal tree for a λ chosen by cross-validation.

    The path of all trees that are optimal for some λ from ``split_penalty`` to 1 is computed on the
    whole table, and once for each fold without the fold's rows. The score of a tree on the first path
    is the mean accuracy, on held-out rows, of the trees that the other paths have for the same λ.

    Parameters
    ----------
    split_penalty : float, str or Decimal, default=0.01
        The smallest λ to consider.
    folds : int, default=5
        The number of folds. They are stratified by class, and do not depend on the order of rows.
    rule : {"one-standard-error", "best"}, default="one-standard-error"
        Which tree to choose: the smallest tree whose mean accuracy is at most one standard error below
        the best, or the tree with the best mean.
    random_state : int, default=0
        The seed that assigns rows to folds.
    **parameters
        All other parameters are those of `BranchesClassifier`.

    Attributes
    ----------
    split_penalty_ : str
        The chosen λ, as a decimal.
    path_ : list of PathPoint
        The trees to choose from, starting with one leaf.
    cv_results_ : dict of ndarrays
        For each of them ``from``, ``until``, ``splits``, ``mean_test_score`` and
        ``standard_error_test_score``.
    best_index_ : int
        The index of the tree with the best mean.
    chosen_index_ : int
        The index of the chosen tree.

    See Also
    --------
    BranchesClassifier : All other parameters and attributes.

    Examples
    --------
    >>> from branchwise import BranchesClassifierCV, load_builtin
    >>> robots = load_builtin("monk3")
    >>> tree = BranchesClassifierCV(encoding="one-hot").fit(robots.data, robots.target)
    >>> tree.get_n_leaves(), len(tree.path_)
    (5, 4)
    """

    def __init__(
        self,
        split_penalty: Any = 0.01,
        *,
        folds: int = 5,
        rule: str = "one-standard-error",
        random_state: int = 0,
        price: str = "split",
        max_depth: int | None = None,
        min_samples_leaf: float = 1,
        max_leaf_nodes: int | None = None,
        max_splits: int | None = None,
        categorical_features: Any = "from_dtype",
        encoding: str = "auto",
        thresholds: Any = 8,
        max_categories: int | None = None,
        missing: str = "category",
        class_weight: Any = None,
        costs: Any = None,
        first_column: Any = None,
        time_limit: float | None = None,
        iteration_limit: int | None = None,
        memory_limit: Any = None,
        memo_limit: Any = None,
        n_jobs: int | None = None,
        engine: str = "auto",
        warm_start: bool = False,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            split_penalty,
            price=price,
            max_depth=max_depth,
            min_samples_leaf=min_samples_leaf,
            max_leaf_nodes=max_leaf_nodes,
            max_splits=max_splits,
            categorical_features=categorical_features,
            encoding=encoding,
            thresholds=thresholds,
            max_categories=max_categories,
            missing=missing,
            class_weight=class_weight,
            costs=costs,
            first_column=first_column,
            time_limit=time_limit,
            iteration_limit=iteration_limit,
            memory_limit=memory_limit,
            memo_limit=memo_limit,
            n_jobs=n_jobs,
            engine=engine,
            warm_start=warm_start,
            verbose=verbose,
        )
        self.folds = folds
        self.rule = rule
        self.random_state = random_state

    @with_callbacks
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, counts: Any = None
    ) -> BranchesClassifierCV:
        """Compute the path, and choose one of its trees.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            As for `BranchesClassifier`.
        y : array-like of shape (n_rows,) or str
            As for `BranchesClassifier`.
        sample_weight : array-like of shape (n_rows,), default=None
            As for `BranchesClassifier`.
        counts : array-like of shape (n_rows,) or str, default=None
            As for `BranchesClassifier`.

        Returns
        -------
        self : BranchesClassifierCV
            The fitted classifier.
        """
        if self.rule not in ("one-standard-error", "best"):
            raise ValueError(f"rule is {self.rule!r}; give 'one-standard-error' or 'best'")
        told = Told(self, X, y)
        seed = 0 if self.random_state is None else whole("random_state", self.random_state, 0)
        folds = whole("folds", self.folds, 2)
        task = task_of(self, X, y, sample_weight, counts)
        points, held_out, chosen = self._walk(task, (folds, seed))
        if chosen is None:
            message = "a limit was reached before two folds were tried: the path's last tree is taken"
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
            chosen = (len(points) - 1, len(points) - 1)
        self.best_index_, smallest = chosen
        self.chosen_index_ = self.best_index_ if self.rule == "best" else smallest
        figures = np.array([found or (np.nan, np.nan) for found in held_out])
        self.path_ = points
        self.cv_results_ = {
            "from": np.array([point.from_ for point in points]),
            "until": np.array([point.until for point in points]),
            "splits": np.array([point.classifier.tree_.n_splits for point in points]),
            "mean_test_score": figures[:, 0],
            "standard_error_test_score": figures[:, 1],
        }
        taken = points[self.chosen_index_].classifier
        self.split_penalty_ = taken.split_penalty
        self._take(taken.model_, taken.tree_.order)
        told.end()
        return self
