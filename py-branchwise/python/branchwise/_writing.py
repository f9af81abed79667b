"""A fitted classifier in other formats, and its model file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from branchwise import _core
from branchwise._labels import classes_of
from branchwise._settings import parameters_of

if TYPE_CHECKING:
    from typing_extensions import Self


class WritingMixin:
    """Methods that write pictures, translations to other languages, and model files."""

    model_: _core.Model

    def to_svg(self, *, collapse: bool = False) -> str:
        """The tree as an SVG image.

        Parameters
        ----------
        collapse : bool, default=False
            Merge equal sibling subtrees.

        Returns
        -------
        svg : str
            A complete SVG document.
        """
        return self._shown(collapse).svg()

    def to_html(self, title: str | None = None) -> str:
        """The model as a single HTML page that works offline.

        It shows the tree, which can be expanded, collapsed and zoomed; the rule of each node in words;
        a form that predicts a row; all rules as a table; and how objective and bound changed during
        the search.

        Parameters
        ----------
        title : str, default=None
            The title of the page; by default it names the predicted column.

        Returns
        -------
        html : str
            An HTML document.
        """
        return self._shown(False).html(title)

    def to_sql(self, table: str | None = None, *, probabilities: bool = False) -> str:
        """The model in SQL, with the same answers as `predict`.

        Parameters
        ----------
        table : str, default=None
            Write a query that selects all columns of this table and the class; by default, write a CASE
            expression.
        probabilities : bool, default=False
            Add a column with the share of each class.

        Returns
        -------
        sql : str
            A query, or an expression.
        """
        return self._shown(False).sql(table, probabilities)

    def to_onnx(self) -> bytes:
        """The model as an ONNX graph.

        Returns
        -------
        onnx : bytes
            The content of an .onnx file, which ``onnxruntime.InferenceSession`` also accepts.
        """
        return self._shown(False).onnx()

    def to_python(self) -> str:
        """The model as Python functions without imports.

        Returns
        -------
        source : str
            A module.
        """
        return self._shown(False).python()

    def to_rust(self) -> str:
        """The model as Rust functions without dependencies.

        Returns
        -------
        source : str
            A module.
        """
        return self._shown(False).rust()

    def to_json(self) -> str:
        """The model file of the program `branchwise`.

        Returns
        -------
        text : str
            JSON with the number of its schema.
        """
        return self._shown(False).to_json()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """A fitted classifier from a model file, written by `to_json` or by the program.

        Parameters
        ----------
        text : str
            JSON.

        Returns
        -------
        classifier : estimator
            A classifier with the parameters of the model. If all labels look like numbers or booleans,
            they are converted to these; otherwise they are text.
        """
        model = _core.Model.from_json(text)
        classes, order = classes_of(model)
        labels = {
            model.classes[place]: label for place, label in zip(order, classes.tolist(), strict=True)
        }
        settings = json.loads(model.settings)
        fitted: Any = cls(**parameters_of(settings, labels, model.column_names))
        fitted.classes_ = classes
        fitted.n_features_in_ = len(model.column_names)
        if model.is_named:
            fitted.feature_names_in_ = np.array(model.column_names, dtype=object)
        fitted._take(model, order)
        return fitted

    def _shown(self, collapse: bool) -> _core.Model:
        check_is_fitted(self)
        return self.model_.collapse() if collapse else self.model_
