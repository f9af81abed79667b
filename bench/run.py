#!/usr/bin/env python3
"""Runs solvers on a suite of instances and writes what came of it.

    BRANCHWISE_DATA=folder python bench/run.py --suite paper [--solvers A,B] [--instances X,Y]
        [--time-limit 60] [--memory-limit 8] [--core 1] [--reuse FILE] [--out FOLDER]

Each solver runs on each instance in its own process, pinned to one core, with the same limits. The first
call sets up a virtual environment under `target/`. Records of other solvers can be reused: they do not
depend on our program.
"""

from harness import environment

environment.enter()

import argparse  # noqa: E402
from pathlib import Path  # noqa: E402

from harness import records, report, runner, suites  # noqa: E402
from harness.solvers import MULTIWAY, SOLVERS  # noqa: E402


def main() -> None:
    """Reads the command line, runs what is asked for, writes records, tables and plots."""
    args = parse()
    suite = suites.SUITES[args.suite]
    solvers = args.solvers or suite.solvers
    if MULTIWAY.intersection(solvers):
        environment.build()
    limits = {"time_limit": args.time_limit, "memory_limit": int(args.memory_limit * (1 << 30)), "core": args.core}
    known = records.read(args.reuse)
    log = records.Log(args.out / f"{args.suite}.jsonl")
    jobs = suites.jobs(suite, args.instances or suite.instances, solvers, limits)
    found = runner.run_all(jobs, args.repeats, known, log)
    report.write(args.suite, suite.title, found, args.out)


def parse() -> argparse.Namespace:
    """The command line."""
    words = lambda text: text.split(",")  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="paper", choices=suites.SUITES)
    parser.add_argument("--solvers", type=words, help=f"of {','.join(SOLVERS)}")
    parser.add_argument("--instances", type=words)
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds")
    parser.add_argument("--memory-limit", type=float, default=8.0, help="GiB")
    parser.add_argument("--core", type=int, default=None, help="pin every run to this core")
    parser.add_argument("--repeats", type=int, default=3, help="runs under a second are repeated; the least counts")
    parser.add_argument("--reuse", type=Path, action="append", default=[], help="records of an earlier run")
    parser.add_argument("--out", type=Path, default=environment.BENCH / "runs" / environment.today())
    return parser.parse_args()


if __name__ == "__main__":
    main()
