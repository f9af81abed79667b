"""Tables of any kind become columns that the library can read.

No loop in this file goes over rows. NumPy arrays are passed on without conversion, polars and pyarrow
tables as Arrow streams, and each column of pandas as one of these two.
"""

from __future__ import annotations

import importlib.util
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from branchwise._core import Columns, Model

#: Nanoseconds in the units of NumPy's moments that are whole numbers of them.
_NANOSECONDS = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
    "D": 86_400 * 10**9,
    "W": 7 * 86_400 * 10**9,
}


def as_frame(table: Any) -> nw.DataFrame[Any] | None:
    """The table as a data frame, if it is one.

    Raises
    ------
    TypeError
        If it is a lazy frame, which would have to be collected first.
    """
    frame = nw.from_native(table, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        message = "a lazy frame can be used for fit, but must be collected before predict"
        raise TypeError(message)
    return frame if isinstance(frame, nw.DataFrame) else None


def columns_of_frame(frame: nw.DataFrame[Any], like: Model | None = None) -> Columns:
    """The columns of a data frame."""
    columns = Columns(like)
    if not frame.implementation.is_pandas_like():
        columns.add_stream(frame.to_native())
        return columns
    native = frame.to_pandas()
    for position, name in enumerate(native.columns):
        _add_series(columns, str(name), native.iloc[:, position])
    return columns


def columns_of_array(array: np.ndarray[Any, Any], like: Model | None = None) -> Columns:
    """The columns of a two-dimensional array."""
    columns = Columns(like)
    for position in range(array.shape[1]):
        add_array(columns, f"x{position + 1}", array[:, position])
    return columns


def _add_series(columns: Columns, name: str, series: Any) -> None:
    """Add a column of pandas."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        entries = Columns()
        _add_series(entries, name, series.cat.categories.to_series())
        codes = series.cat.codes.to_numpy(np.int64)
        columns.add_categories(name, codes, entries, bool(dtype.ordered))
    elif isinstance(dtype, pd.SparseDtype):
        add_array(columns, name, series.sparse.to_dense().to_numpy())
    elif isinstance(dtype, np.dtype):
        add_array(columns, name, series.to_numpy())
    elif _has_pyarrow() and not isinstance(dtype, pd.PeriodDtype | pd.IntervalDtype):
        import pyarrow

        columns.add_stream(pyarrow.table({name: pyarrow.array(series)}))
    else:
        columns.add_objects(name, series.to_numpy(dtype=object, na_value=None))


def add_array(columns: Columns, name: str, values: np.ndarray[Any, Any]) -> None:
    """Add a one-dimensional array as a column."""
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "f" and size not in (4, 8):
        values = values.astype(np.float32 if size < 4 else np.float64)
    if kind == "m":
        # Durations become numbers of seconds.
        values, kind = values / np.timedelta64(1, "s"), "f"
    if kind in "biuf":
        columns.add_numbers(name, values)
    elif kind == "M":
        unit, step = np.datetime_data(values.dtype)
        if unit not in _NANOSECONDS:
            unit, step = ("D" if unit in "YM" else "ns"), 1
            values = values.astype(f"datetime64[{unit}]")
        columns.add_moments(name, values.view(np.int64), step * _NANOSECONDS[unit])
    elif kind in "OSUT":
        columns.add_objects(name, values.astype(object, copy=False))
    else:
        message = f'the column "{name}" has values of type {values.dtype}, which are not supported'
        raise TypeError(message)


def _has_pyarrow() -> bool:
    return importlib.util.find_spec("pyarrow") is not None
