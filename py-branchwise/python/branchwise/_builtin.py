"""The built-in tables."""

from __future__ import annotations

import numpy as np
from sklearn.utils import Bunch

from branchwise._core import Columns


def load_builtin(name: str) -> Bunch:
    """A built-in table: a public puzzle that can be rebuilt from its rules.

    Parameters
    ----------
    name : {"tic-tac-toe", "balance-scale", "monk1", "monk2", "monk3"}
        Which one.

    Returns
    -------
    table : Bunch
        ``data``, an array of text; ``target``, the classes; ``feature_names`` and ``target_name``.

    Examples
    --------
    >>> from branchwise import load_builtin
    >>> robots = load_builtin("monk1")
    >>> robots.data.shape, robots.feature_names[:2], robots.target_name
    ((432, 6), ['head', 'body'], 'robot')
    """
    columns = Columns.builtin(name)
    texts = [np.array(columns.texts(place), dtype=object) for place in range(len(columns))]
    *feature_names, target_name = columns.names
    return Bunch(
        data=np.column_stack(texts[:-1]),
        target=texts[-1].astype(str),
        feature_names=feature_names,
        target_name=target_name,
    )
