"""What rows are worth: counts and weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

Array = np.ndarray[Any, Any]

#: Whole numbers below this are exact as counts.
_MOST = 2**48


def counts_and_weights(
    X: Any, codes: Array, classes: Array, sample_weight: Any, counts: Any, class_weight: Any
) -> tuple[Array | None, Array | None]:
    """How many rows each row stands for, and what it weighs; None: one.

    Whole numbers in ``sample_weight`` are counts: such a row is exactly like so many rows.
    """
    repeated = None if counts is None else _counts(counts, len(codes))
    weights = None
    if sample_weight is not None:
        given = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        is_whole = bool(np.all(given == np.floor(given))) and given.sum() < _MOST
        if is_whole and repeated is None:
            repeated = given.astype(np.uint64)
        else:
            weights = given
    if class_weight is not None:
        of_classes = _class_weights(class_weight, codes, classes, repeated, weights)
        weights = of_classes[codes] * (1.0 if weights is None else weights)
    return repeated, weights


def _counts(counts: Any, n_rows: int) -> Array:
    given = np.asarray(counts)
    if given.shape != (n_rows,):
        raise ValueError(f"counts has shape {given.shape}, but there are {n_rows} rows")
    if given.dtype.kind not in "iuf" or not np.all((given >= 0) & (given == np.floor(given))):
        raise ValueError("counts must be whole numbers, at least 0: how many rows each stands for")
    if float(given.sum()) >= _MOST:
        raise ValueError("counts add up to more than 2**48 rows")
    return given.astype(np.uint64)


def _class_weights(
    class_weight: Any, codes: Array, classes: Array, counts: Array | None, weights: Array | None
) -> Array:
    """What a row of each class weighs."""
    if not (isinstance(class_weight, str) and class_weight == "balanced"):
        labels = classes[codes]
        return np.asarray(compute_class_weight(class_weight, classes=classes, y=labels), dtype=float)
    rows = np.bincount(codes, weights=_product(counts, weights), minlength=len(classes))
    rows = np.where(rows > 0, rows, 1)
    if weights is None:
        # Only ratios matter: with a common multiple of the sizes they are whole numbers, and exact.
        common = math.lcm(*(int(size) for size in rows))
        if common * len(classes) < 2**40:
            return common / rows
    return np.asarray(rows.sum() / (len(classes) * rows))


def _product(counts: Array | None, weights: Array | None) -> Array | None:
    if counts is None or weights is None:
        return weights if counts is None else counts.astype(float)
    return np.asarray(counts * weights)
