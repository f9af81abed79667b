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
    """A tree that is optimal for every λ of an interval.

    Attributes
    ----------
    from_ : float
        The smallest λ.
    until : float
        The largest λ; there the tree before it on the path is as good.
    classifier : BranchesClassifier
        A classifier with the tree, for the simplest λ in between.
    """

    from_: float
    until: float
    classifier: BranchesClassifier


class BranchesClassifier(
    CallbackSupportMixin, PredictingMixin, WritingMixin, ClassifierMixin, BaseEstimator
):
    """The decision tree that provably trades accuracy against size best.

    Of all trees on the table, the one is found that maximises

        accuracy − split_penalty · splits,

    and it is proven that none is better. A search that is stopped early gives the best tree found,
    and how much better another one could be at most.

    Numbers and dates are split at thresholds; columns of text, categories and truth values with a
    branch for each value. Values may be missing. Whatever kind of table it is, columns are taken as
    they are: no encoding is needed beforehand.

    Parameters
    ----------
    split_penalty : float, str or Decimal, default=0.01
        λ: how much accuracy a split must bring, at least 0 and less than 1. A float means its
        shortest decimal form, and is never rounded.
    price : {"split", "leaf"}, default="split"
        Whether λ is paid for each split, or for each leaf beyond the first.
    max_depth : int, default=None
        The most splits between the root and a leaf.
    min_samples_leaf : int or float, default=1
        The fewest rows in a leaf, as a number or as a share of all rows (rounded up).
    max_leaf_nodes : int, default=None
        The most leaves.
    max_splits : int, default=None
        The most splits. Of ``max_leaf_nodes`` and ``max_splits`` one can be given.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Which columns are categories. "from_dtype": those of text, categories and truth values;
        categories that are ordered are compared by their order. A mask, positions or names: these;
        all others, and with None all columns, are what their values look like, as in the program.
        A column of text of whose values more than half, and more than 100, come in one row only seems
        to name the rows: it is left out, with a warning, unless it is named here.
    encoding : {"auto", "multiway", "one-hot", "one-hot-drop-first", "one-hot-drop-last", \
"mixed"}, default="auto"
        Which splits categories offer: a branch for each value, or yes/no for each value, or both.
        All but "auto" take whole numbers as categories, too.
    thresholds : int or "all", default=8
        The most thresholds of a column, where they part its rows most evenly. "all" leaves out no way
        of parting the rows, and takes longer. Of these splits "optimal" speaks.
    max_categories : int, default=None
        A column with more values has its rarest ones taken as one.
    missing : {"category", "drop", "refuse"}, default="category"
        What None, NaN and NaT mean: a value of its own, a row to leave out, or an error.
    class_weight : dict, "balanced" or None, default=None
        What rows of each class weigh in the accuracy; "balanced": every class weighs the same.
    costs : array-like of shape (n_classes, n_classes), default=None
        What it costs to answer a row of class i with class j, in the order of ``classes_``. The
        objective is then 1 − cost / worst − split_penalty · splits, where "worst" is what the answers
        could cost at most.
    first_column : str or int, default=None
        The column, by name or position, that the first split must ask about.
    time_limit : float, default=None
        Stop after so many seconds.
    iteration_limit : int, default=None
        Stop after so many iterations: unlike seconds, the same on every machine.
    memory_limit : int or str, default=None
        Stop before holding more memory than this: bytes, or a size such as "2 GiB".
    memo_limit : int or str, default=None
        Let the memo of the engine "fast" hold at most this much; the search only takes longer.
    n_jobs : int, default=None
        How many threads search: None means 1, or what a ``joblib.parallel_config`` says, and −1 all
        processors. The proven tree does not depend on it.
    engine : {"auto", "fast", "paper"}, default="auto"
        "paper" is the BRANCHES algorithm as published, "fast" a faster one; "auto" takes "fast".
    warm_start : bool, default=False
        Whether `fit` starts from the tree of an earlier `fit` to the same columns, as far as its splits
        are still offered. The proven tree does not depend on it. The engine "paper" takes no notice.
    verbose : int, default=0
        With 1, a live line tells how the search goes. Scikit-learn's callbacks, such as its
        ``ProgressBar``, are told as well, from its version 1.9 on.

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
        No tree has a larger objective.
    gap_ : float
        ``upper_bound_ - objective_``: by how much another tree could be better at most.
    is_optimal_ : bool
        Whether it is proven that no tree is better, and none as good with fewer splits.
    stop_reason_ : {None, "time", "iterations", "memory", "interrupted"}
        What ended the search before the proof.
    n_iter_ : int
        Iterations of the search.
    fit_time_ : float
        Seconds that encoding and search took.
    trace_ : ndarray of shape (n_points, 3)
        Seconds, objective and bound each time one of the latter moved, thinned out.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Each column's share of the accuracy that the splits bring. A leaf brings the weight that it
        gets right beyond what the root's class would get right there; the splits on the way to it
        share that equally. All 0 for a tree without splits.
    model_ : Model
        The model as the program writes it.

    Notes
    -----
    *Ctrl-C* ends the search, in a terminal or a notebook: `fit` returns with the best tree found and a
    ``ConvergenceWarning``, as after a time limit. A second Ctrl-C before it has returned raises
    ``KeyboardInterrupt``. In a classifier made by ``sklearn.base.clone`` the first one does: searches
    over parameters, cross-validations and ensembles fit such copies, and Ctrl-C is meant for all fits.

    *A value that training never saw*: at a split with a branch for each value the row stops, and the
    node answers with its own rows; at a yes/no split it is a plain "no". A missing value goes the
    way called "missing"; where a split has none, the row stops as well.

    *Weights*: whole numbers are exactly like so many equal rows. Others count in the accuracy alone,
    not for thresholds and ``min_samples_leaf``; they are taken as decimals, and rounded if they have
    more digits than exact arithmetic in 64 bits has room for.

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
        """Find the best tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            A NumPy array, lists, or any data frame that narwhals knows. A lazy frame (DuckDB, polars,
            Dask, PySpark, …) is counted where it lies: only its distinct rows are collected.
        y : array-like of shape (n_rows,) or str
            The classes, or the name of the column of the data frame that holds them.
        sample_weight : array-like of shape (n_rows,), default=None
            What rows weigh.
        counts : array-like of shape (n_rows,) or str, default=None
            How many rows each row stands for, or the name of the column that says so: for a table
            whose equal rows are merged already.

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

        Each is the best for all λ of an interval, and no other tree is the best for any λ. Searches
        share what they learn, so that this takes less than to fit for each λ.

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
            and the fitted ``classifier``, whose ``split_penalty`` is the simplest decimal in between.
            This classifier itself stays as it is, except that it knows the columns.

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
        """The path, what held-out rows say of its points, and the two points to choose from."""
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
        """Set what is known of a fitted model; `order` has each class's place among its own."""
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
    """Say which columns were not asked about although nobody said so."""
    for name, why in model.left_out:
        message = (
            f'The column "{name}" is left out: {why}. Name it in categorical_features to ask about it, '
            "or drop it from the table."
        )
        warnings.warn(message, UserWarning, stacklevel=4)
