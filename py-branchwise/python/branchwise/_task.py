"""A table and the parameters of a classifier become a task for the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from branchwise import _core
from branchwise._frames import as_frame, columns_of_array, columns_of_frame
from branchwise._labels import target_of
from branchwise._lazy import aggregated
from branchwise._settings import categorical_mask, settings_of
from branchwise._weights import counts_and_weights

if TYPE_CHECKING:
    from branchwise._estimator import BranchesClassifier

Array = np.ndarray[Any, Any]


class Task(NamedTuple):
    """A table and the settings of a search, as the library takes them."""

    columns: _core.Columns
    target: _core.Columns
    texts: list[str]
    roles: dict[str, Any]
    settings: str


def task_of(estimator: BranchesClassifier, X: Any, y: Any, sample_weight: Any, counts: Any) -> Task:
    """Check a table and the parameters of a classifier, and hand both over to the library.

    The classifier learns the names of columns and classes from the table.
    """
    X, y, counts = aggregated(X, y, counts, sample_weight)
    columns, y = _training_columns(estimator, X, y)
    check_classification_targets(y)
    estimator.classes_, codes = np.unique(y, return_inverse=True)
    names = getattr(estimator, "feature_names_in_", None)
    n_columns = estimator.n_features_in_
    target, texts = target_of(estimator.classes_, codes, _unused_name(names))
    counted, weights = counts_and_weights(X, len(codes), sample_weight, counts)
    roles = {
        "named": names is not None,
        "categorical": categorical_mask(estimator.categorical_features, n_columns, names),
        "counts": counted,
        "weights": weights,
    }
    return Task(columns, target, texts, roles, settings_of(estimator, texts))


def _training_columns(estimator: BranchesClassifier, X: Any, y: Any) -> tuple[_core.Columns, Array]:
    """Check a table and its classes; the classifier remembers what the columns are called."""
    frame = as_frame(X)
    if frame is None:
        allowed = finite(estimator.missing)
        X, y = validate_data(estimator, X, y, dtype=None, ensure_all_finite=allowed)
        return columns_of_array(X), y
    validate_data(estimator, X, y, skip_check_array=True)
    y = column_or_1d(y, warn=True)
    assert_all_finite(y, input_name="y")
    check_consistent_length(X, y)
    if 0 in frame.shape:
        raise ValueError(
            f"Found a data frame of shape {frame.shape}: at least 1 row and 1 column are required"
        )
    return columns_of_frame(frame), y


def finite(missing: str) -> bool | str:
    """What scikit-learn should refuse in arrays: infinity always, NaN where it is not a value."""
    return True if missing == "refuse" else "allow-nan"


def _unused_name(names: Array | None) -> str:
    """A name for the target that no column has."""
    name = "class"
    while names is not None and name in names:
        name += "_"
    return name
