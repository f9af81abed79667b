"""Runs jobs one after the other, each in its own process, within limits, on one core."""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from harness import environment
from harness.job import Job, Record

GRACE = 30.0
"""A run is killed this many seconds after its time limit; they are for starting, reading and counting."""

READING = 20e6
"""One more second is allowed for each of these many bytes of a table."""

SHORT = 1.0
"""Runs shorter than this many seconds are repeated, and the shortest time counts."""


PARENT_DEATH = 1
"""`PR_SET_PDEATHSIG` of Linux: send this signal to the process when its parent ends."""

STARVED = 0.9
"""If a stopped run had less than this share of its time on the processor, its core was busy."""


def run(job: Job, repeats: int = 1, short: float = SHORT) -> Record:
    """Runs a job, repeats it if it was short, and keeps the fastest run."""
    record = _once(job)
    if _starved(record):
        record = _stretched(job, record.cpu_seconds)
    times = [record.seconds] if record.seconds is not None else []
    while record.seconds is not None and record.seconds < short and len(times) < repeats:
        again = _once(job)
        if again.seconds is None:
            break
        times.append(again.seconds)
        if again.seconds < record.seconds:
            record = again
    record.times = [round(seconds, 7) for seconds in times]
    return record


@dataclass(frozen=True)
class Plan:
    """How often short runs are repeated, which runs are short, and the records that are known already."""

    repeats: int = 1
    short: float = SHORT
    known: dict[str, Record] = field(default_factory=dict)
    again: bool = False
    """Whether known runs whose core was busy are run once more, with more time."""

    def record(self, job: Job) -> Record:
        """The record of a job, known or new."""
        known = self.known.get(job.key())
        if known is None:
            return run(job, self.repeats, self.short)
        return _stretched(job, known.cpu_seconds) if self.again and _starved(known) else known


def run_all(jobs: Iterable[Job], plan: Plan, done: Callable[[Record], None]) -> list[Record]:
    """Runs the jobs that are not known, and prints each result to standard error."""
    records = []
    for job in jobs:
        record = plan.record(job)
        records.append(record)
        done(record)
        _say(record, record is plan.known.get(job.key()))
    return records


def _starved(record: Record) -> bool:
    """Whether a run reached its time limit while other processes used its core, and has not been given more time."""
    limit = float(record.job["time_limit"])
    return record.status == "stopped" and not record.message and record.cpu_seconds < STARVED * limit


def _stretched(job: Job, received: float) -> Record:
    """Runs a job again, with a limit that makes up for the time that other processes took of the core."""
    limit = job.time_limit * min(4.0, job.time_limit / received)
    record = _once(replace(job, time_limit=limit))
    record.job["time_limit"] = job.time_limit
    record.message = f"given {limit:.0f} s, because the core was shared"
    return record


def _say(record: Record, reused: bool) -> None:
    objective = record.objective()
    value = "" if objective is None else f"{float(objective):.4f} / {record.splits}"
    seconds = "" if record.seconds is None else f"{record.seconds:.4g} s"
    depth = "" if record.job.get("max_depth") is None else f" depth {record.job['max_depth']}"
    words = [f"{record.instance}{depth}", record.solver, record.status, value, seconds, record.message[:80]]
    print(" | ".join(words), "(reused)" if reused else "", file=sys.stderr, flush=True)


def _once(job: Job) -> Record:
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        try:
            done = subprocess.run(
                [sys.executable, "-m", "harness.worker", str(result)],
                input=json.dumps(asdict(job)),
                cwd=environment.BENCH,
                capture_output=True,
                text=True,
                timeout=2 * job.time_limit + GRACE + Path(job.table).stat().st_size / READING,
                env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                preexec_fn=lambda: _confine(job),
                start_new_session=True,
            )
            found = json.loads(result.read_text()) if result.exists() else _died(done)
        except subprocess.TimeoutExpired:
            found = {"status": "killed", "message": "did not keep to its time limit"}
    found.pop("trail", None)
    return Record(job=asdict(replace(job, table=Path(job.table).name, test=None)), load=round(load, 2), **found)


def _confine(job: Job) -> None:
    if job.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {job.core})
    resource.setrlimit(resource.RLIMIT_AS, (job.memory_limit, job.memory_limit))
    if sys.platform == "linux":
        # A solver must not keep running, and keep its memory, after the harness has ended.
        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)


def _died(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    last = done.stderr.strip().splitlines()[-1:] or [""]
    memory = "bad_alloc" in done.stderr or "MemoryError" in done.stderr
    return {"status": "memory" if memory else "failed", "message": f"exit status {done.returncode}: {last[0]}"}
