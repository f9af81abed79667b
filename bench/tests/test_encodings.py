"""The paper's encodings, made again from its tables of categories and from the tables' own rules."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from harness import encodings, openml, paper, tables


def lines(features: np.ndarray, labels: np.ndarray) -> list[str]:
    """A table as the lines of its file."""
    return [" ".join(map(str, row)) for row in np.column_stack([features, labels])]


@pytest.mark.parametrize("name", [i.name for i in paper.BINARY if i.family != "krvskp"])
def test_binary_encodings_follow_from_the_categories(name: str, data: Path) -> None:
    codes, labels = tables.read(data / f"{paper.BY_NAME[name].family}-o.txt")
    made = encodings.encode(codes, encodings.suffix(name))
    assert paper.fingerprint(lines(made, labels)) == paper.BY_NAME[name].fingerprint


@pytest.mark.parametrize("instance", paper.INSTANCES, ids=lambda instance: instance.name)
def test_files_have_their_fingerprints(instance: paper.Instance, data: Path) -> None:
    text = (data / f"{instance.name}.txt").read_text().splitlines()
    assert len(text) == instance.rows
    assert paper.fingerprint(text) == instance.fingerprint


def balance_scale() -> pd.DataFrame:
    """The whole table by its rule: the side with the larger weight · distance goes down."""
    rows = []
    for left, far_left, right, far_right in itertools.product(range(1, 6), repeat=4):
        torque = left * far_left - right * far_right
        rows.append((left, far_left, right, far_right, "L" if torque > 0 else "R" if torque < 0 else "B"))
    return pd.DataFrame(rows, columns=["left-weight", "left-distance", "right-weight", "right-distance", "class"])


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def final_boards() -> pd.DataFrame:
    """All boards on which a game of tic-tac-toe can end, x first."""
    found = {}

    def won(board: str, player: str) -> bool:
        return any(all(board[i] == player for i in line) for line in LINES)

    def play(board: str, player: str, other: str) -> None:
        if won(board, other) or "b" not in board:
            found[board] = "positive" if won(board, "x") else "negative"
            return
        for i in range(9):
            if board[i] == "b":
                play(board[:i] + player + board[i + 1 :], other, player)

    play("b" * 9, "x", "o")
    return pd.DataFrame([(*board, label) for board, label in found.items()]).astype("category")


@pytest.mark.parametrize("suffix", ["", "-f", "-o"])
@pytest.mark.parametrize(("family", "make"), [("balance", balance_scale), ("tictactoe", final_boards)])
def test_raw_tables_become_the_papers(family: str, make: "callable", suffix: str) -> None:
    frame = make()
    features, labels = openml.instance(family + suffix, frame.iloc[:, :-1], frame.iloc[:, -1])
    assert paper.fingerprint(lines(features, labels)) == paper.BY_NAME[family + suffix].fingerprint


def test_missing_values_are_a_category_and_order_may_be_declared() -> None:
    column = pd.Series(pd.Categorical(["b", None, "a"], categories=["b", "a", "z"]))
    assert openml.codes(column, declared=False).tolist() == [2, 0, 1]
    assert openml.codes(column[[0, 2]], declared=True).tolist() == [0, 1]


def test_a_column_with_one_value_offers_nothing_once_its_first_is_dropped() -> None:
    codes = np.array([[0, 1], [0, 2]])
    assert encodings.one_hot(codes, "-f").tolist() == [[0], [1]]
    assert encodings.one_hot(codes, "").tolist() == [[1, 1, 0], [1, 0, 1]]
