"""Limits and signals on small tables of every shape. `bench/grid.py --full` has large ones, and is strict."""

import os
import signal
from pathlib import Path

import pytest

from harness import grid

#: A machine that runs other tests at the same time is late by more than a tenth of a second.
MOST_SECONDS = 1.0
MOST_SHARE = 0.1


@pytest.fixture(scope="module")
def program() -> str:
    """The program that the Rust tests were run with."""
    root = Path(__file__).resolve().parents[2]
    path = Path(os.environ.get("BRANCHWISE_PROGRAM", root / "target/debug/branchwise"))
    if not path.exists():
        pytest.skip("build the program first, or name it in BRANCHWISE_PROGRAM")
    return str(path)


def test_limits_and_signals_are_obeyed(program: str, tmp_path: Path) -> None:
    """Every case ends as documented, in time, and within its memory."""
    failed = []
    for case in grid.cases(program, tmp_path, grid.shapes(full=False), full=False):
        late = grid.excess(case) if case.is_memory else case.beyond
        if case.problem or late > (MOST_SHARE if case.is_memory else MOST_SECONDS):
            failed.append(case)
    assert not failed


def test_an_answer_that_nobody_takes_does_not_hold_the_program(program: str, tmp_path: Path) -> None:
    """A signal while the answer is being written ends the program, even if nobody reads what it writes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    fit = [program, "fit", "--builtin", "monk1", "--quiet", "--out", str(pipe)]
    ended = grid.run(fit, send=signal.SIGTERM, after=0.5)
    assert ended.status == 130
    assert ended.after_signal < MOST_SECONDS
    assert "while the answer was being written" in ended.message


def test_endless_input_ends_at_the_limit(program: str) -> None:
    """A line that does not end, and more rows than the memory can hold."""
    limit = ["--memory-limit", "100MB", "--time-limit", "20s"]
    ended = grid.run([program, "fit", "--quiet", "/dev/zero", *limit])
    assert ended.status == 4
    assert "memory limit was reached while reading" in ended.message
    assert ended.peak_rss < 110 * grid.MEGABYTE + grid.OWN_BYTES
