"""The options that `run.py` and `experiment.py` have in common."""

import argparse
import sys
from pathlib import Path

from harness import environment, records, runner


def names(text: str) -> list[str]:
    """Names separated by commas."""
    return text.split(",")


def gibibytes(number: float) -> int:
    """A number of GiB, in bytes."""
    return int(number * (1 << 30))


def spoken() -> str:
    """The command for a page, without the folders of this machine, so that it can be repeated."""
    words, skip = ["python", f"bench/{Path(sys.argv[0]).name}"], False
    for word in sys.argv[1:]:
        if not skip and word not in ("--out", "--reuse"):
            words.append(word)
        skip = word in ("--out", "--reuse")
    return " ".join(words)


def plan(args: argparse.Namespace) -> runner.Plan:
    """How runs are repeated and which records are reused, from the options."""
    return runner.Plan(args.repeats, known=records.read(args.reuse), again=args.again)


def add_common(parser: argparse.ArgumentParser, time_limit: float | None) -> None:
    """Adds the options for instances, limits, reused records and the output folder."""
    parser.add_argument("--instances", type=names, help="names separated by commas")
    parser.add_argument("--time-limit", type=float, default=time_limit, help="seconds")
    parser.add_argument("--memory-limit", type=float, default=8.0, help="GiB")
    parser.add_argument("--core", type=int, default=None, help="pin every run to this core")
    parser.add_argument(
        "--repeats", type=int, default=3, help="runs under a second are repeated; the shortest time counts"
    )
    parser.add_argument("--reuse", type=Path, action="append", default=[], help="records of an earlier run")
    parser.add_argument(
        "--again", action="store_true", help="reused runs whose core was busy are run again, with more time"
    )
    parser.add_argument("--out", type=Path, default=environment.BENCH / "runs" / environment.today())
