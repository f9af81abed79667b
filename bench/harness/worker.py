"""A process of its own for one job: `python -m harness.worker RESULT < job.json`.

The runner has pinned it to a core and limited its memory before it started; what it starts inherits both.
"""

import json
import resource
import sys
import traceback
from dataclasses import asdict
from pathlib import Path

from harness.job import Job
from harness.solvers import MULTIWAY, SOLVERS


def main() -> None:
    """Runs the job given on standard input and writes its result to the named file."""
    result = Path(sys.argv[1])
    job = Job(**json.load(sys.stdin))
    # Trees may be deeper than Python likes to go.
    sys.setrecursionlimit(100_000)
    try:
        found = asdict(SOLVERS[job.solver](job))
        if job.solver not in MULTIWAY:
            # Python itself and its libraries are part of a peer's peak.
            found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    except MemoryError as error:
        found = {"status": "memory", "message": f"MemoryError: {error}"}
    except Exception as error:
        found = {"status": "failed", "message": f"{type(error).__name__}: {error}", "trail": traceback.format_exc()}
    result.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
