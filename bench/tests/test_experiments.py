"""What the experiments compute themselves: bounds, exponents, folds, thresholds, ratios."""

import numpy as np
import pytest

from harness import callgrind, families, markdown, tables
from harness.experiments import anytime, complexity, growth, pareto
from harness.job import Record


def test_the_bound_by_hand() -> None:
    # One feature of two values, κ = 1: (1 − 0) · 2 · 1, then (1 − 1) · 4 · 1.
    assert complexity.bound(1, 2, "0.1") == 2
    # Two features, κ = 0: 2 · 2 · 1.
    assert complexity.bound(2, 2, "0.5") == 4


def test_the_bound_has_the_papers_magnitude() -> None:
    for (penalty, features), (power, _) in complexity.PUBLISHED.items():
        assert len(str(complexity.bound(features, 2, penalty))) - 1 == int(power)


def test_an_exponent_is_the_slope() -> None:
    assert growth.exponent([(10, 300), (100, 30_000), (1000, 3_000_000)]) == pytest.approx(2)


def test_every_row_is_held_out_once(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "scratch", lambda name: tmp_path / f"{name}.txt")
    labels = np.arange(25)
    held = []
    for train, test in pareto.folds(np.zeros((25, 2), dtype=int), labels, "x"):
        kept, out = tables.read(train)[1], tables.read(test)[1]
        assert sorted([*kept, *out]) == list(labels)
        held += list(out)
    assert sorted(held) == list(labels)


def test_thresholds_part_the_rows_and_repeat_nothing() -> None:
    made = families.thresholds(np.array([[1.0], [2.0], [2.0], [5.0]]), 3)
    assert made.T.tolist() == [[1, 0, 0, 0], [1, 1, 1, 0]]


def test_families_are_what_they_say() -> None:
    x, y = families.parity(50, 6, 3)
    assert (y == x[:, 0] ^ x[:, 1] ^ x[:, 2]).all()
    x, y = families.k_of_n(50, 6, 2, 3)
    assert (y == (x[:, :3].sum(1) >= 2)).all()
    x, _ = families.distinct(100, 10)
    assert len({tuple(row) for row in x}) == 100
    again = families.noisy(30, 8)
    assert all((a == b).all() for a, b in zip(again, families.noisy(30, 8), strict=True))


def test_noise_flips_to_another_class() -> None:
    rng = np.random.default_rng(0)
    assert (families.flipped(np.zeros(100, dtype=int), 1.0, 3, rng) != 0).all()
    assert (families.flipped(np.zeros(100, dtype=int), 0.0, 3, rng) == 0).all()


def test_callgrinds_listing_is_read() -> None:
    listing = "1,234,567 (100.0%)  PROGRAM TOTALS\n  1,000 (12.3%)  ???:a::b::h0123456789abcdef [/x/y]\n  34  ???:c\n"
    assert callgrind.parse(listing) == {"": 1_234_567, "a::b": 1000, "c": 34}


def record(solver: str, seconds: float, cpu: float, status: str = "optimal", correct: int = 9) -> Record:
    """A record of a run on ten rows."""
    job = {"solver": solver, "instance": "x", "table": "x.txt", "penalty": "0.1", "time_limit": 60.0}
    return Record(job=job, status=status, rows=10, correct=correct, splits=1, seconds=seconds, cpu_seconds=cpu)


def test_a_ratio_takes_the_faster_peer_by_its_processor_time() -> None:
    ours = record("branchwise", 1.0, 1.0)
    ratio = markdown.Ratio(ours, [record("streed", 4.0, 2.0), record("gosdt", 3.0, 3.0)], "seconds")
    assert (ratio.peer, ratio.value, ratio.proven) == ("streed", 0.5, True)
    open_ended = markdown.Ratio(ours, [record("streed", 60.0, 40.0, "stopped"), None], "seconds")
    assert str(open_ended) == "< 0.0250"


def test_different_proven_objectives_are_found_out() -> None:
    ours, theirs = record("branchwise", 1, 1), record("streed", 1, 1, correct=8)
    found = markdown.grouped([ours, theirs])
    assert len(markdown.disagreements(found)) == 1
    assert markdown.disagreements(markdown.grouped([ours, record("streed", 1, 1)])) == []


def test_numbers_have_three_digits() -> None:
    assert [markdown.number(x) for x in (0.0012345, 1.5, 12.345, 1234.5, 0, None)] == [
        "0.00123",
        "1.50",
        "12.3",
        "1234",
        "0",
        "",
    ]


def test_an_anytime_cell_is_the_best_so_far() -> None:
    steps = [[0.1, 0.5, None], [0.2, 0.7, 0.9], [2.0, 0.8, 0.8]]
    assert anytime._at(steps, 0.01) == "nothing"
    assert anytime._at(steps, 1) == "0.7000 – 0.9000"


def test_a_random_tree_asks_no_more_columns_than_its_depth_allows() -> None:
    x, y = families.random_tree(4000, 6, 2, 0.0, seed=3)
    answers = {}
    # Of six fair coins a tree of depth 2 looks at three, so some column can be left out of the key.
    free = [
        column
        for column in range(6)
        if all(
            answers.setdefault((column, *np.delete(row, column)), label) == label
            for row, label in zip(x, y, strict=True)
        )
    ]
    assert len(free) >= 3
