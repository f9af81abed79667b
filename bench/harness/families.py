"""Generated tables with known structure, and scikit-learn's own tables cut into 0/1 columns.

Everything is drawn from a seeded generator, so the same name is the same table on every machine.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from harness import encodings, tables, trees
from harness.trees import Leaf, Split, Tree

Rows = tuple[np.ndarray, np.ndarray]


def flipped(labels: np.ndarray, share: float, classes: int, rng: np.random.Generator) -> np.ndarray:
    """Labels of which a share is replaced by another class."""
    wrong = rng.random(len(labels)) < share
    return np.where(wrong, (labels + rng.integers(1, classes, len(labels))) % classes, labels)


def concept(x: np.ndarray) -> np.ndarray:
    """(Two of the first three columns) xor (fourth and fifth)."""
    return (x[:, :3].sum(1) >= 2) ^ (x[:, 3] & x[:, 4]).astype(bool)


def noisy(rows: int, features: int, seed: int = 1) -> Rows:
    """Fair coins; the class is the `concept`, one row in five flipped."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, (rows, features))
    return x, flipped(concept(x).astype(np.int64), 0.2, 2, rng)


def coins(rows: int, features: int, seed: int) -> Rows:
    """As `noisy`, but drawn row by row from Python's own generator: first the coins of a row, then its noise."""
    rng = random.Random(seed)
    drawn = [([rng.getrandbits(1) for _ in range(features)], rng.random() < 0.2) for _ in range(rows)]
    x = np.array([row for row, _ in drawn])
    return x, (concept(x) ^ [wrong for _, wrong in drawn]).astype(np.int64)


def wide(rows: int, features: int, seed: int = 1, block: int = 20_000) -> Iterator[Rows]:
    """As `noisy`, but in blocks of rows, for tables that do not fit into memory."""
    rng = np.random.default_rng(seed)
    for start in range(0, rows, block):
        n = min(block, rows - start)
        x = rng.integers(0, 2, (n, features), dtype=np.uint8)
        yield x, flipped(concept(x).astype(np.uint8), 0.2, 2, rng).astype(np.uint8)


def random_tree(rows: int, features: int, depth: int, noise: float, classes: int = 2, seed: int = 1) -> Rows:
    """Fair coins, labelled by a random full tree; a share of the labels is wrong."""
    rng = np.random.default_rng(seed)

    def grow(left: int, unused: list[int]) -> Tree:
        if left == 0:
            return Leaf(int(rng.integers(classes)))
        column = int(rng.choice(unused))
        rest = [other for other in unused if other != column]
        return Split(column, grow(left - 1, rest), grow(left - 1, rest))

    tree = grow(depth, list(range(features)))
    x = rng.integers(0, 2, (rows, features))
    return x, flipped(trees.answers(tree, x), noise, classes, rng)


def parity(rows: int, features: int, bits: int, seed: int = 1) -> Rows:
    """The class is the parity of the first columns, so that no single split is of any use."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, (rows, features))
    return x, x[:, :bits].sum(1) % 2


def k_of_n(rows: int, features: int, k: int, n: int, seed: int = 1) -> Rows:
    """The class is whether at least k of the first n columns are 1."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, (rows, features))
    return x, (x[:, :n].sum(1) >= k).astype(np.int64)


