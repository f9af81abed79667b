"""The suites that `run.py` knows: which instances, at which depths, by which solvers."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness import families, paper, tables
from harness.job import Job
from harness.solvers import MULTIWAY


@dataclass(frozen=True)
class Suite:
    """A set of instances and the solvers that are run on it unless others are named."""

    title: str
    instances: list[str]
    solvers: list[str]
    depths: list[int | None] = field(default_factory=lambda: [None])


ALL = ["branchwise", "branchwise-paper", "streed", "gosdt", "dl85", "cart", "cart-path", "forest", "boosted"]
BEYOND = ["branchwise", "streed", "gosdt", "cart", "cart-path", "boosted"]
BINARY = [instance.name for instance in paper.BINARY]

SUITES = {
    "paper": Suite("The paper's instances", [instance.name for instance in paper.INSTANCES], ALL),
    "depth": Suite("Depth-limited trees", BINARY, ["branchwise", "streed"], [2, 3, 4]),
    "generated": Suite("Generated tables", [family.name for family in families.GENERATED], BEYOND),
    "numeric": Suite("Numeric tables, cut into 0/1 columns", [family.name for family in families.NUMERIC], BEYOND),
}


def find(name: str) -> tuple[Path, str]:
    """The file of an instance and its λ."""
    if name in paper.BY_NAME:
        return tables.of_paper(paper.BY_NAME[name]), paper.BY_NAME[name].penalty
    if name in families.BY_NAME:
        return families.BY_NAME[name].path(), families.BY_NAME[name].penalty
    sys.exit(f"no instance is called {name!r}; there are {', '.join([*paper.BY_NAME, *families.BY_NAME])}")


def fits(name: str, solver: str) -> bool:
    """Whether a solver is run on an instance.

    Most need 0/1 columns; the engine `paper` is run where the paper's program finished in time.
    """
    facts = paper.BY_NAME.get(name)
    if facts is None:
        return True
    if solver == "branchwise-paper":
        return facts.iterations is not None
    return solver in MULTIWAY or facts.binary


def jobs(suite: Suite, instances: Sequence[str], solvers: Sequence[str], limits: dict[str, object]) -> Iterator[Job]:
    """The jobs of a suite, instance by instance."""
    for name in instances:
        path, penalty = find(name)
        for depth in suite.depths:
            for solver in (solver for solver in solvers if fits(name, solver)):
                # DL8.5 must be given a depth: that of the optimal tree, as in the paper.
                asked = paper.BY_NAME[name].depth if solver == "dl85" and depth is None else depth
                yield Job(solver, name, str(path), penalty, max_depth=asked, **limits)
