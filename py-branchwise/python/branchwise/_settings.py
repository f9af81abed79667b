"""The parameters of an estimator become the settings of the library, and back."""

from __future__ import annotations

import json
import math
import numbers
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs

from branchwise._core import parse_size

if TYPE_CHECKING:
    from branchwise._estimator import BranchesClassifier


def settings_of(estimator: BranchesClassifier, texts: list[str]) -> str:
    """The settings as the library reads them, for classes that are called `texts` there."""
    thresholds = estimator.thresholds
    settings = {
        "split_penalty": _decimal("split_penalty", estimator.split_penalty),
        "price": str(estimator.price),
        "class_weight": _class_weight(estimator.class_weight, estimator.classes_, texts),
        "costs": _costs(estimator.costs, texts),
        "encoding": str(estimator.encoding),
        "thresholds": "all"
        if thresholds == "all"
        else {"quantiles": whole("thresholds", thresholds, 1)},
        "max_categories": _optional("max_categories", estimator.max_categories, 2),
        "missing": str(estimator.missing),
        "first_column": _first_column(estimator),
        # Missing values are None, NaN and NaT: no text means them.
        "missing_values": [],
        "constraints": {
            "max_depth": _optional("max_depth", estimator.max_depth, 0),
            **_leaf_rows("min_samples_leaf", estimator.min_samples_leaf),
            "max_leaves": _optional("max_leaf_nodes", estimator.max_leaf_nodes, 1),
            "max_splits": _optional("max_splits", estimator.max_splits, 0),
        },
        "engine": str(estimator.engine),
        "limits": {
            "time": _seconds("time_limit", estimator.time_limit),
            "iterations": _optional("iteration_limit", estimator.iteration_limit, 0),
            "memory": _bytes("memory_limit", estimator.memory_limit),
            "memo": _bytes("memo_limit", estimator.memo_limit),
            "threads": effective_n_jobs(estimator.n_jobs),
        },
    }
    return json.dumps(settings)


def parameters_of(
    settings: dict[str, Any], labels: dict[str, Any], columns: list[str]
) -> dict[str, Any]:
    """The parameters of a classifier with the settings of a model.

    `labels` has the label of each class by its name in the model, in the order of ``classes_``.
    """
    constraints, limits = settings["constraints"], settings["limits"]
    thresholds, first = settings["thresholds"], settings["first_column"]
    share = constraints["min_leaf_share"]
    return {
        "split_penalty": settings["split_penalty"],
        "price": settings["price"],
        "class_weight": _given_class_weight(settings["class_weight"], labels),
        "costs": _given_costs(settings["costs"], labels),
        "encoding": settings["encoding"],
        "thresholds": thresholds if thresholds == "all" else thresholds["quantiles"],
        "max_categories": settings["max_categories"],
        "missing": settings["missing"],
        "first_column": int(first) - 1 if first is not None and first not in columns else first,
        "max_depth": constraints["max_depth"],
        "min_samples_leaf": float(share) if share else constraints["min_leaf"] or 1,
        "max_leaf_nodes": constraints["max_leaves"],
        "max_splits": constraints["max_splits"],
        "engine": settings["engine"],
        "time_limit": limits["time"],
        "iteration_limit": limits["iterations"],
        "memory_limit": limits["memory"],
        "memo_limit": limits["memo"],
        "n_jobs": limits["threads"],
    }


def _class_weight(class_weight: Any, classes: Any, texts: list[str]) -> Any:
    """The weights of classes by their names; as in scikit-learn, a class without one weighs 1."""
    if class_weight is None:
        return "equal"
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight is {class_weight!r}; give 'balanced' or a dictionary")
        return class_weight
    names = dict(zip(classes.tolist(), texts, strict=True))
    unknown = [label for label in class_weight if label not in names]
    if unknown:
        raise ValueError(f"The classes, {unknown}, are not in y; its classes are {list(names)}")
    weights = {names[label]: class_weight.get(label, 1) for label in names}
    return {"named": {name: _decimal("class_weight", weight) for name, weight in weights.items()}}


def _given_class_weight(class_weight: Any, labels: dict[str, Any]) -> Any:
    if isinstance(class_weight, str):
        return None if class_weight == "equal" else class_weight
    return {labels[name]: float(weight) for name, weight in class_weight["named"].items()}


def _given_costs(costs: Any, labels: dict[str, Any]) -> list[list[float]] | None:
    if costs is None:
        return None
    rows = dict(zip(costs["classes"], costs["costs"], strict=True))
    columns = [costs["answers"].index(name) for name in labels]
    return [[float(rows[name][column]) for column in columns] for name in labels]


def _first_column(estimator: BranchesClassifier) -> str | None:
    """The column's name or, where columns have none, its position counted from 1."""
    wanted = estimator.first_column
    if wanted is None:
        return None
    names = getattr(estimator, "feature_names_in_", None)
    place = _position("first_column", wanted, estimator.n_features_in_, names)
    return str(place + 1) if names is None else str(names[place])


def _costs(costs: Any, texts: list[str]) -> dict[str, Any] | None:
    if costs is None:
        return None
    matrix = np.asarray(costs)
    if matrix.shape != (len(texts), len(texts)):
        raise ValueError(
            f"costs has shape {matrix.shape}; give a row for each class and a column for each answer, "
            f"{len(texts)} of both, in the order of classes_"
        )
    decimals = [[_decimal("costs", cost) for cost in row] for row in matrix.tolist()]
    return {"answers": texts, "classes": texts, "costs": decimals}


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


def _leaf_rows(name: str, value: Any) -> dict[str, Any]:
    """The fewest rows in a leaf: a number, or a share that the library rounds up exactly."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return {"min_leaf": whole(name, value, 1), "min_leaf_share": None}
    if isinstance(value, numbers.Real) and 0 < float(value) < 1:
        return {"min_leaf": None, "min_leaf_share": _decimal(name, value)}
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