def wide_one_hot(rows: int, columns: int, categories: int, seed: int = 1) -> Rows:
    """Many categories, one-hot; two columns with a common category make the class, one row in ten flipped."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, categories, (rows, columns))
    y = ((codes[:, 0] < categories // 2) ^ (codes[:, 1] == 0)).astype(np.int64)
    return encodings.one_hot(codes, ""), flipped(y, 0.1, 2, rng)


def categorical(rows: int, columns: int, categories: int, seed: int = 1) -> Rows:
    """As `wide_one_hot`, but with the categories as they are, for multi-way splits."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, categories, (rows, columns))
    y = ((codes[:, 0] < categories // 2) ^ (codes[:, 1] == 0)).astype(np.int64)
    return codes, flipped(y, 0.1, 2, rng)


def distinct(rows: int, features: int, seed: int = 1) -> Rows:
    """As `noisy`, but with all rows different, as long as there are enough different rows."""
    rng = np.random.default_rng(seed)
    chosen = rng.choice(1 << features, size=min(rows, 1 << features), replace=False)
    x = np.column_stack([(chosen >> bit & 1).astype(np.uint8) for bit in range(features)])
    return x, flipped(concept(x).astype(np.uint8), 0.2, 2, rng).astype(np.uint8)


def thresholds(columns: np.ndarray, cuts: int) -> np.ndarray:
    """0/1 columns "value ≤ cut" at no more than `cuts` quantiles of each column."""
    made = []
    for column in columns.T:
        points = np.unique(np.quantile(column, np.arange(1, cuts + 1) / (cuts + 1), method="lower"))
        made += [column <= point for point in points if (column > point).any()]
    return np.column_stack(made).astype(np.int64)


def sklearn_table(name: str, cuts: int) -> Rows:
    """One of the tables that come with scikit-learn."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    return thresholds(bunch.data, cuts), bunch.target


def cover_like(rows: int, cuts: int, seed: int = 1) -> Rows:
    """Shaped like the forest-cover table: ten numeric columns, seven classes of unequal size."""
    from sklearn.datasets import make_classification

    shares = [0.365, 0.488, 0.061, 0.005, 0.016, 0.03, 0.035]
    x, y = make_classification(
        rows, 10, n_informative=6, n_redundant=2, n_classes=7, n_clusters_per_class=1, weights=shares, random_state=seed
    )
    return thresholds(x, cuts), y


@dataclass(frozen=True)
class Family:
    """A table by name, how it is made, and the λ that it is solved with."""

    name: str
    penalty: str
    make: Callable[[], Rows]

    def path(self) -> Path:
        """The file of the table, which is written again."""
        return tables.write(tables.scratch(self.name), *self.make())


GENERATED = [
    Family("noisy-500x20", "0.01", lambda: noisy(500, 20)),
    Family("noisy-1000x40", "0.01", lambda: noisy(1000, 40)),
    Family("noisy-2000x40", "0.005", lambda: noisy(2000, 40)),
    Family("tree-1000x20-d3", "0.005", lambda: random_tree(1000, 20, 3, 0.05)),
    Family("tree-2000x30-d4", "0.005", lambda: random_tree(2000, 30, 4, 0.1)),
    Family("tree-5000x50-d4", "0.005", lambda: random_tree(5000, 50, 4, 0.1)),
    Family("tree-20000x40-d4", "0.005", lambda: random_tree(20_000, 40, 4, 0.1)),
    Family("parity-500x10-b3", "0.01", lambda: parity(500, 10, 3)),
    Family("parity-1000x16-b4", "0.01", lambda: parity(1000, 16, 4)),
    Family("k-of-n-1000x12-3of6", "0.005", lambda: k_of_n(1000, 12, 3, 6)),
    Family("k-of-n-1000x20-4of7", "0.005", lambda: k_of_n(1000, 20, 4, 7)),
    Family("one-hot-1000x5x20", "0.01", lambda: wide_one_hot(1000, 5, 20)),
    Family("one-hot-2000x10x20", "0.01", lambda: wide_one_hot(2000, 10, 20)),
    Family("classes-2000x20-k10", "0.005", lambda: random_tree(2000, 20, 4, 0.05, classes=10)),
    Family("classes-5000x30-k20", "0.005", lambda: random_tree(5000, 30, 5, 0.05, classes=20)),
]

NUMERIC = [
    Family("iris-c5", "0.005", lambda: sklearn_table("iris", 5)),
    Family("iris-c20", "0.005", lambda: sklearn_table("iris", 20)),
    Family("wine-c5", "0.005", lambda: sklearn_table("wine", 5)),
    Family("wine-c10", "0.005", lambda: sklearn_table("wine", 10)),
    Family("cancer-c3", "0.01", lambda: sklearn_table("breast_cancer", 3)),
    Family("cancer-c5", "0.005", lambda: sklearn_table("breast_cancer", 5)),
    Family("digits-c1", "0.01", lambda: sklearn_table("digits", 1)),
    Family("digits-c3", "0.01", lambda: sklearn_table("digits", 3)),
    Family("cover-5000-c5", "0.01", lambda: cover_like(5000, 5)),
    Family("cover-50000-c5", "0.01", lambda: cover_like(50_000, 5)),
]

HARD = [
    Family(f"coins-{rows}x{features}-s{seed}", "0.005", partial(coins, rows, features, seed))
    for rows, features in ((500, 40), (1000, 60), (2000, 40))
    for seed in (1, 2, 3)
]

BY_NAME = {family.name: family for family in [*GENERATED, *NUMERIC, *HARD]}
