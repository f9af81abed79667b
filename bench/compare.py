#!/usr/bin/env python3
"""What a change did to the work: instructions of two commits on three small tables.

    python bench/compare.py A B [--functions 8]

Builds both commits in worktrees under `target/`, runs each with `valgrind --tool=callgrind`, and prints a
markdown table with ratios, then the functions whose share changed most. Counts do not depend on how busy
the machine is.
"""

from harness import environment

environment.enter()

import argparse  # noqa: E402
import os  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

from harness import callgrind, families, markdown, tables  # noqa: E402

CASES = {
    "tic-tac-toe": ["--builtin", "tic-tac-toe", "--encoding", "one-hot-drop-first", "--lambda", "0.01"],
    "monk3, multi-way": ["--builtin", "monk3", "--lambda", "0.002"],
    "noisy": ["--no-header", "--lambda", "0.02"],
}
ENGINES = ("fast", "paper")


def main() -> None:
    """Builds, counts and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--functions", type=int, default=8, help="how many changed functions to list")
    args = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed; it counts the instructions")
    programs = [build(args.before), build(args.after)]
    table = tables.write(tables.scratch("compare-noisy"), *families.noisy(300, 14))
    rows, changes = [], []
    for case, options in CASES.items():
        for engine in ENGINES:
            counts = [count(program, case, [*options, "--engine", engine], table) for program in programs]
            before, after = (found[""] for found in counts)
            rows.append([case, engine, f"{before:,}", f"{after:,}", f"{after / before:.4f}"])
            changes += changed(case, engine, *counts)
    print(markdown.table(["table", "engine", args.before, args.after, "ratio"], rows))
    changes.sort(key=lambda change: -abs(change[0]))
    listed = [[case, engine, f"`{name}`", f"{delta:+,}"] for delta, case, engine, name in changes[: args.functions]]
    print(markdown.table(["table", "engine", "function", "instructions more"], listed))


def count(program: Path, case: str, options: list[str], table: Path) -> dict[str, int]:
    """Instructions of one run of `fit`."""
    command = [str(program), "fit", "--json", "--quiet", *options]
    command += [str(table)] if case == "noisy" else []
    help_page = subprocess.run([program, "fit", "--help"], capture_output=True, text=True, check=True).stdout
    command += ["--threads", "1"] if "--threads" in help_page else []
    print(" ".join(command[1:]), file=sys.stderr)
    return callgrind.count(command)


def changed(case: str, engine: str, before: dict[str, int], after: dict[str, int]) -> list[tuple[int, str, str, str]]:
    """By how many instructions each function grew or shrank."""
    names = (set(before) | set(after)) - {""}
    deltas = [(after.get(name, 0) - before.get(name, 0), case, engine, name) for name in sorted(names)]
    return [delta for delta in deltas if delta[0]]


def build(name: str) -> Path:
    """Builds a commit in a worktree of its own and hands back its program. Built ones are kept."""
    git = ["git", "-C", str(environment.ROOT)]
    asked = subprocess.run(
        [*git, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], capture_output=True, text=True
    )
    if asked.returncode:
        sys.exit(f"{name} is not a commit of this repository")
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
