"""What the experiments compute themselves: bounds, exponents, folds, thresholds, ratios."""

from pathlib import Path

import numpy as np
import pytest

from harness import callgrind, families, markdown, paper, tables
from harness.experiments import (
    EXPERIMENTS,
    TIME_LIMITS,
    anytime,
    complexity,
    depth,
    growth,
    hard,
    limits,
    pareto,
    threads,
    wide,
)
from harness.job import Job, Record
from harness.solvers import branchwise


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
    assert anytime.at(steps, 0.01) == "nothing"
    assert anytime.at(steps, 1) == "0.7000 – 0.9000"
    assert anytime.at(steps, 1.99) == "0.8000 – 0.8000"


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


def test_coins_are_the_same_on_every_machine(tmp_path: Path) -> None:
    lines = tables.write(tmp_path / "coins.txt", *families.coins(500, 40, 1)).read_text().splitlines()
    assert paper.fingerprint(lines) == "cbbeeac02318112b"


def test_a_wide_table_is_one_table_however_it_is_cut() -> None:
    blocks = list(families.wide(25, 8, block=10))
    assert [len(labels) for _, labels in blocks] == [10, 10, 5]
    x, y = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    assert 0 < (families.concept(x) != y).sum() < 13


@pytest.mark.parametrize("cells", [[[0, 1], [9, 3]], [[0, 10], [9, 3]], [[-1, 0], [2, 2]]])
def test_digits_are_written_as_all_numbers_are(cells: list[list[int]], tmp_path: Path) -> None:
    path = tables.write(tmp_path / "x.txt", np.array(cells), np.array([0, 1]))
    assert path.read_text() == "".join(f"{a} {b} {label}\n" for (a, b), label in zip(cells, (0, 1), strict=True))


def test_a_jobs_options_become_flags() -> None:
    job = Job("branchwise", "x", "x.txt", "0.1", options={"threads": 2, "memory_limit": 5, "max_leaves": 8})
    words = branchwise.command_line(job, "fast")
    given = {flag: words[words.index(flag) + 1] for flag in ("--threads", "--memory-limit", "--max-leaves", "--lambda")}
    assert given == {"--threads": "2", "--memory-limit": "5", "--max-leaves": "8", "--lambda": "0.1"}
    flags = [word for word in words if word.startswith("--")]
    assert len(flags) == len(set(flags)) and "--memo-limit" not in flags


def test_hard_cases_are_instances_and_every_limit_is_an_experiments() -> None:
    names = {name for name, _ in threads.FULL} | {*limits.MEMO, *limits.LEAVES_INSTANCES, limits.MEMORY_INSTANCE}
    assert names <= {*paper.BY_NAME, *families.BY_NAME}
    assert set(hard.CASES) <= set(threads.FULL) and set(threads.FEW) < set(threads.FULL)
    assert set(TIME_LIMITS) <= set(EXPERIMENTS)
    assert all(name == f"wide-{rows}x{columns}" for name, (rows, columns) in wide.SIZES.items())


def test_threads_must_agree_and_are_compared_with_one() -> None:
    one, two = record("branchwise", 4.0, 4.0), record("branchwise", 2.0, 4.0)
    assert threads.thread_counts(1) == threads.thread_counts(2) == [1, 2]
    assert threads.thread_counts(8) == [1, 2, 8]
    assert threads.speed_up([one, two], 1) == "2.00"
    assert threads.speed_up([one, record("branchwise", 60.0, 60.0, "stopped")], 1) == ""
    assert markdown.differences([one, two]) == []
    assert len(markdown.differences([one, record("branchwise", 2.0, 4.0, correct=8)])) == 1
    two.tree = "another"
    assert len(markdown.differences([one, two])) == 1


def test_a_solver_that_was_not_run_at_a_depth_has_an_empty_cell() -> None:
    ours, theirs = record("branchwise", 1.0, 1.0), record("gosdt", 2.0, 2.0)
    ours.job["max_depth"], theirs.job["max_depth"] = 4, 5
    assert depth.row(4, ["branchwise", "gosdt"], [ours, theirs])[2:] == [""]
    assert depth.row(5, ["branchwise", "gosdt"], [ours, theirs])[:2] == [5, ""]


def test_every_axis_grows_through_three_values_or_more() -> None:
    assert all(len(axis.short) > 2 and set(axis.short) <= set(axis.full) for axis in growth.AXES)
    rows = [axis for axis in growth.AXES if axis.name in ("resampled", "distinct")]
    assert all((axis.short[0], axis.short[-1]) == (1e3, 1e7) for axis in rows)


def test_a_small_memo_must_not_change_the_tree() -> None:
    free, small, few = (record("branchwise", 1.0, 1.0) for _ in range(3))
    small.job["options"], few.job["options"], few.splits = {"memo_limit": 5}, {"max_leaves": 2}, 0
    assert limits.forgotten([free, small, few]) == []
    small.tree = "another"
    assert len(limits.forgotten([free, small, few])) == 1


def test_a_run_that_was_given_more_time_says_so() -> None:
    late = record("branchwise", 90.0, 60.0)
    late.message = "given 99 s"
    assert markdown.answer(late) == ["0.8000", "optimal, given 99 s", 1]


def test_limited_leaves_have_a_row_for_each_price() -> None:
    free, bound = record("branchwise", 1.0, 1.0), record("branchwise", 60.0, 60.0, "stopped")
    bound.job["options"], bound.upper_bound = {"max_leaves": 8}, 0.85
    table = limits.leaves([free, bound]).split("\n\n")[1].splitlines()
    assert table[0] == "| instance | λ | no limit, `fast` | 8 leaves, `fast` | 16 leaves, `fast` |"
    assert table[2:] == ["| x | 0.1 | 1.00 / 1 | gap 0.0500 |  |"]
