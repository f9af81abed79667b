"""Predictions of a fitted classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted, validate_data

from branchwise import _core
from branchwise._frames import as_frame, columns_of_array, columns_of_frame
from branchwise._task import finite
from branchwise._tree import Tree

Array = np.ndarray[Any, Any]


class PredictingMixin:
    """Predictions, and the nodes of the tree that they come from."""

    classes_: Array
    missing: str
    model_: _core.Model
    tree_: Tree

    def apply(self, X: Any) -> Array:
        """The number of the node that each row ends in.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            Rows with the columns of the training table.

        Returns
        -------
        nodes : ndarray of shape (n_rows,)
            Indices into ``tree_.nodes``: leaves, and splits that have no branch for the row's value.
        """
        check_is_fitted(self)
        frame = as_frame(X)
        if frame is None:
            X = validate_data(self, X, reset=False, dtype=None, ensure_all_finite=finite(self.missing))
            columns = columns_of_array(X, self.model_)
        else:
            validate_data(self, X, reset=False, skip_check_array=True)
            columns = columns_of_frame(frame, self.model_)
        if self.missing == "refuse" and columns.lacking:
            raise ValueError(f"Input X contains NaN: there are missing values in {columns.lacking}")
        return self.model_.answering(columns)

    def predict(self, X: Any) -> Array:
        """The class of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            Rows with the columns of the training table.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            The class with the most weight at the node that the row ends in.
        """
        nodes = self.apply(X)
        return np.asarray(self.classes_[self.tree_.answers[nodes]])

    def predict_proba(self, X: Any) -> Array:
        """The share of each class among the training rows, by weight, where each row ends.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            Rows with the columns of the training table.

        Returns
        -------
        shares : ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        nodes = self.apply(X)
        return np.asarray(self.tree_.shares[nodes])

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of `predict_proba`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            Rows with the columns of the training table.

        Returns
        -------
        shares : ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """The nodes that each row passes.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_columns)
            Rows with the columns of the training table.

        Returns
        -------
        indicator : csr_matrix of shape (n_rows, node_count)
            1 where the row passes the node.
        """
        nodes = self.apply(X)
        return self.tree_.paths()[nodes]

    def get_depth(self) -> int:
        """The maximum number of splits on the path to a leaf.

        Returns
        -------
        depth : int
            0 for a tree of one leaf.
        """
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves.

        Returns
        -------
        n_leaves : int
            At least 1.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves
