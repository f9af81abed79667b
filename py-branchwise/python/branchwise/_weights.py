"""Counts and weights of rows are checked as scikit-learn does it; the library gives them a meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight

Array = np.ndarray[Any, Any]

#: Whole numbers below this are exact as counts.
_MOST = 2**48


def counts_and_weights(
    X: Any, n_rows: int, sample_weight: Any, counts: Any
) -> tuple[Array | None, Array | None]:
    """How many rows each row stands for, and what it weighs; None: one."""
    weights = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return None if counts is None else _counts(counts, n_rows), weights


def _counts(counts: Any, n_rows: int) -> Array:
    given = np.asarray(counts)
    if given.shape != (n_rows,):
        raise ValueError(f"counts has shape {given.shape}, but there are {n_rows} rows")
    if given.dtype.kind not in "iuf" or not np.all((given >= 0) & (given == np.floor(given))):
        raise ValueError("counts must be whole numbers, at least 0: how many rows each stands for")
    if float(given.sum()) >= _MOST:
        raise ValueError("counts add up to more than 2**48 rows")
    return given.astype(np.uint64)
