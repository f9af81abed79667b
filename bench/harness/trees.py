"""A binary tree in no solver's format, so that all solvers are counted by the same few lines."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Leaf:
    """Answers with a class."""

    answer: int


@dataclass(frozen=True)
class Split:
    """Asks whether a 0/1 column is 1."""

    column: int
    no: "Tree"
    yes: "Tree"


Tree = Leaf | Split


def splits(tree: Tree) -> int:
    """The number of questions in the tree."""
    return 0 if isinstance(tree, Leaf) else 1 + splits(tree.no) + splits(tree.yes)


def depth(tree: Tree) -> int:
    """The most questions between the root and a leaf."""
    return 0 if isinstance(tree, Leaf) else 1 + max(depth(tree.no), depth(tree.yes))


def answers(tree: Tree, features: np.ndarray) -> np.ndarray:
    """The tree's answer to each row."""
    found = np.empty(len(features), dtype=np.int64)

    def visit(node: Tree, rows: np.ndarray) -> None:
        if isinstance(node, Leaf):
            found[rows] = node.answer
            return
        yes = features[rows, node.column] == 1
        visit(node.no, rows[~yes])
        visit(node.yes, rows[yes])

    visit(tree, np.arange(len(features)))
    return found


def correct(tree: Tree, features: np.ndarray, labels: np.ndarray) -> int:
    """How many rows the tree answers correctly."""
    return int((answers(tree, features) == labels).sum())
