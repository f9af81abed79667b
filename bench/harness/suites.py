"""The suites that `run.py` knows: which instances, at which depths, by which solvers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from harness import paper, tables
from harness.job import Job
from harness.solvers import MULTIWAY


@dataclass(frozen=True)
class Suite:
    """A set of instances and the solvers that are run on it unless others are named."""

    title: str
    instances: list[str]
    solvers: list[str]
    depths: list[int | None] = field(default_factory=lambda: [None])


NAMES = [instance.name for instance in paper.INSTANCES]
BINARY = [instance.name for instance in paper.BINARY]

SUITES = {
    "paper": Suite(
        "The paper's instances",
        NAMES,
        ["branchwise", "branchwise-paper", "streed", "gosdt", "dl85", "cart", "cart-path", "forest", "boosted"],
    ),
    "depth": Suite("Depth-limited trees", BINARY, ["branchwise", "streed"], [2, 3, 4]),
}


def jobs(suite: Suite, instances: list[str], solvers: list[str], limits: dict[str, object]) -> Iterator[Job]:
    """The jobs of a suite, instance by instance."""
    for name in instances:
        table = str(tables.of_paper(paper.BY_NAME[name]))
        for depth in suite.depths:
            for solver in solvers:
                if not paper.BY_NAME[name].binary and solver not in MULTIWAY:
                    continue
                # DL8.5 must be given a depth: that of the optimal tree, as in the paper.
                asked = paper.BY_NAME[name].depth if solver == "dl85" and depth is None else depth
                yield Job(solver, name, table, paper.BY_NAME[name].penalty, max_depth=asked, **limits)
