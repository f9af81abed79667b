#!/usr/bin/env python3
"""Runs solvers on a suite of instances and writes records, tables and figures.

    BRANCHWISE_DATA=folder python bench/run.py --suite paper [--solvers A,B] [--instances X,Y]
        [--time-limit 60] [--memory-limit 8] [--core 1] [--reuse FILE] [--out FOLDER]

Each solver runs on each instance in its own process, pinned to one core, with the same limits. The first
call sets up a virtual environment under `target/`. Records of other solvers can be reused: they do not
depend on our program.
"""

from harness import environment

environment.enter()

import argparse  # noqa: E402

from harness import arguments, records, report, runner, suites  # noqa: E402
from harness.solvers import MULTIWAY, SOLVERS  # noqa: E402


def main() -> None:
    """Reads the command line, runs the jobs, and writes records, tables and figures."""
    args = parse()
    suite = suites.SUITES[args.suite]
    solvers = args.solvers or suite.solvers
    if MULTIWAY.intersection(solvers):
        environment.build()
    limits = {"time_limit": args.time_limit, "memory_limit": arguments.gibibytes(args.memory_limit), "core": args.core}
    jobs = suites.jobs(suite, args.instances or suite.instances, solvers, limits)
    with records.Log(args.out / f"{args.suite}.jsonl") as log:
        found = runner.run_all(jobs, arguments.plan(args), log.add)
    report.write(args.suite, suite.title, found, args.out)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="paper", choices=suites.SUITES)
    parser.add_argument("--solvers", type=arguments.names, help=f"of {','.join(SOLVERS)}")
    arguments.add_common(parser, time_limit=60.0)
    args = parser.parse_args()
    unknown = set(args.solvers or []) - set(SOLVERS)
    if unknown:
        parser.error(f"no solver is called {', '.join(sorted(unknown))}; there are {', '.join(SOLVERS)}")
    return args


if __name__ == "__main__":
    main()
