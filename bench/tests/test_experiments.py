"""What the experiments compute themselves: bounds, exponents, folds, thresholds, ratios."""

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from harness import families, markdown, paper, runner, suites, tables
from harness.experiments import EXPERIMENTS, Call, columns, growth, hard, published
from harness.experiments.sweep import Case, Lists, Sweep, check_instances, instances, listed
from harness.job import Job, Record
from harness.solvers import branchwise


def test_the_bound_by_hand() -> None:
    # One feature of two values, κ = 1: (1 − 0) · 2 · 1, then (1 − 1) · 4 · 1.
    assert published.complexity_bound(1, 2, "0.1") == 2
    # Two features, κ = 0: 2 · 2 · 1.
    assert published.complexity_bound(2, 2, "0.5") == 4


def test_the_bound_has_the_papers_magnitude() -> None:
    for (penalty, features), (power, _) in published.PUBLISHED.items():
        assert len(str(published.complexity_bound(features, 2, penalty))) - 1 == int(power)


def test_an_exponent_is_the_slope() -> None:
    assert growth.exponent([(10, 300), (100, 30_000), (1000, 3_000_000)]) == pytest.approx(2)


def test_every_row_is_held_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "scratch", lambda name: tmp_path / f"{name}.txt")
    labels = np.arange(25)
    whole = tables.write(tmp_path / "x.txt", np.zeros((25, 2), dtype=int), labels)
    monkeypatch.setattr(published.suites, "find", lambda _: (whole, "0.1"))
    held = []
    for case in published.folds("x"):
        with case.table(case.instance) as files:
            kept, out = tables.read(files["table"])[1], tables.read(files["test"])[1]
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
    run = record("branchwise", 2.0, 2.0)
    run.trace, run.splits = [[0.1, 0.5, None], [0.2, 0.7, 0.9]], 1
    assert columns.best_after([run], 0.01) == "nothing"
    assert columns.best_after([run], 1) == "0.7000 – 0.9000"
    assert columns.best_after([run], 1.99) == "0.8000 – 0.8000"


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


def call(**changes: object) -> Call:
    """A call that is not run."""
    fields = {"name": "x", "out": Path(), "core": 0, "time_limit": 20.0, "memory_limit": 1 << 30, "full": False}
    return Call(**{**fields, "instances": None, "plan": None, **changes})


@pytest.mark.parametrize("name", ["hard", "threads", "limits", "anytime", "dl85", "encodings", "depth-analysis"])
@pytest.mark.parametrize("full", [False, True])
def test_experiments_on_known_tables_name_instances(name: str, full: bool) -> None:
    cases = [case for sweep in EXPERIMENTS[name].sweeps for case in sweep.cases(call(full=full))]
    assert cases and {case.instance for case in cases} <= {*paper.BY_NAME, *families.BY_NAME}


def test_wide_tables_are_named_by_their_size() -> None:
    assert all(name == f"wide-{rows}x{columns}" for name, (rows, columns) in hard.WIDE_SIZES.items())


def test_a_sweep_runs_every_combination_within_the_limits_of_the_call() -> None:
    case = Case("x", {"penalty": "0.1"}, table=lambda _: nullcontext({"table": "x.txt"}))
    limits = Lists([{"time_limit": seconds} for seconds in (1.0, 20.0, 30.0)])
    sweep = Sweep(listed(Lists([case])), [Lists([{"max_depth": 2}], [{"max_depth": 2}, {"max_depth": 3}]), limits])
    assert [(job.max_depth, job.time_limit) for job in sweep.jobs(call())] == [(2, 1.0), (2, 20.0)]
    assert [job.max_depth for job in sweep.jobs(call(full=True))] == [2, 2, 3, 3]


def test_instances_are_chosen_by_name() -> None:
    fixed = listed(Lists([Case("a"), Case("b", choice="c")], [Case("a"), Case("b", choice="c"), Case("d")]))
    assert [case.instance for case in fixed(call())] == ["a", "b"]
    assert [case.instance for case in fixed(call(instances=["c", "d"]))] == ["b", "d"]
    assert [case.instance for case in instances(Lists(["a"]))(call(instances=["x"]))] == ["x"]
    with pytest.raises(SystemExit, match="the instances of this experiment are a, c, d"):
        check_instances([Sweep(fixed)], call(instances=["x"]))


