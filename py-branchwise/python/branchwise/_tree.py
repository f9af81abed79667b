"""A fitted tree as data."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from branchwise._core import Model, Node


class Tree:
    """A fitted tree: nodes with any number of children, the root first, parents before children.

    Parameters
    ----------
    model : Model
        The model that the tree is from.
    order : sequence of int
        For each class, its place among the model's classes.

    Attributes
    ----------
    nodes : tuple of Node
        Each has ``parent``, ``depth``, ``column`` (the position of the column that a split asks
        about, or None for a leaf), ``question``, ``edge`` (the answer that leads here), ``children``,
        ``rows``, ``weights`` and ``shares`` of the model's classes.
    node_count, n_splits, n_leaves, max_depth : int
        Its size.
    value : ndarray of shape (node_count, n_classes)
        The weight of each class at each node, in the order of ``classes_``.
    shares : ndarray of shape (node_count, n_classes)
        Each class's share of the weight at each node, in the order of ``classes_``.
    answers : ndarray of shape (node_count,)
        The class with which each node answers, by its place in ``classes_``.
    order : list of int
        For each class, its place among the model's classes.
    n_node_samples : ndarray of shape (node_count,)
        The training rows at each node.
    """

    def __init__(self, model: Model, order: Any) -> None:
        self._model = model
        self.nodes: tuple[Node, ...] = tuple(model.nodes())
        self.node_count = len(self.nodes)
        self.n_leaves = sum(not node.children for node in self.nodes)
        self.n_splits = self.node_count - self.n_leaves
        self.max_depth = max(node.depth for node in self.nodes)
        self.order = [int(place) for place in order]
        places = np.asarray(order, dtype=np.int64)
        self.value = np.array([node.weights for node in self.nodes], dtype=float)[:, places]
        self.shares = np.array([node.shares for node in self.nodes], dtype=float)[:, places]
        answers = np.array([node.answer for node in self.nodes], dtype=np.int64)
        self.answers = np.argsort(places)[answers]
        self.n_node_samples = np.array([sum(node.rows) for node in self.nodes], dtype=np.int64)

    def paths(self) -> sparse.csr_matrix:
        """For each node, the nodes on the way to it from the root, itself included."""
        ways: list[list[int]] = []
        for number, node in enumerate(self.nodes):
            above = [] if node.parent is None else ways[node.parent]
            ways.append([*above, number])
        ends = np.cumsum([0, *map(len, ways)])
        columns = np.concatenate([np.array(way) for way in ways])
        shape = (self.node_count, self.node_count)
        return sparse.csr_matrix((np.ones_like(columns), columns, ends), shape=shape)

    def __reduce__(self) -> tuple[type[Tree], tuple[Model, list[int]]]:
        return Tree, (self._model, self.order)

    def __repr__(self) -> str:
        return f"Tree(node_count={self.node_count}, n_leaves={self.n_leaves})"
