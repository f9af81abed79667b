"""How time and memory grow with rows, features, categories, classes and 1 / λ, with fitted exponents."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from harness import families, markdown, plots, tables
from harness.experiments.setting import Setting
from harness.job import Job, Record


@dataclass(frozen=True)
class Axis:
    """One quantity that grows while the others stay."""

    name: str
    label: str
    short: list[float]
    full: list[float]
    make: Callable[[int], families.Rows]
    penalty: Callable[[float], str] = lambda _: "0.01"

    def jobs(self, setting: Setting) -> Iterator[Job]:
        """A job per value; its table is there while it is run, and then deleted."""
        for value in self.full if setting.full else self.short:
            name = f"growth-{self.name}-{value:g}"
            with tables.lent(tables.write(tables.scratch(name), *self.make(int(value)))) as path:
                yield setting.table_job("branchwise", name, path, penalty=self.penalty(value))


def _resampled(rows: int) -> families.Rows:
    features, labels = (part.astype(np.uint8) for part in families.noisy(1000, 15))
    chosen = np.random.default_rng(2).integers(0, len(labels), rows)
    return features[chosen], labels[chosen]


POWERS = [1e3, 1e4, 1e5, 1e6, 1e7]
AXES = [
    Axis("resampled", "rows, drawn from 1,000", POWERS, POWERS, _resampled),
    # A larger λ than elsewhere, for the sake of ten million rows.
    Axis("distinct", "rows, all different", POWERS, POWERS, lambda n: families.distinct(n, 24), lambda _: "0.03"),
    Axis(
        "tree", "rows of a noisy tree of depth 4", POWERS[:3], POWERS[:4], lambda n: families.random_tree(n, 20, 4, 0.1)
    ),
    Axis(
        "features",
        "features",
        [10, 20, 40, 80],
        [10, 20, 40, 80, 160, 320],
        lambda n: families.random_tree(2000, n, 3, 0.1),
    ),
    Axis(
        "categories",
        "categories of each of 8 columns",
        [2, 4, 8, 16],
        [2, 4, 8, 16, 32, 64],
        lambda n: families.categorical(2000, 8, n),
    ),
    Axis(
        "one-hot",
        "categories of each of 5 columns, one-hot",
        [4, 6, 8, 10],
        [4, 6, 8, 10, 12, 16, 32, 64],
        lambda n: families.wide_one_hot(2000, 5, n),
    ),
    Axis(
        "classes",
        "classes",
        [2, 4, 8, 16],
        [2, 4, 8, 16, 32, 64],
        lambda n: families.random_tree(2000, 20, 4, 0.1, classes=n),
    ),
    Axis(
        "penalty",
        "1 / λ",
        [20, 50, 100, 200],
        [20, 50, 100, 200, 500, 1000],
        lambda _: families.random_tree(1000, 20, 4, 0.1),
        lambda inverse: f"{1 / inverse:g}",
    ),
]


def run(setting: Setting) -> None:
    """A table with an exponent per axis, and a figure of each."""
    chosen = [axis for axis in AXES if not setting.instances or axis.name in setting.instances]
    if not chosen:
        sys.exit(f"nothing to grow: the instances of this experiment are {', '.join(axis.name for axis in AXES)}")
    found = setting.run(job for axis in chosen for job in axis.jobs(setting))
    text, series = "", {}
    for axis in chosen:
        runs = [record for record in found if record.instance.rsplit("-", 1)[0] == f"growth-{axis.name}"]
        series[axis.label] = _series(runs)
        text += _page(axis, runs, series[axis.label])
    plots.panels(series, setting.out / "growth.svg", ("", "seconds, MB"), log="xy")
    setting.write("Growth", found, text + "\n![growth](growth.svg)\n")


def _values(runs: list[Record]) -> list[float]:
    return [float(run.instance.rsplit("-", 1)[1]) for run in runs]


def _series(runs: list[Record]) -> dict[str, list[tuple[float, float]]]:
    """What was measured where there is a proof."""
    clocks = {"search s": "seconds", "process s": "process_seconds", "search MB": "search_mb"}
    proofs = [(value, run) for value, run in zip(_values(runs), runs, strict=True) if run.proven]
    return {label: [(value, getattr(run, clock)) for value, run in proofs] for label, clock in clocks.items()}


def _page(axis: Axis, runs: list[Record], series: dict[str, list[tuple[float, float]]]) -> str:
    rows = [
        [f"{value:,.0f}", markdown.result(run), markdown.number(run.process_seconds), run.iterations, *_memory(run)]
        for value, run in zip(_values(runs), runs, strict=True)
    ]
    header = [axis.label, "objective / splits / seconds", "process s", "expansions", "search MB", "process MB"]
    words = [f"{label} {exponent(points):.2f}" for label, points in series.items() if len(points) > 2]
    return f"\n## {axis.label}\n\n" + markdown.table(header, rows) + "\n" + _fitted(words)


def _fitted(words: list[str]) -> str:
    return f"Fitted exponents: {', '.join(words)}.\n" if words else "Too few proofs for an exponent.\n"


def _memory(run: Record) -> list[str]:
    return [markdown.number(run.search_mb), markdown.number(run.peak_mb)]


def exponent(points: list[tuple[float, float]]) -> float:
    """The slope of the straight line through the points' logarithms."""
    x, y = np.log(np.array(points)).T
    return float(np.polyfit(x, y, 1)[0])
