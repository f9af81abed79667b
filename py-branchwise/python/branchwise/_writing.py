"""What a fitted classifier can be written as, and read from."""

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
    """Pictures, other languages, and the file of the program."""

    model_: _core.Model

    def to_svg(self, *, collapse: bool = False) -> str:
        """The tree as a picture that stands by itself.

        Parameters
        ----------
        collapse : bool, default=False
            Share equal sibling subtrees.

        Returns
        -------
        svg : str
            A page in SVG.
        """
        return self._shown(collapse).svg()

    def to_html(self, title: str | None = None) -> str:
        """The model as one page for a browser, which needs no network.

        The tree to open, close and zoom, the rule of every node in words, a form that leads a row down
        to its answer, the rules as a table, and how objective and bound moved until the proof.

        Parameters
        ----------
        title : str, default=None
            The title of the page, in place of one that names what is predicted.

        Returns
        -------
        html : str
            A page.
        """
        return self._shown(False).html(title)

    def to_sql(self, table: str | None = None, *, probabilities: bool = False) -> str:
        """The model in SQL, which answers every row as `predict` does.

        Parameters
        ----------
        table : str, default=None
            Select everything from this table, with the class beside it; otherwise a CASE expression.
        probabilities : bool, default=False
            Add a column with each class's share.

        Returns
        -------
        sql : str
            A query, or an expression.
        """
        return self._shown(False).sql(table, probabilities)

    def to_onnx(self) -> bytes:
        """The model as a graph for ONNX runtimes.

        Returns
        -------
        onnx : bytes
            What ``onnxruntime.InferenceSession`` takes, and what files ending in .onnx hold.
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
        """The model as the program `branchwise` reads and writes it.

        Returns
        -------
        text : str
            JSON with a version.
        """
        return self._shown(False).to_json()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """A fitted classifier from what `to_json`, or the program, has written.

        Parameters
        ----------
        text : str
            JSON.

        Returns
        -------
        classifier : estimator
            With the settings of the model. Labels that all look like numbers or truth values are
            these again, all others are text.
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
