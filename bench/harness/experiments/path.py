"""The λ path against a fit for each of its trees: the same trees, and what both take."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness import environment, suites
from harness.experiments.experiment import Experiment
from harness.experiments.page import Column, Found, Table
from harness.experiments.sweep import Call, Lists, instances
from harness.markdown import number

SHORT = ["tictactoe-o", "careval-o", "monk3"]
INSTANCES = Lists(SHORT, [*SHORT, "balance-o", "lymph-o", "monk2", "tictactoe", "careval"])
SHARE = 0.2
"""The smallest λ of a path, as a share of the paper's."""


@dataclass(frozen=True)
class Comparison:
    """What the program says of the path of an instance, and of the fit for each of its trees."""

    instance: str
    least: str
    path: dict
    fits: list[dict]

    def of_fits(self, name: str) -> float:
        """A figure of the fits, added up."""
        return sum(fit[name] for fit in self.fits)

    def differences(self) -> list[str]:
        """The trees of the path that are not those of the fits."""
        return [
            f"{self.instance}, λ = {point['split_penalty']}: {point} is not {fit['objective']}"
            for point, fit in zip(self.path["points"], self.fits, strict=True)
            if (point["objective"], point["splits"]) != (fit["objective"], fit["splits"])
        ]


def measure(call: Call) -> Found:
    """The path of each instance, then the fits."""
    found = []
    for case in instances(INSTANCES)(call):
        table, penalty = suites.find(case.instance)
        least = f"{float(penalty) * SHARE:.6f}"
        path = _branchwise(call, "path", table, least)
        fits = [_branchwise(call, "fit", table, point["split_penalty"]) for point in path["points"]]
        found.append(Comparison(case.instance, least, path, fits))
    return {"": found}


def _branchwise(call: Call, command: str, table: Path, penalty: str) -> dict:
    words = [str(environment.PROGRAM), command, str(table), "--no-header", "--encoding", "multiway", "--json"]
    words += ["--quiet", "--lambda", penalty, "--threads", "1", "--categorical", "all"]
    pinned = [] if call.core is None else ["taskset", "-c", str(call.core)]
    done = subprocess.run([*pinned, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def wrong(found: list[Comparison]) -> list[str]:
    """All differences."""
    return [word for one in found for word in one.differences()]


NOTE = "Every tree of a path has the objective and the splits that a fit for its λ finds.\n"


def show(title: str, cell: Callable[[Comparison], object]) -> Column:
    """A column that shows something of a comparison."""
    return Column(title, lambda row: cell(row[0]))


PATH = Experiment(
    title="The λ path against single fits",
    measure=measure,
    page=[
        Table(
            [
                show("instance", lambda one: one.instance),
                show("λ from", lambda one: one.least),
                show("trees", lambda one: len(one.fits)),
                show("searches", lambda one: one.path["searches"]),
                show("expansions", lambda one: one.path["expansions"]),
                show("of the fits", lambda one: one.of_fits("expansions")),
                show("seconds", lambda one: number(one.path["seconds"])),
                show("of the fits", lambda one: number(one.of_fits("seconds"))),
                show("ratio", lambda one: number(one.path["seconds"] / one.of_fits("seconds"))),
            ]
        ),
        lambda found: "" if wrong(found) else NOTE,
    ],
    check=wrong,
)
