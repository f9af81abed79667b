"""How results change: with time (`anytime`), and with the size of the problem (`growth`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness import families, markdown, plots
from harness.experiments import columns
from harness.experiments.columns import INSTANCE, PROCESS_SECONDS, column
from harness.experiments.experiment import Experiment
from harness.experiments.page import Column, Figure, ForEach, Table, by, grouped, panels
from harness.experiments.sweep import Case, Lists, Sweep, generated, instances, listed
from harness.job import Record


def draw_anytime(records: list[Record], path: Path) -> None:
    """Objective and bound against time, a panel per instance, a curve per solver."""
    by_instance = grouped(records, lambda r: r.instance)
    plots.anytime(
        {
            name: {solver: columns.steps(runs) for solver, runs in grouped(group, lambda r: r.solver).items()}
            for name, group in by_instance.items()
        },
        path,
    )


ANYTIME = Experiment(
    title="Anytime",
    sweeps=[
        Sweep(
            instances(Lists(["balance", "lymph", "tictactoe", "careval", "krvskp", "nursery"])),
            [
                Lists(
                    [
                        *({"solver": solver} for solver in ("branchwise", "branchwise-paper", "streed")),
                        # GOSDT does not report its way: it is run with rising limits, up to that of the others.
                        *({"solver": "gosdt", "time_limit": seconds} for seconds in (1.0, 3.0, 10.0, 30.0)),
                        {"solver": "gosdt"},
                    ]
                )
            ],
        )
    ],
    page=[
        Table(
            row=lambda r: (r.instance, r.solver),
            columns=[
                INSTANCE,
                column("solver", lambda r: markdown.TITLES[r.solver]),
                columns.after(0.01),
                *(columns.after(seconds, f"{seconds:g} s") for seconds in (0.1, 1, 10)),
            ],
        ),
        "Each cell: objective – proven bound.\n",
        Figure("objective and bound against time", "anytime.svg", draw_anytime),
    ],
)


@dataclass(frozen=True)
class Axis:
    """One quantity that grows while the others stay."""

    name: str
    label: str
    values: Lists[float]
    make: Callable[[int], families.Rows]
    penalty: Callable[[float], str] = lambda _: "0.01"

    def cases(self, full: bool) -> list[Case]:
        """A table per value."""
        return [
            Case(
                f"growth-{self.name}-{value:g}",
                {"penalty": self.penalty(value)},
                generated(lambda value=value: [self.make(int(value))]),
                self.name,
            )
            for value in self.values.of(full)
        ]


def _resampled(rows: int) -> families.Rows:
    features, labels = (part.astype(np.uint8) for part in families.noisy(1000, 15))
    chosen = np.random.default_rng(2).integers(0, len(labels), rows)
    return features[chosen], labels[chosen]


def _up_to(values: Sequence[float], short: int) -> Lists[float]:
    """The first values without `--full`, all with it."""
    return Lists(values[:short], values)


POWERS = [1e3, 1e4, 1e5, 1e6, 1e7]
DOUBLED = [2, 4, 8, 16, 32, 64]
AXES = [
    Axis("resampled", "rows, drawn from 1,000", Lists(POWERS), _resampled),
    # A larger λ than elsewhere, for the sake of ten million rows.
    Axis("distinct", "rows, all different", Lists(POWERS), lambda n: families.distinct(n, 24), lambda _: "0.03"),
    Axis(
        "tree", "rows of a noisy tree of depth 4", _up_to(POWERS[:4], 3), lambda n: families.random_tree(n, 20, 4, 0.1)
    ),
    Axis(
        "features", "features", _up_to([10, 20, 40, 80, 160, 320], 4), lambda n: families.random_tree(2000, n, 3, 0.1)
    ),
    Axis(
        "categories", "categories of each of 8 columns", _up_to(DOUBLED, 4), lambda n: families.categorical(2000, 8, n)
    ),
    Axis(
        "one-hot",
        "categories of each of 5 columns, one-hot",
        _up_to([4, 6, 8, 10, 12, 16, 32, 64], 4),
        lambda n: families.wide_one_hot(2000, 5, n),
    ),
    Axis("classes", "classes", _up_to(DOUBLED, 4), lambda n: families.random_tree(2000, 20, 4, 0.1, classes=n)),
    Axis(
        "penalty",
        "1 / λ",
        _up_to([20, 50, 100, 200, 500, 1000], 4),
        lambda _: families.random_tree(1000, 20, 4, 0.1),
        lambda inverse: f"{1 / inverse:g}",
    ),
]
LABELS = {axis.name: axis.label for axis in AXES}


def label(record: Record) -> str:
    """What grows in a run."""
    return LABELS[record.instance.removeprefix("growth-").rsplit("-", 1)[0]]


def value(record: Record) -> float:
    """How much of it there is."""
    return float(record.instance.rsplit("-", 1)[1])


def curves(records: list[Record]) -> dict[str, list[plots.Point]]:
    """What was measured where there is a proof."""
    fields = {"search s": "seconds", "process s": "process_seconds", "search MB": "search_mb"}
    proofs = [record for record in records if record.proven]
    return {title: [(value(run), getattr(run, field)) for run in proofs] for title, field in fields.items()}


def exponent(points: list[plots.Point]) -> float:
    """The slope of the straight line through the points' logarithms."""
    x, y = np.log(np.array(points)).T
    return float(np.polyfit(x, y, 1)[0])


def exponents(records: list[Record]) -> str:
    """A sentence about the slopes of all curves with enough points."""
    words = [f"{title} {exponent(points):.2f}" for title, points in curves(records).items() if len(points) > 2]
    return f"Fitted exponents: {', '.join(words)}.\n" if words else "Too few proofs for an exponent.\n"


def growing(records: list[Record]) -> list[Column]:
    """The columns of an axis, the first with its name."""
    return [
        column(label(records[0]), lambda r: f"{value(r):,.0f}"),
        column("objective / splits / seconds", markdown.result),
        PROCESS_SECONDS,
        columns.ITERATIONS,
        *columns.COSTS[1:],
    ]


GROWTH = Experiment(
    title="Growth",
    time_limit=60.0,
    sweeps=[
        Sweep(
            listed(
                Lists(
                    [case for axis in AXES for case in axis.cases(full=False)],
                    [case for axis in AXES for case in axis.cases(full=True)],
                )
            )
        )
    ],
    page=[
        "",
        ForEach(by(label), [Table(growing), exponents]),
        Figure("growth", "growth.svg", panels(by(label), curves, plots.Axes("", "seconds, MB", "xy"))),
    ],
)
