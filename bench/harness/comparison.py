"""The work of two programs on the same cases, in instructions: which cases, and the tables that compare them.

An iteration limit keeps the hard cases short, since valgrind makes a program about fifty times slower.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import callgrind, markdown, suites


@dataclass(frozen=True)
class Case:
    """A table and the options of `fit`."""

    name: str
    instance: str | None
    """An instance of the paper or of the generated families; None for a table that the program contains."""
    options: tuple[str, ...]
    engines: tuple[str, ...] = ("fast",)

    def command(self, program: Path, engine: str) -> list[str]:
        """The command line of `fit`, with one thread."""
        table = []
        if self.instance is not None:
            table = [
                str(suites.find(self.instance)[0]),
                "--no-header",
                "--encoding",
                "multiway",
                "--categorical",
                "all",
            ]
        output = ["--json", "--quiet", "--threads", "1", "--engine", engine]
        return [str(program), "fit", *table, *self.options, *output]


def _hard(name: str, instance: str, penalty: str, iterations: int) -> Case:
    return Case(name, instance, ("--lambda", penalty, "--iteration-limit", str(iterations)))


BOTH = ("fast", "paper")
CASES = [
    _hard("lymph", "lymph", "0.001", 8000),
    _hard("nursery", "nursery", "0.001", 500),
    _hard("balance", "balance", "0.001", 8000),
    _hard("noisy", "coins-1000x60-s1", "0.005", 2000),
    Case("multi-way", "tictactoe-o", ("--lambda", "0.005")),
    Case("depth", "tictactoe-f", ("--lambda", "0.005", "--max-depth", "4")),
    Case(
        "tic-tac-toe", None, ("--builtin", "tic-tac-toe", "--encoding", "one-hot-drop-first", "--lambda", "0.01"), BOTH
    ),
    Case("monk3", None, ("--builtin", "monk3", "--lambda", "0.002"), BOTH),
]
"""Small λ on three tables of the paper, noise, multi-way splits, limited depth, and tables that every copy contains."""

NAMES = [case.name for case in CASES]


@dataclass(frozen=True)
class Count:
    """What one run executed, and what it found."""

    functions: dict[str, int]
    """Instructions by function, without those that it calls."""
    total: int
    answer: tuple[object, ...]
    """Objective, splits and iterations: if they differ, so does the work."""


@dataclass(frozen=True)
class Pair:
    """A case, run by both programs."""

    case: str
    engine: str
    before: Count
    after: Count

    def row(self) -> list[object]:
        """A row of the table of totals."""
        before, after = self.before.total, self.after.total
        same = "yes" if self.before.answer == self.after.answer else "**no**"
        return [self.case, self.engine, f"{before:,}", f"{after:,}", f"{after / before:.4f}", same]

    def changes(self) -> Iterator[tuple[int, str]]:
        """How many more instructions each function executes, where the number changed."""
        before, after = self.before.functions, self.after.functions
        for name in sorted(set(before) | set(after)):
            if delta := after.get(name, 0) - before.get(name, 0):
                yield delta, name


def count(command: list[str]) -> Count:
    """Runs a command under valgrind."""
    functions, output = callgrind.count(command)
    found = json.loads(output)
    total = functions.pop(callgrind.TOTAL)
    return Count(functions, total, tuple(found[name] for name in ("objective", "splits", "iterations")))


def totals(pairs: Sequence[Pair], titles: Sequence[str]) -> str:
    """Instructions of both programs on every case."""
    return markdown.table(["case", "engine", *titles, "ratio", "same answer"], [pair.row() for pair in pairs])


def changed_functions(pairs: Sequence[Pair], most: int) -> str:
    """The functions that changed most."""
    changes = [(delta, pair, name) for pair in pairs for delta, name in pair.changes()]
    changes.sort(key=lambda change: -abs(change[0]))
    rows = [[pair.case, pair.engine, f"`{name}`", f"{delta:+,}"] for delta, pair, name in changes[:most]]
    return markdown.table(["case", "engine", "function", "more instructions"], rows)