def with_threads(threads: int, seconds: float, status: str = "optimal", correct: int = 9) -> Record:
    """A run with some threads."""
    made = record("branchwise", seconds, 4.0, status, correct)
    made.job["options"] = {"threads": threads}
    return made


def test_threads_must_agree_and_are_compared_with_one() -> None:
    one, two = with_threads(1, 4.0), with_threads(2, 2.0)
    assert hard.thread_counts(1) == hard.thread_counts(2) == [1, 2]
    assert hard.thread_counts(8) == [1, 2, 8]
    assert hard.speed_up([one, two], 2) == "2.00"
    assert hard.speed_up([one, with_threads(2, 60.0, "stopped")], 2) == ""
    assert hard.ANY_THREADS.differences([one, two]) == []
    assert len(hard.ANY_THREADS.differences([one, with_threads(2, 2.0, correct=8)])) == 1
    two.tree = "another"
    assert len(hard.ANY_THREADS.differences([one, two])) == 1


def test_a_solver_that_was_not_run_at_a_depth_has_an_empty_cell() -> None:
    ours, theirs = record("branchwise", 1.0, 1.0), record("gosdt", 2.0, 2.0)
    ours.job["max_depth"], theirs.job["max_depth"] = 4, 5
    shown = published.by_solver([ours, theirs])
    assert [column.cell([ours]) for column in shown][2:] == [""]
    assert [column.cell([theirs]) for column in shown][:2] == [5, ""]


def test_every_axis_grows_through_three_values_or_more() -> None:
    values = {axis.name: axis.values for axis in growth.AXES}
    assert all(len(lists.short) > 2 and set(lists.short) <= set(lists.of(True)) for lists in values.values())
    assert all((values[name].short[0], values[name].short[-1]) == (1e3, 1e7) for name in ("resampled", "distinct"))


def test_a_small_memo_must_not_change_the_tree() -> None:
    free, small, few = (record("branchwise", 1.0, 1.0) for _ in range(3))
    small.job["options"], few.job["options"], few.splits = {"memo_limit": 5}, {"max_leaves": 2}, 0
    assert hard.ANY_MEMO.differences([free, small, few]) == []
    small.tree = "another"
    assert len(hard.ANY_MEMO.differences([free, small, few])) == 1


def test_a_run_that_was_given_more_time_says_so() -> None:
    late = record("branchwise", 90.0, 60.0)
    late.message = "given 99 s"
    assert [column.cell([late]) for column in columns.ANSWER] == ["0.8000", "optimal, given 99 s", 1]


def test_limited_leaves_have_a_row_for_each_price() -> None:
    free, bound = record("branchwise", 1.0, 1.0), record("branchwise", 60.0, 60.0, "stopped")
    bound.job["options"], bound.upper_bound = {"max_leaves": 8}, 0.85
    table = hard.LEAVES_TABLE.text([free, bound]).splitlines()
    assert table[0] == "| instance | λ | no limit, `fast` | 8 leaves, `fast` | 16 leaves, `fast` |"
    assert table[2:] == ["| x | 0.1 | 1.00 / 1 | gap 0.0500 |  |"]


def test_an_experiment_writes_its_records_and_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def solved(job: Job) -> Record:
        made = record(job.solver, 1.0, 1.0)
        made.job |= {"instance": job.instance, "memory_limit": 1 << 30, "options": job.options}
        return made

    monkeypatch.setattr(suites, "find", lambda _: (Path("x.txt"), "0.1"))
    plan = runner.Plan()
    monkeypatch.setattr(runner.Plan, "record", lambda _, job: solved(job))
    EXPERIMENTS["limits"].run(call(name="limits", out=tmp_path, instances=["memo"], plan=plan))
    assert len((tmp_path / "limits.jsonl").read_text().splitlines()) == 4
    page = (tmp_path / "limits.md").read_text()
    assert "## A small memo" in page and "Proven trees are the same." in page and "Few leaves" not in page
    assert "| lymph | 0.1 | 1 MiB | 0.8000 | optimal | 1 |" in page
