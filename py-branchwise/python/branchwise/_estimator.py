"""The classifier."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from branchwise import _core
from branchwise._callbacks import CallbackSupportMixin, Told, with_callbacks
from branchwise._labels import order_of
from branchwise._predicting import PredictingMixin
from branchwise._task import Task, task_of
from branchwise._tree import Tree
from branchwise._waiting import LiveLine, listener
from branchwise._writing import WritingMixin

if TYPE_CHECKING:
    from typing_extensions import Self


class PathPoint(NamedTuple):
    """A tree that is optimal for every λ in an interval.

    Attributes
    ----------
    from_ : float
        The smallest λ.
    until : float
        The largest λ, at which the previous tree on the path is equally good.
    classifier : BranchesClassifier
        A fitted classifier with this tree; its λ is the simplest decimal in the interval.
    """

    from_: float
    until: float
    classifier: BranchesClassifier


class BranchesClassifier(
    CallbackSupportMixin, PredictingMixin, WritingMixin, ClassifierMixin, BaseEstimator
):
    """An optimal sparse decision tree.

    `fit` finds the tree that maximises

        accuracy − split_penalty · splits

    and proves that no other tree is better. A search that is stopped early returns the best tree found
    and a bound on how much better any other tree can be.

    Numbers and dates are split at thresholds; text, categories and booleans are split into one branch
    per value. Values may be missing. Tables need no encoding beforehand.

    Parameters
    ----------
    split_penalty : float, str or Decimal, default=0.01
        λ: the accuracy that a split must gain, at least 0 and less than 1. A float stands for its
        shortest decimal form, which is used exactly.
    price : {"split", "leaf"}, default="split"
        Whether λ is charged for each split, or for each leaf beyond the first.
    max_depth : int, default=None
        The maximum number of splits between the root and a leaf.
    min_samples_leaf : int or float, default=1
        The minimum number of rows in a leaf, or their share of all rows (rounded up).
    max_leaf_nodes : int, default=None
        The maximum number of leaves.
    max_splits : int, default=None
        The maximum number of splits. Only one of ``max_leaf_nodes`` and ``max_splits`` can be given.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Which columns are categories. "from_dtype": those of text, categories and booleans; ordered
        categories are compared by their order. A mask, positions or names select columns; the types
        of all others (with None, of all columns) are detected from their values, as in the program.
        A text column seems to identify the rows if more than half of its values, and more than 100,
        occur in a single row. It is then left out with a warning, unless it is selected here.
    encoding : {"auto", "multiway", "one-hot", "one-hot-drop-first", "one-hot-drop-last", \
"mixed"}, default="auto"
        How categories are split: one branch per value, a yes/no question per value, or both. All
        choices but "auto" also treat integers as categories.
    thresholds : int or "all", default=8
        The maximum number of thresholds per column, placed at quantiles. "all" uses every threshold
        that separates two values, and takes longer. The tree is optimal among those with these splits.
    max_categories : int, default=None
        The maximum number of categories per column; the rarest values are merged into one.
    missing : {"category", "drop", "refuse"}, default="category"
        Whether None, NaN and NaT are a category, cause their rows to be dropped, or are an error.
    class_weight : dict, "balanced" or None, default=None
        The weight of each class in the accuracy; "balanced" gives all classes the same total weight.
    costs : array-like of shape (n_classes, n_classes), default=None
        ``costs[i][j]`` is the cost of predicting class j for a row of class i, in the order of
        ``classes_``. The objective is then 1 − cost / worst − split_penalty · splits, where "worst" is
        the largest possible cost.
    first_column : str or int, default=None
        The column, by name or position, that the first split must use.
    time_limit : float, default=None
        Stop after this many seconds.
    iteration_limit : int, default=None
        Stop after this many iterations, which gives the same tree on every machine.
    memory_limit : int or str, default=None
        Stop before more memory than this is in use: bytes, or a size such as "2 GiB".
    memo_limit : int or str, default=None
        Limit the memory of the memo of the engine "fast"; a smaller memo only makes the search slower.
    n_jobs : int, default=None
        The number of search threads: None means 1, unless a ``joblib.parallel_config`` sets another
        number; −1 means all processors. The proven tree does not depend on it.
    engine : {"auto", "fast", "paper"}, default="auto"
        "paper" is the BRANCHES algorithm as published, "fast" a faster one; "auto" means "fast".
    warm_start : bool, default=False
        Whether `fit` starts from the tree of the previous `fit` to the same columns, as far as its
        splits are still available. The proven tree does not depend on it. The engine "paper" ignores
        it.
    verbose : int, default=0
        With 1, a line shows the progress of the search. The callbacks of scikit-learn 1.9 and later,
        such as ``ProgressBar``, work as well.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where all of them are text.
    tree_ : Tree
        The tree as data.
    objective_ : float
        accuracy − split_penalty · splits of the tree, on the training rows.
    upper_bound_ : float
        An upper bound on the objective of every tree.
    gap_ : float
        ``upper_bound_ - objective_``: no other tree is better by more than this.
    is_optimal_ : bool
        Whether it is proven that no tree is better, and that no tree with fewer splits is as good.
    stop_reason_ : {None, "time", "iterations", "memory", "interrupted"}
        What ended the search before the proof.
    n_iter_ : int
        Iterations of the search.
    fit_time_ : float
        The time of encoding and search in seconds.
    trace_ : ndarray of shape (n_points, 3)
        Seconds, objective and bound at moments when the objective or the bound changed. Long traces are
        thinned out.
    feature_importances_ : ndarray of shape (n_features_in_,)
        The share of each column in the accuracy that the splits gain. A leaf gains the weight that it
        classifies correctly beyond what the majority class of the root would; the splits on the path to
        it share this gain equally. All 0 for a tree without splits.
    model_ : Model
        The model, as the program stores it in files.

    Notes ----- *Ctrl-C* ends the search, in a terminal or a notebook: `fit` returns the best tree
    found and warns with a ``ConvergenceWarning``, as after a time limit. A second Ctrl-C before `fit`
    has returned raises ``KeyboardInterrupt``. In classifiers made by ``sklearn.base.clone`` the first
    Ctrl-C raises it: parameter searches, cross-validation and ensembles fit clones, and Ctrl-C should
    end all of their fits.

    *Values that were not in the training table*: the row stops at a split with one branch per value,
    and the node where it stops answers with its majority class; a yes/no split treats the value as
    "no". A missing value follows the branch called "missing"; a row also stops where the split has no
    such branch.

    *Weights*: a row whose weight is a whole number counts exactly like that number of equal rows, if
    all weights are whole numbers. Other weights affect the accuracy only, not thresholds and
    ``min_samples_leaf``. They are read as decimals, and rounded if exact arithmetic in 64 bits has no
    room for all of their digits.

    References
    ----------
    A. Chaouki, J. Read, A. Bifet: Branches: efficiently seeking optimal sparse decision trees with
    AO*. ICML 2025.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from branchwise import BranchesClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = BranchesClassifier(split_penalty=0.02, thresholds="all").fit(X, y)
    >>> tree.is_optimal_, tree.get_n_leaves(), round(tree.score(X, y), 4)
    (True, 3, 0.96)
    """

    #: Whether scikit-learn made this classifier as a copy of another one.
    _is_clone = False

    def __init__(
        self,
        split_penalty: Any = 0.01,
        *,
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
        self.split_penalty = split_penalty
        self.price = price
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.max_splits = max_splits
        self.categorical_features = categorical_features
        self.encoding = encoding
        self.thresholds = thresholds
        self.max_categories = max_categories
        self.missing = missing
        self.class_weight = class_weight
        self.costs = costs
        self.first_column = first_column
        self.time_limit = time_limit
        self.iteration_limit = iteration_limit
        self.memory_limit = memory_limit
        self.memo_limit = memo_limit
        self.n_jobs = n_jobs
        self.engine = engine
        self.warm_start = warm_start
        self.verbose = verbose

    @with_callbacks
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, counts: Any = None
    ) -> BranchesClassifier:
        """Find the optimal tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            A NumPy array, lists, or any data frame that narwhals supports. A lazy frame (DuckDB,
            polars, Dask, PySpark, …) is grouped where it is, and only its distinct rows are collected.
        y : array-like of shape (n_rows,) or str
            The classes, or the name of the data frame's column of classes.
        sample_weight : array-like of shape (n_rows,), default=None
            The weights of rows.
        counts : array-like of shape (n_rows,) or str, default=None
            How many equal rows each row stands for, or the name of the column with these numbers: for
            tables whose equal rows have been merged.

        Returns
        -------
        self : BranchesClassifier
            The fitted classifier.
        """
        told = Told(self, X, y)
        task = task_of(self, X, y, sample_weight, counts)
        model = self._search(task, told)
        self._take(model, order_of(task.texts, model))
        told.end()
        return self

    def path(self, X: Any, y: Any, sample_weight: Any = None, *, counts: Any = None) -> list[PathPoint]:
        """Find every tree that is optimal for some λ from ``split_penalty`` to 1.

        Each tree is optimal for all λ in an interval, and no other tree is optimal for any λ. The
        searches share what they learn, so this takes less time than a fit for each λ.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            As for `fit`.
        y : array-like of shape (n_rows,) or str
            As for `fit`.
        sample_weight : array-like of shape (n_rows,), default=None
            As for `fit`.
        counts : array-like of shape (n_rows,) or str, default=None
            As for `fit`.

        Returns
        -------
        points : list of PathPoint
            From one leaf to the largest tree: ``from_`` and ``until``, the ends of the interval of λ,
            and the fitted ``classifier``, whose ``split_penalty`` is the simplest decimal in the
            interval. This classifier itself is not fitted; it only learns the names of columns and
            classes.

        Examples
        --------
        >>> from branchwise import BranchesClassifier, load_builtin
        >>> robots = load_builtin("monk3")
        >>> path = BranchesClassifier(encoding="one-hot").path(robots.data, robots.target)
        >>> [(round(point.until, 4), point.classifier.get_n_leaves()) for point in path]
        [(1.0, 1), (0.2778, 2), (0.1667, 3), (0.0139, 5)]
        """
        points, _, _ = self._walk(task_of(self, X, y, sample_weight, counts), None)
        return points

    def _walk(
        self, task: Task, folds: tuple[int, int] | None
    ) -> tuple[list[PathPoint], list[tuple[float, float] | None], tuple[int, int] | None]:
        """The path, the scores of its points on held-out rows, and the two points to choose from."""
        live = LiveLine() if self.verbose else None
        progress = listener(live, None)
        found, verdict, chosen, interrupted = _core.path(task, folds, not self._is_clone, progress)
        stopped = [model for _, _, model, _ in found if not model.is_optimal]
        _warn_of_left_out(found[-1][2])
        if live is not None:
            live.close(verdict)
        if stopped or interrupted:
            warnings.warn((stopped or [found[-1][2]])[0].verdict, ConvergenceWarning, stacklevel=3)
        points = []
        for start, until, model, _ in found:
            shared = BranchesClassifier().get_params()
            own = {name: value for name, value in self.get_params().items() if name in shared}
            classifier = BranchesClassifier(**{**own, "split_penalty": model.split_penalty})
            for name in ("classes_", "n_features_in_", "feature_names_in_"):
                if hasattr(self, name):
                    setattr(classifier, name, getattr(self, name))
            classifier._take(model, order_of(task.texts, model))
            points.append(PathPoint(start, until, classifier))
        return points, [held_out for _, _, _, held_out in found], chosen

    def _search(self, task: Task, told: Told) -> _core.Model:
        live = LiveLine() if self.verbose else None
        start = getattr(self, "model_", None) if self.warm_start else None
        progress = listener(live, told)
        model, interrupted = _core.fit(task, start, not self._is_clone, progress)
        if live is not None:
            live.close(model.verdict)
        _warn_of_left_out(model)
        if model.stopped_by is not None or interrupted:
            warnings.warn(model.verdict, ConvergenceWarning, stacklevel=3)
        return model

    def _take(self, model: _core.Model, order: list[int]) -> BranchesClassifier:
        """Set the fitted attributes; `order` has the index of each class among the model's classes."""
        self.model_ = model
        self.tree_ = Tree(model, order)
        self.objective_ = model.objective
        self.upper_bound_ = model.upper_bound
        self.gap_ = model.gap
        self.is_optimal_ = model.is_optimal
        self.stop_reason_ = model.stopped_by
        self.n_iter_ = model.iterations
        self.fit_time_ = model.seconds
        self.trace_ = np.array(model.trace, dtype=float).reshape(-1, 3)
        self.feature_importances_ = model.importances()
        return self

    def __sklearn_clone__(self) -> Self:
        """A copy that is one of many: Ctrl-C is meant for all of their fits.

        A search over parameters, a cross-validation or an ensemble fits copies. It would take a tree
        that was cut short for a finished one, and go on with the next fit.
        """
        clone: Self = super().__sklearn_clone__()
        clone._is_clone = True
        return clone

    def _html_repr(self) -> str:
        """Scikit-learn's own box, and below it the tree."""
        page: str = super()._html_repr()
        if not hasattr(self, "model_"):
            return page
        return f'{page}<div style="overflow:auto">{self.model_.svg()}</div>'

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "refuse"
        tags.non_deterministic = self.time_limit is not None
        return tags


def _warn_of_left_out(model: _core.Model) -> None:
    """Warn of columns that were left out although the user did not ask for it."""
    for name, why in model.left_out:
        message = (
            f'The column "{name}" is left out: {why}. Name it in categorical_features to use it, '
            "or drop it from the table."
        )
        warnings.warn(message, UserWarning, stacklevel=4)
