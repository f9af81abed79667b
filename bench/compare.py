#!/usr/bin/env python3
"""What a change did to the work: instructions of two programs on the same cases.

    BRANCHWISE_DATA=folder python bench/compare.py BEFORE AFTER [--cases lymph,noisy] [--functions 8]

BEFORE and AFTER are commits, which are built in worktrees under `target/`, or programs that are built already.
Each is run with `valgrind --tool=callgrind`. Prints a table with ratios, then the functions that changed most.
Counts do not depend on how busy the machine is.
"""

from harness import environment

environment.enter()

import argparse  # noqa: E402
import os  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

from harness import arguments, comparison  # noqa: E402


def main() -> None:
    """Builds, counts and prints."""
    args = parse()
    programs = [program(args.before), program(args.after)]
    pairs = []
    for case in comparison.CASES:
        for engine in case.engines if case.name in args.cases else ():
            print(f"{case.name}, {engine}", file=sys.stderr)
            counts = [comparison.count(case.command(program, engine)) for program in programs]
            pairs.append(comparison.Pair(case.name, engine, *counts))
    print(comparison.totals(pairs, [args.before, args.after]))
    print(comparison.changed_functions(pairs, args.functions))


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", help="a commit or a program")
    parser.add_argument("after", help="a commit or a program")
    parser.add_argument("--cases", type=arguments.names, default=comparison.NAMES, help=",".join(comparison.NAMES))
    parser.add_argument("--functions", type=int, default=8, help="how many changed functions to list")
    args = parser.parse_args()
    if unknown := set(args.cases) - set(comparison.NAMES):
        parser.error(f"no case is called {', '.join(sorted(unknown))}; there are {', '.join(comparison.NAMES)}")
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed; it counts the instructions")
    return args


def program(name: str) -> Path:
    """A program by its path, or that of a commit."""
    path = Path(name)
    return path.resolve() if path.is_file() and os.access(path, os.X_OK) else build(name)


def build(name: str) -> Path:
    """Builds a commit in a worktree of its own and returns its program. Programs once built are kept."""
    git = ["git", "-C", str(environment.ROOT)]
    asked = subprocess.run(
        [*git, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], capture_output=True, text=True
    )
    if asked.returncode:
        sys.exit(f"{name} is neither a program nor a commit of this repository")
    folder = environment.ROOT / "target" / "compare"
    kept = folder / f"branchwise-{asked.stdout.strip()[:12]}"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        tree = folder / "tree"
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", "--force", str(tree), name], check=True)
        try:
            target = {**os.environ, "CARGO_TARGET_DIR": str(folder / "target")}
            subprocess.run(["cargo", "build", "--release", "--quiet", "--locked"], cwd=tree, env=target, check=True)
            shutil.copy2(folder / "target" / "release" / "branchwise", kept)
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", str(tree)], check=True)
    return kept


if __name__ == "__main__":
    main()
