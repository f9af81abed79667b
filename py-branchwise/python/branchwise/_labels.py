"""Class labels of any type become a column of text for the library, and text becomes labels again."""

from __future__ import annotations

from typing import Any

import numpy as np

from branchwise._core import Columns, Model
from branchwise._frames import add_array

Array = np.ndarray[Any, Any]


def target_of(classes: Array, codes: Array, name: str) -> tuple[Columns, list[str]]:
    """The target's column, and the name of each class in it."""
    texts = _texts(classes)
    if "" in texts or len(set(texts)) < len(texts):
        # Labels that would become equal, such as " a" and "a", are distinguished by quotes.
        quoted = [repr(label) for label in classes.tolist()]
        texts = _texts(np.array(quoted, dtype=object))
    entries = Columns()
    entries.add_objects(name, np.array(texts, dtype=object))
    target = Columns()
    target.add_categories(name, codes.astype(np.int64, copy=False), entries, False)
    return target, texts


def _texts(classes: Array) -> list[str]:
    column = Columns()
    add_array(column, "", classes)
    return [text or "" for text in column.texts(0)]


def order_of(texts: list[str], model: Model) -> list[int]:
    """For each class, its index among the model's classes."""
    places = {text: place for place, text in enumerate(model.classes)}
    return [places[text] for text in texts]


def classes_of(model: Model) -> tuple[Array, list[int]]:
    """The classes of a model from a file, in ascending order, and their indices in the model.

    They are integers, floats or booleans if all of them look like that, and text otherwise.
    """
    texts = model.classes
    for read in (_integer, _float, _boolean, str):
        values = [read(text) for text in texts]
        if None not in values and len(set(values)) == len(values):
            classes = np.array(values)
            order = np.argsort(classes, kind="stable")
            return classes[order], [int(place) for place in order]
    raise AssertionError("a text is a text")


def _integer(text: str) -> int | None:
    is_one = text.lstrip("-").isdecimal() and str(int(text)) == text and abs(int(text)) < 2**63
    return int(text) if is_one else None


def _float(text: str) -> float | None:
    try:
        return float(text) if repr(float(text)) == text else None
    except ValueError:
        return None


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())
