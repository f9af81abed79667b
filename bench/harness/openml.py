"""The paper's tables from OpenML, if the files are not at hand.

The paper numbers a column's categories in some order, and some of its tables have their columns from the
last to the first; `SOURCES` says which. Whoever calls `fetch` compares the result with the fingerprint
of the paper's table, so a source that has changed is noticed.
"""

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd

from harness import encodings


@dataclass(frozen=True)
class Source:
    """Where a table is, and how the paper arranged it."""

    name: str
    declared: bool = False
    """Categories in the order in which the source declares them, not in that of their spelling."""
    backwards: bool = False
    """The columns from the last to the first."""
    left_out: tuple[str, ...] = ()
    rows: int | None = None
    """How many rows to take, from the first: the training part of a table that also has test rows."""


SOURCES = {
    "balance": Source("balance-scale", backwards=True),
    "careval": Source("car"),
    "krvskp": Source("kr-vs-kp"),
    "lymph": Source("lymph", declared=True, backwards=True),
    "monk1": Source("monks-problems-1", rows=124),
    "monk2": Source("monks-problems-2", rows=169),
    "monk3": Source("monks-problems-3", rows=122),
    "mushroom": Source("mushroom", backwards=True),
    "nursery": Source("nursery"),
    "tictactoe": Source("tic-tac-toe"),
    "zoo": Source("zoo", declared=True, left_out=("animal",)),
}


def fetch(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels of the instance `name`."""
    from sklearn.datasets import fetch_openml

    source = SOURCES[name.split("-")[0]]
    try:
        bunch = fetch_openml(source.name, version=1, as_frame=True, parser="liac-arff")
    except OSError as error:
        sys.exit(
            f"the table {source.name} could not be fetched from OpenML ({error}); with the paper's files at hand, "
            "set BRANCHWISE_DATA to their folder"
        )
    return instance(name, bunch.data, bunch.target)


def instance(name: str, data: pd.DataFrame, target: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """A raw table in the encoding that an instance's name asks for."""
    source = SOURCES[name.split("-")[0]]
    data = data.drop(columns=[column for column in source.left_out if column in data])[: source.rows]
    target = target[: source.rows]
    columns = [codes(data[column], source.declared) for column in data]
    if source.backwards:
        columns.reverse()
    return encodings.encode(np.column_stack(columns), encodings.suffix(name)), codes(target, source.declared)


def codes(column: pd.Series, declared: bool) -> np.ndarray:
    """Numbers for the categories of a column: by number, by spelling, or in the declared order.

    Only categories that occur are numbered. A missing value is the category "?".
    """
    if isinstance(column.dtype, pd.CategoricalDtype) and declared:
        occurring = set(column)
        order = [value for value in column.cat.categories if value in occurring]
    else:
        if not pd.api.types.is_numeric_dtype(column.dtype):
            column = column.astype(object).where(column.notna(), "?").astype(str)
        order = sorted(set(column))
    rank = {value: number for number, value in enumerate(order)}
    return np.array([rank[value] for value in column], dtype=np.int64)
