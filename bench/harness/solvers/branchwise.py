"""The program under test, called as a user calls it: `fit`, then `predict` on the same rows."""

import hashlib
import json
import os
import re
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from harness import environment, tables
from harness.job import Job, Outcome

OPTIMAL, STOPPED = 0, 3
"""The exit statuses of `fit` that come with a tree."""

TRACE_STEPS = 60

LARGE = 20e6
"""Larger tables, in bytes, are evaluated by `branchwise eval`: Python would need many times their size."""

OWN_FLAGS = {
    "threads": "--threads",
    "memo_limit": "--memo-limit",
    "memory_limit": "--memory-limit",
    "max_leaves": "--max-leaves",
    "encoding": "--encoding",
}
"""The options that a job may have, and their flags."""


def fit(job: Job) -> Outcome:
    """The engine `fast`."""
    return _fit(job, str(job.options.get("engine", "fast")))


def fit_paper(job: Job) -> Outcome:
    """The engine `paper`."""
    return _fit(job, "paper")


class PeakMemory:
    """Measures the peak memory of a process that runs inside a `with`.

    The peak that `wait4` reports includes the Python process that started it, so a thread reads the memory
    while the process runs. For a process that ends before the first reading, the peak is None.
    """

    INTERVAL = 0.005

    def __init__(self, process: int) -> None:
        self._status = Path(f"/proc/{process}/status")
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.megabytes: float | None = None

    def __enter__(self) -> "PeakMemory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        # Often at first, then less, so as not to disturb the process.
        pause = self.INTERVAL
        while not self._over.wait(pause):
            pause = min(pause * 1.1, 0.1)
            try:
                found = re.search(r"VmHWM:\s+(\d+) kB", self._status.read_text())
            except OSError:
                return
            if found:
                self.megabytes = max(self.megabytes or 0.0, int(found[1]) / 1024)


def _fit(job: Job, engine: str) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        model, said = Path(folder) / "model.json", Path(folder) / "said.json"
        command = [*command_line(job, engine), "--out", str(model)]
        started = time.perf_counter()
        # Into a file: with thousands of columns, the line is too long for a pipe that is read only at the end.
        with said.open("w") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True)
        with PeakMemory(process.pid) as memory:
            _, status, usage = os.wait4(process.pid, 0)
            process_seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        errors = process.stderr.read()
        if process.returncode not in (OPTIMAL, STOPPED):
            raise RuntimeError(f"exit status {process.returncode}: {errors.strip()}")
        report, written = json.loads(said.read_text()), json.loads(model.read_text())
        right, rows = _right(model, job.table, folder)
        test_right, test_rows = _right(model, job.test, folder) if job.test else (None, None)
    stopped_by = report.get("stopped_by")
    return Outcome(
        status="memory" if stopped_by == "memory" else report["status"],
        correct=right,
        rows=rows,
        distinct_rows=report["distinct_rows"],
        splits=count_splits(written),
        depth=report["depth"],
        test_correct=test_right,
        test_rows=test_rows,
        seconds=report["seconds"],
        search_seconds=report["seconds"],
        process_seconds=process_seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mb=memory.megabytes,
        search_mb=report["peak_bytes"] / 1e6,
        upper_bound=report["upper_bound"],
        iterations=report["iterations"],
        expansions=report["expansions"],
        evaluations=report["evaluations"],
        complexity_bound=report["complexity_bound"],
        tree=fingerprint(written),
        trace=_trace(written),
    )


def command_line(job: Job, engine: str) -> list[str]:
    """`branchwise fit` for a job."""
    flags: dict[str, object] = {
        "--encoding": "multiway",
        "--categorical": "all",
        "--lambda": job.penalty,
        "--engine": engine,
        "--threads": 1,
        "--time-limit": f"{round(job.time_limit * 1000)}ms",
        # Below the limit of the harness, so that it stops with a tree and is not killed.
        "--memory-limit": job.memory_limit * 7 // 8,
        "--max-depth": job.max_depth,
    }
    flags |= {flag: job.options[name] for name, flag in OWN_FLAGS.items() if name in job.options}
    given = [str(word) for flag, value in flags.items() if value is not None for word in (flag, value)]
    return [str(environment.PROGRAM), "fit", job.table, "--no-header", "--json", "--quiet", *given]


def count_splits(model: dict) -> int:
    """The splits of a model file, counted from its nodes."""
    return sum("split" in node for node in model["tree"]["nodes"])


def fingerprint(model: dict) -> str:
    """A short hash of the tree in a model file."""
    return hashlib.sha256(json.dumps(model["tree"], sort_keys=True).encode()).hexdigest()[:16]


def _trace(model: dict) -> list[list[float | None]]:
    steps = [list(step.values()) if isinstance(step, dict) else list(step) for step in model["summary"]["trace"]]
    # The last step and an even selection of the others are enough for a curve.
    stride = -(-len(steps) // TRACE_STEPS) or 1
    return steps[:-1:stride] + steps[-1:]


def _right(model: Path, table: str, folder: str) -> tuple[int, int]:
    """How many predictions of `branchwise predict` are correct, and the number of rows. It is not given the classes."""
    if Path(table).stat().st_size > LARGE:
        return _evaluated(model, table)
    features, labels = tables.read(table)
    blind = Path(folder) / "blind.txt"
    tables.write(blind, features[:, :-1], features[:, -1])
    command = [environment.PROGRAM, "predict", model, blind, "--no-header"]
    answered = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return int((np.array(answered, dtype=np.int64) == labels).sum()), len(labels)


def _evaluated(model: Path, table: str) -> tuple[int, int]:
    command = [environment.PROGRAM, "eval", model, table, "--no-header", "--json", "--quiet"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found["correct"], found["rows"]
