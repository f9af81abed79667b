"""The harness's own arithmetic: trees counted, objectives exact, records read again."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from harness import records, runner, trees
from harness.job import Job, Record
from harness.solvers import peers
from harness.solvers.branchwise import count_splits
from harness.trees import Leaf, Split

XOR = Split(0, Split(1, Leaf(0), Leaf(1)), Split(1, Leaf(1), Leaf(0)))
FEATURES = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def test_a_tree_is_counted_and_followed() -> None:
    assert (trees.splits(XOR), trees.depth(XOR)) == (3, 2)
    assert trees.answers(XOR, FEATURES).tolist() == [0, 1, 1, 0]
    assert trees.correct(XOR, FEATURES, np.array([0, 1, 1, 1])) == 3


def record(**fields: object) -> Record:
    """A record of some job."""
    job = {"solver": "streed", "instance": "monk1", "table": "monk1.txt", "penalty": "0.005"}
    return Record(**{"job": job, "status": "optimal", "rows": 3, "correct": 2, "splits": 7, **fields})


def test_the_objective_is_exact() -> None:
    assert record().objective() == Fraction(2, 3) - Fraction(7, 200)
    assert record(correct=None).objective() is None


def test_a_record_survives_its_line() -> None:
    again = Record.parse(record(trace=[[0.1, 0.5, None]]).line())
    assert again.line() == record(trace=[[0.1, 0.5, None]]).line()
    assert again.key() == record().key()


@pytest.mark.parametrize("change", [{"penalty": "0.01"}, {"max_depth": 3}, {"time_limit": 5.0}, {"options": {"a": 1}}])
def test_other_settings_are_other_jobs(change: dict[str, object]) -> None:
    job = Job("streed", "monk1", "monk1.txt", "0.005")
    assert Job(**{**job.__dict__, "table": "/elsewhere/monk1.txt", "core": 1}).key() == job.key()
    assert Job(**{**job.__dict__, **change}).key() != job.key()


def test_only_the_peers_records_are_reused(tmp_path: Path) -> None:
    ours = record(job={"solver": "branchwise", "instance": "monk1", "table": "monk1.txt", "penalty": "0.005"})
    with records.Log(tmp_path / "x.jsonl") as log:
        log.add(record())
        log.add(ours)
    assert list(records.read([tmp_path / "x.jsonl"])) == [record().key()]


def test_a_broken_run_leaves_the_last_records(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt), records.Log(path) as log:
        log.add(record())
        raise KeyboardInterrupt
    assert path.read_text() == "before"
    assert (tmp_path / "x.part").read_text() == record().line() + "\n"


def test_a_known_run_is_run_again_only_if_it_was_starved(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job("streed", "monk1", "monk1.txt", "0.005")
    monkeypatch.setattr(runner, "_once", lambda job: record(job=dict(job.__dict__), seconds=job.time_limit))
    for received, again, expected in ((30.0, True, 120.0), (30.0, False, 60.0), (59.0, True, 60.0)):
        known = record(job=dict(job.__dict__), status="stopped", seconds=60.0, cpu_seconds=received)
        found = runner.Plan(known={job.key(): known}, again=again).record(job)
        assert (found.seconds, found.key()) == (expected, job.key())


def test_streeds_costs_become_objectives() -> None:
    log = "After 0.5 seconds (3 terminal calls) Solution = 25.000000\n"
    log += "After 1.5 seconds (9 terminal calls) Solution = 10.0\n"
    assert peers.streed_trace(log, 100) == [[0.5, 0.75, None], [1.5, 0.9, None]]


def test_splits_of_a_model_file_are_its_split_nodes() -> None:
    leaf = {"leaf": {"counts": {"rows": [1, 0]}}}
    split = {"split": {"feature": 0, "children": [], "counts": {"rows": [2, 0]}}}
    assert count_splits({"tree": {"nodes": [split, leaf, split, leaf, leaf]}}) == 2
