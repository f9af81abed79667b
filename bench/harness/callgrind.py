"""Instructions that a program executes, counted by valgrind.

The counts of two runs differ by far less than a thousandth, however busy the machine is.
"""

import re
import subprocess
import tempfile
from pathlib import Path

HASH = re.compile(r"::h[0-9a-f]{16}\b")

TOTAL = ""
"""The name under which the sum over all functions is found."""

ANSWERED = (0, 3)
"""The exit statuses of `branchwise fit` that come with a tree."""


def count(command: list[str]) -> tuple[dict[str, int], str]:
    """Instructions by function, without those that it calls, and what the command printed."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command]
        done = subprocess.run(valgrind, capture_output=True, text=True)
        if done.returncode not in ANSWERED or not out.exists():
            raise RuntimeError(f"{' '.join(valgrind)}: {done.stderr.strip()}")
        annotate = ["callgrind_annotate", "--threshold=100", "--auto=no", str(out)]
        listing = subprocess.run(annotate, capture_output=True, text=True, check=True).stdout
    return parse(listing), done.stdout


def parse(listing: str) -> dict[str, int]:
    """What `callgrind_annotate` lists."""
    found: dict[str, int] = {}
    for line in listing.splitlines():
        row = re.match(r"\s*([\d,]+)(?: \([\s\d.]+%\))?\s+(.*)", line)
        if not row:
            continue
        instructions = int(row[1].replace(",", ""))
        if row[2].startswith("PROGRAM TOTALS"):
            found[TOTAL] = instructions
        elif ":" in row[2]:
            name = HASH.sub("", row[2].split(":", 1)[1].rsplit(" [", 1)[0])
            found[name] = found.get(name, 0) + instructions
    return found
