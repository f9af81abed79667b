"""The program under test, called as a user calls it: `fit`, then `predict` on the same rows."""

import json
import os
import re
import subprocess
import tempfile
import threading
import time
from functools import cache
from pathlib import Path

import numpy as np

from harness import environment, tables
from harness.job import Job, Outcome

OPTIMAL, STOPPED = 0, 3
"""The exit statuses of `fit` that come with a tree."""

TRACE_STEPS = 60


def fit(job: Job) -> Outcome:
    """The engine `fast`."""
    return _fit(job, str(job.options.get("engine", "fast")))


def fit_paper(job: Job) -> Outcome:
    """The engine `paper`."""
    return _fit(job, "paper")


class PeakMemory:
    """Watches the most memory of a process that runs inside a `with`.

    What `wait4` tells begins with the memory of the Python that started the process, so a thread looks it
    up while the process runs. A process that is over before the first look has None.
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
        # Often at first, then less: it must not disturb.
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
        model = Path(folder) / "model.json"
        command = [*command_line(job, engine), "--out", str(model)]
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with PeakMemory(process.pid) as memory:
            # One JSON line fits into the pipe, so that waiting first cannot block.
            _, status, usage = os.wait4(process.pid, 0)
            process_seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out, errors = process.stdout.read(), process.stderr.read()
        if process.returncode not in (OPTIMAL, STOPPED):
            raise RuntimeError(f"exit status {process.returncode}: {errors.strip()}")
        report, written = json.loads(out), json.loads(model.read_text())
        right, rows = _right(model, job.table, folder)
        test_right, test_rows = _right(model, job.test, folder) if job.test else (None, None)
    stopped_by = report.get("stopped_by")
    return Outcome(
        status="memory" if stopped_by == "memory" else report["status"],
        correct=right,
        rows=rows,
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
        evaluations=report["evaluations"],
        complexity_bound=report["complexity_bound"],
        trace=_trace(written),
    )


def command_line(job: Job, engine: str) -> list[str]:
    """`branchwise fit` for a job, with the flags that this build of the program knows."""
    words = [
        *[str(environment.PROGRAM), "fit", job.table, "--no-header", "--encoding", "multiway", "--json", "--quiet"],
        *["--lambda", job.penalty, "--engine", engine, "--time-limit", f"{round(job.time_limit * 1000)}ms"],
        # Its own limit is below the harness's, so that it stops with its tree and is not killed.
        *["--memory-limit", f"{job.memory_limit * 7 // 8}"],
    ]
    if job.max_depth is not None:
        words += ["--max-depth", str(job.max_depth)]
    for flag, value in (("--threads", "1"), ("--categorical", "all")):
        if flag in known_flags():
            words += [flag, value]
    if job.options.get("encoding"):
        words += ["--encoding", str(job.options["encoding"])]
    return words


@cache
def known_flags() -> str:
    """The help page of `fit`."""
    return subprocess.run([environment.PROGRAM, "fit", "--help"], capture_output=True, text=True, check=True).stdout


def count_splits(model: dict) -> int:
    """The splits of a model file, counted from its nodes."""
    return sum("split" in node for node in model["tree"]["nodes"])


def _trace(model: dict) -> list[list[float | None]]:
    steps = [list(step.values()) if isinstance(step, dict) else list(step) for step in model["summary"]["trace"]]
    # The ends and an even choice between them are enough for a curve.
    stride = -(-len(steps) // TRACE_STEPS) or 1
    return steps[:-1:stride] + steps[-1:]


def _right(model: Path, table: str, folder: str) -> tuple[int, int]:
    """Correct answers of `branchwise predict` and the number of rows. It sees no class."""
    features, labels = tables.read(table)
    blind = Path(folder) / "blind.txt"
    np.savetxt(blind, features, fmt="%d")
    command = [environment.PROGRAM, "predict", model, blind, "--no-header"]
    answered = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return int((np.array(answered, dtype=np.int64) == labels).sum()), len(labels)
