"""Parameters are checked, and said in the words of Rust."""

from __future__ import annotations

import math
import numbers
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs

from branchwise._core import parse_size

if TYPE_CHECKING:
    from branchwise._estimator import BranchesClassifier


def settings_of(estimator: BranchesClassifier, n_rows: int, texts: list[str]) -> dict[str, Any]:
    """What the search is told, for a table of so many rows and classes called so."""
    thresholds = estimator.thresholds
    return {
        "split_penalty": _decimal("split_penalty", estimator.split_penalty),
        "price": str(estimator.price),
        "encoding": str(estimator.encoding),
        "thresholds": None if thresholds == "all" else whole("thresholds", thresholds, 1),
        "max_categories": _optional("max_categories", estimator.max_categories, 2),
        "missing": str(estimator.missing),
        "first_column": _first_column(estimator),
        "costs": _costs(estimator.costs, texts),
        "engine": str(estimator.engine),
        "max_depth": _optional("max_depth", estimator.max_depth, 0),
        "min_leaf": _rows("min_samples_leaf", estimator.min_samples_leaf, n_rows),
        "max_leaves": _optional("max_leaf_nodes", estimator.max_leaf_nodes, 1),
        "max_splits": _optional("max_splits", estimator.max_splits, 0),
        "time_limit": _seconds("time_limit", estimator.time_limit),
        "iteration_limit": _optional("iteration_limit", estimator.iteration_limit, 0),
        "memory_limit": _bytes("memory_limit", estimator.memory_limit),
        "memo_limit": _bytes("memo_limit", estimator.memo_limit),
        "threads": effective_n_jobs(estimator.n_jobs),
    }


def _first_column(estimator: BranchesClassifier) -> str | None:
    """The column's name or, where columns have none, its position counted from 1."""
    wanted = estimator.first_column
    if wanted is None:
        return None
    names = getattr(estimator, "feature_names_in_", None)
    place = _position("first_column", wanted, estimator.n_features_in_, names)
    return str(place + 1) if names is None else str(names[place])


def _costs(costs: Any, texts: list[str]) -> tuple[list[str], list[list[str]]] | None:
    if costs is None:
        return None
    matrix = np.asarray(costs)
    if matrix.shape != (len(texts), len(texts)):
        raise ValueError(
            f"costs has shape {matrix.shape}; give a row for each class and a column for each answer, "
            f"{len(texts)} of both, in the order of classes_"
        )
    return texts, [[_decimal("costs", cost) for cost in row] for row in matrix.tolist()]


def _decimal(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, numbers.Real | Decimal | str):
        raise TypeError(f"{name} is {value!r}; give a number, or a decimal as text")
    return str(float(value)) if isinstance(value, numbers.Real | np.floating) else str(value)


def whole(name: str, value: Any, least: int) -> int:
    """A whole number that is large enough."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} is {value!r}; give a whole number")
    if not least <= int(value) < 2**31:
        raise ValueError(f"{name} is {value}; it must be at least {least} and less than 2**31")
    return int(value)


def _optional(name: str, value: Any, least: int) -> int | None:
    return None if value is None else whole(name, value, least)


def _rows(name: str, value: Any, n_rows: int) -> int:
    """A number of rows, or a share of all."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return whole(name, value, 1)
    if isinstance(value, numbers.Real) and 0 < float(value) < 1:
        return max(1, math.ceil(float(value) * n_rows))
    raise ValueError(f"{name} is {value!r}; give a whole number from 1, or a share between 0 and 1")


def _seconds(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is {value!r}; give a number of seconds")
    if not (math.isfinite(value) and float(value) >= 0):
        raise ValueError(f"{name} is {value}; it must be finite and at least 0 seconds")
    return float(value)


def _bytes(name: str, value: Any) -> int | None:
    if isinstance(value, str):
        try:
            return parse_size(value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f'{name} is {value!r}; give a number of bytes, or a size such as "2 GiB"')
    if not 0 <= int(value) < 2**63:
        raise ValueError(f"{name} is {value}; it must be at least 0 and less than 2**63 bytes")
    return int(value)


def categorical_mask(
    features: Any, n_columns: int, names: np.ndarray[Any, Any] | None
) -> list[bool] | None:
    """For each column, whether the user takes it as categories; None: as its type says."""
    if isinstance(features, str):
        if features == "from_dtype":
            return None
        raise ValueError(
            f"categorical_features is {features!r}; give 'from_dtype', a mask, positions or names"
        )
    mask = [False] * n_columns
    if features is None:
        return mask
    listed = np.asarray(features)
    if listed.dtype.kind == "b":
        if listed.shape != (n_columns,):
            raise ValueError(
                f"categorical_features is a mask of shape {listed.shape}, but X has {n_columns} columns"
            )
        return [bool(is_one) for is_one in listed]
    for wanted in listed.tolist():
        mask[_position("categorical_features", wanted, n_columns, names)] = True
    return mask


def _position(parameter: str, wanted: Any, n_columns: int, names: np.ndarray[Any, Any] | None) -> int:
    """The column that is meant by its name, or by its position counted from 0."""
    if isinstance(wanted, str):
        known = [] if names is None else list(names)
        if wanted in known:
            return known.index(wanted)
        raise ValueError(f"{parameter} names {wanted!r}; the columns are {known}")
    if isinstance(wanted, int) and -n_columns <= wanted < n_columns:
        return wanted % n_columns
    raise ValueError(f"{parameter} has {wanted!r}; X has {n_columns} columns")
