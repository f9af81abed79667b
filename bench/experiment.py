#!/usr/bin/env python3
"""The paper's other experiments, anytime curves, growth, the hard end, threads and limits.

    BRANCHWISE_DATA=folder python bench/experiment.py NAME [--full] [--instances X,Y] [--time-limit 10]
        [--memory-limit 8] [--core 1] [--reuse FILE] [--out FOLDER]

Without `--full` each takes minutes; with it, hours. Each writes NAME.md, its records and its figures.
"""

from harness import environment

environment.enter()

import argparse  # noqa: E402

from harness import arguments  # noqa: E402
from harness.experiments import EXPERIMENTS, Call  # noqa: E402


def main() -> None:
    """Reads the command line and runs one experiment."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=EXPERIMENTS)
    parser.add_argument("--full", action="store_true", help="all of it, for hours")
    arguments.add_common(parser, time_limit=None)
    args = parser.parse_args()
    environment.build()
    experiment = EXPERIMENTS[args.name]
    call = Call(
        name=args.name,
        out=args.out,
        core=args.core,
        time_limit=args.time_limit or experiment.time_limit,
        memory_limit=arguments.gibibytes(args.memory_limit),
        full=args.full,
        instances=args.instances,
        plan=arguments.plan(args),
    )
    experiment.run(call)


if __name__ == "__main__":
    main()
