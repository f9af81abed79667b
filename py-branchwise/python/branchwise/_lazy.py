"""Lazy frames are grouped by their own engine, and only their distinct rows are collected."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw


def aggregated(X: Any, y: Any, counts: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Take classes and counts out of a data frame where they are given as names of columns.

    A lazy frame is grouped by all of its columns, and its distinct rows are collected.
    """
    if not isinstance(y, str) and not isinstance(counts, str):
        if isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame):
            raise TypeError("X is a lazy frame: name the column of classes, as in fit(X, 'class')")
        return X, y, counts
    frame = nw.from_native(X)
    if isinstance(frame, nw.LazyFrame):
        frame, counts = _counted(frame, counts, sample_weight)
    for name, what in ((y, "y"), (counts, "counts")):
        if isinstance(name, str) and name not in frame.columns:
            raise ValueError(f"{what} names the column {name!r}; the columns are {frame.columns}")
    named = [name for name in (y, counts) if isinstance(name, str)]
    rest = frame.drop(named)
    if isinstance(y, str):
        y = frame[y].to_native()
    if isinstance(counts, str):
        counts = frame[counts].to_numpy()
    return rest.to_native(), y, counts


def _counted(
    frame: nw.LazyFrame[Any], counts: Any, sample_weight: Any
) -> tuple[nw.DataFrame[Any], str]:
    """The distinct rows, and the name of the column with their counts."""
    if sample_weight is not None:
        raise ValueError("a lazy frame has no sample_weight; name a column of counts")
    names = frame.collect_schema().names()
    how_often = "count"
    while how_often in names:
        how_often += "_"
    if isinstance(counts, str):
        keys = [name for name in names if name != counts]
        number = nw.col(counts).sum().alias(how_often)
    else:
        keys, number = names, nw.len().alias(how_often)
    return frame.group_by(keys).agg(number).collect(), how_often
