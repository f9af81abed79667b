"""The paper's encodings of a table of categories.

`-o` numbers each column's categories in order; no suffix makes a 0/1 column of every category; `-f` and
`-l` leave out the first or the last category of each column.
"""

import numpy as np

DROPPED = {"": None, "-f": 0, "-l": -1}


def one_hot(codes: np.ndarray, suffix: str) -> np.ndarray:
    """0/1 columns for the categories that occur, without those that `suffix` drops."""
    columns = []
    for column in codes.T:
        values = list(np.unique(column))
        if DROPPED[suffix] is not None and len(values) > 0:
            del values[DROPPED[suffix]]
        columns.extend((column == value).astype(np.int64) for value in values)
    return np.column_stack(columns) if columns else np.empty((len(codes), 0), dtype=np.int64)


def encode(codes: np.ndarray, suffix: str) -> np.ndarray:
    """The features of an instance whose name ends in `suffix`."""
    return codes if suffix == "-o" else one_hot(codes, suffix)


def suffix(name: str) -> str:
    """The part of an instance's name that says its encoding."""
    return name[-2:] if name[-2:] in ("-o", "-f", "-l") else ""
