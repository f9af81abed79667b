#!/usr/bin/env python3
"""Limits and signals on tables of every shape, at every moment: how late the program stops.

    python bench/grid.py [PROGRAM] [--full] [--shapes NAME,NAME]

Prints the worst of every shape and kind, and all cases that fail: more than a tenth of a second late, more
than a tenth of the memory beyond the limit, or ended in a way that is not documented. Run it on a quiet
machine, with a release build.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from harness import grid

MOST_SECONDS = 0.1
MOST_SHARE = 0.1


def main() -> int:
    """Runs all cases; the exit status is 1 if any fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("program", nargs="?", default=str(root / "target/release/branchwise"))
    parser.add_argument("--full", action="store_true", help="large tables: minutes")
    parser.add_argument("--shapes", help="only these")
    args = parser.parse_args()
    shapes = [s for s in grid.shapes(args.full) if not args.shapes or s.name in args.shapes.split(",")]
    worst: dict[tuple[str, str], grid.Case] = {}
    failed, number = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for case in grid.cases(args.program, Path(folder), shapes, args.full):
            number += 1
            key = (case.shape, "memory" if case.is_memory else case.what)
            late = grid.excess(case) if case.is_memory else case.beyond
            if late > (MOST_SHARE if case.is_memory else MOST_SECONDS) or case.problem:
                failed.append(case)
                print(f"FAILED: {case}", flush=True)
            if key not in worst or case.beyond > worst[key].beyond:
                worst[key] = case
    print(f"{number} cases; the worst of each kind:")
    for (shape, what), case in worst.items():
        beyond = f"{grid.excess(case):+.1%} of the limit" if case.is_memory else f"{case.beyond:.3f} s late"
        print(f"  {shape:12} {what:8} {case.when:14} {beyond}, exit {case.status}")
    print(f"{number - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
