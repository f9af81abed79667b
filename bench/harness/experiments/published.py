"""The paper's own experiments: complexity, depth, DL8.5, encodings, accuracy against size."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from math import comb, floor, log10
from statistics import median

import numpy as np

from harness import encodings, families, markdown, paper, plots, suites, tables
from harness.experiments.columns import INSTANCE, column, objective, pick, solution
from harness.experiments.experiment import Experiment
from harness.experiments.page import Column, Figure, ForEach, Section, Table, by, grouped, lines, panels
from harness.experiments.sweep import Case, Lists, Settings, Sweep, generated, instances
from harness.job import Record

BINARY = [instance.name for instance in paper.BINARY]


def multiway(names: list[str]) -> list[str]:
    """The tables with multi-way splits that belong to some instances."""
    return sorted({f"{paper.BY_NAME[name].family}-o" for name in names} & set(paper.BY_NAME))


PUBLISHED = {
    ("0.1", 10): ("4", "13"),
    ("0.1", 15): ("5", "16"),
    ("0.1", 20): ("6", "18"),
    ("0.05", 10): ("5", "271"),
    ("0.05", 15): ("7", "473"),
    ("0.05", 20): ("9", "576"),
    ("0.01", 10): ("5", "392"),
    ("0.01", 15): ("8", "INF"),
    ("0.01", 20): ("10", "INF"),
}
"""By λ and q, the powers of ten that the paper prints for BRANCHES and OSDT."""


def complexity_bound(features: int, categories: int, penalty: str, classes: int = 2) -> int:
    """The paper's bound on the number of branches evaluated, in integers.

    Γ(q, C, λ) ≤ Σ over h = 0 … κ of (q − h) · C^(h+1) · binomial(q, h), κ = min(⌊1 / (Kλ)⌋ − 1, q).
    """
    kappa = min(floor(1 / (classes * Fraction(penalty))) - 1, features)
    return sum((features - h) * categories ** (h + 1) * comb(features, h) for h in range(kappa + 1))


def shape(record: Record) -> tuple[str, int]:
    """λ and q of a generated table."""
    return str(record.job["penalty"]), int(record.instance.removeprefix("coins-"))


def exact(record: Record) -> int:
    """The bound for a generated table."""
    penalty, features = shape(record)
    return complexity_bound(features, 2, penalty)


def agrees(record: Record) -> str:
    """Whether the program gives the same bound."""
    given = record.complexity_bound
    same = given is not None and abs(given - exact(record)) <= 1e-9 * exact(record)
    return "yes" if same else f"**no: {given}**"


def coins(features: int, penalty: str) -> Case:
    """A table with this number of features, for the bound that the program gives."""
    fields = {"penalty": penalty, "time_limit": 1.0}
    return Case(f"coins-{features}", fields, generated(lambda: [families.noisy(200, features)]))


COMPLEXITY = Experiment(
    title="Complexity bound",
    timed=False,
    sweeps=[
        Sweep(lambda _: [coins(features, penalty) for penalty, features in PUBLISHED], name="shapes"),
        Sweep(
            instances(Lists([i.name for i in paper.INSTANCES if i.iterations is not None])),
            [Lists([{"solver": "branchwise-paper"}])],
            name="solved",
        ),
    ],
    page=[
        Section(
            "The paper's table",
            [
                Table(
                    [
                        column("λ", lambda r: shape(r)[0]),
                        column("q", lambda r: shape(r)[1]),
                        column("Γ", lambda r: f"{exact(r):,}"),
                        column("log₁₀ Γ", lambda r: f"{log10(exact(r)):.1f}"),
                        column("the paper's power", lambda r: PUBLISHED[shape(r)][0]),
                        column("`fit` says the same", agrees),
                        column("OSDT's power", lambda r: PUBLISHED[shape(r)][1]),
                    ]
                )
            ],
            sweep="shapes",
        ),
        Section(
            "Bound and truth",
            [
                Table(
                    [
                        INSTANCE,
                        column("bound", lambda r: f"{r.complexity_bound:.3g}"),
                        column("evaluations", lambda r: f"{r.evaluations:,}"),
                        column("bound / evaluations", lambda r: f"{r.complexity_bound / r.evaluations:.3g}"),
                    ],
                    where=lambda r: r.complexity_bound and r.evaluations,
                )
            ],
            sweep="solved",
        ),
    ],
)

DEPTHS = [{"max_depth": depth} for depth in range(4, 21)]
DEPTH_INSTANCES = Lists(["tictactoe-f", "careval-f", "nursery-f", "zoo"], BINARY)


def by_solver(records: list[Record]) -> list[Column]:
    """A row's depth, and a column for each solver that was run."""
    solvers = [
        pick(markdown.TITLES[solver], lambda r, solver=solver: r.solver == solver, solution)
        for solver in grouped(records, lambda r: r.solver)
    ]
    return [column("depth", lambda r: r.job["max_depth"]), *solvers]


DEPTH = Experiment(
    title="Depth analysis",
    sweeps=[
        Sweep(
            instances(DEPTH_INSTANCES),
            [Lists(DEPTHS), Lists([{"solver": solver} for solver in ("branchwise", "branchwise-paper")])],
        ),
        # The peers take long: a short run has them at a few depths.
        Sweep(
            instances(DEPTH_INSTANCES),
            [
                Lists([{"max_depth": depth} for depth in (4, 5, 6, 8, 12, 20)], DEPTHS),
                Lists([{"solver": solver} for solver in ("streed", "streed-plain", "gosdt")]),
            ],
        ),
        Sweep(instances(DEPTH_INSTANCES, others=multiway), [Lists(DEPTHS)]),
    ],
    page=[
        "",
        ForEach(
            by(lambda r: r.instance),
            [
                Table(by_solver, row=lambda r: r.job["max_depth"]),
                Figure(
                    "time by depth",
                    "depth-analysis-{instance}.svg",
                    lines(
                        lambda r: plots.title(r.solver),
                        lambda runs: [(int(r.job["max_depth"]), r.seconds) for r in runs if r.seconds],
                        plots.Axes("maximum depth", "seconds", "y"),
                    ),
                    where=lambda records: len({record.solver for record in records}) > 1,
                ),
            ],
        ),
        "Each cell: objective / splits / depth of the tree / seconds / iterations.\n",
    ],
)

SUPPORTS = [{"solver": "dl85", "options": {"min_support": int(n)}} for n in np.unique(np.linspace(1, 50, 20).round())]
DL85_INSTANCES = Lists(
    ["monk1-l", "monk1-f", "monk2-f", "monk3-f", "tictactoe-f", "zoo-f", "lymph", "mushroom"], BINARY
)


def optimum(row: list[Record]) -> Record:
    """Our record of an instance."""
    return next(record for record in row if record.solver == "branchwise")


def best(row: list[Record]) -> Record | None:
    """The best tree of DL8.5, if it has any."""
    tries = [record for record in row if record.solver == "dl85" and record.objective() is not None]
    return max(tries, key=lambda record: record.objective(), default=None)


def value(record: Record) -> str:
    """Objective and splits."""
    return f"{objective(record)} / {record.splits}"


def of_best(title: str, cell: object, missing: str | None = None) -> Column:
    """A column that shows something of DL8.5's best tree and the optimum."""
    return Column(title, lambda row: missing if best(row) is None else cell(best(row), optimum(row)))


def gaps(runs: list[Record]) -> list[plots.Point]:
    """How far DL8.5 stays below the optimum, by its minimum support."""
    known = optimum(runs).objective()
    tries = [record for record in runs if record.solver == "dl85" and record.objective() is not None]
    return sorted((int(record.option("min_support")), float(known - record.objective())) for record in tries)


DL85 = Experiment(
    title="DL8.5 beside the optimum",
    timed=False,
    sweeps=[
        Sweep(instances(DL85_INSTANCES)),
        # It maximises accuracy within a depth and knows no λ. It is given the depth of the optimal tree; beyond
        # that, a minimum support is its only way to small trees.
        Sweep(
            instances(DL85_INSTANCES, lambda name: [Case(name, {"max_depth": paper.BY_NAME[name].depth})]),
            [Lists(SUPPORTS[::4], SUPPORTS)],
        ),
    ],
    page=[
        Table(
            [
                INSTANCE,
                column("depth", lambda r: paper.BY_NAME[r.instance].depth),
                Column("optimum / splits", lambda row: value(optimum(row))),
                of_best(
                    "DL8.5's best / splits",
                    lambda best, _: value(best) + ("" if best.proven else " (time)"),
                    "none in time or memory",
                ),
                of_best("its support", lambda best, _: best.option("min_support")),
                of_best(
                    "short of the optimum", lambda best, optimum: f"{float(optimum.objective() - best.objective()):.4f}"
                ),
            ],
            row=lambda r: r.instance,
        ),
        Figure(
            "objective by support",
            "dl85.svg",
            lines(lambda r: r.instance, gaps, plots.Axes("minimum support", "objective below the optimum")),
        ),
    ],
)


def encoded(title: str, suffix: str) -> Column:
    """The column of one encoding."""
    return pick(title, lambda r: encodings.suffix(r.instance) == suffix, lambda r: f"{r.job['penalty']}: {solution(r)}")


ENCODINGS = Experiment(
    title="Ordinal against binary encodings",
    sweeps=[Sweep(instances(Lists([i.name for i in paper.INSTANCES if i.family != "krvskp"])))],
    page=[
        Table(
            [
                column("table", lambda r: paper.BY_NAME[r.instance].family),
                encoded("multi-way (-o)", "-o"),
                encoded("one-hot", ""),
                encoded("first dropped (-f)", "-f"),
                encoded("last dropped (-l)", "-l"),
            ],
            row=lambda r: paper.BY_NAME[r.instance].family,
        ),
        "Each cell: λ: objective / splits / depth / seconds / expansions.\n",
    ],
)

FOLDS = 10
PARETO_INSTANCES = Lists(["monk3", "careval"], BINARY)
PENALTIES = [{"penalty": penalty} for penalty in ("0.1", "0.05", "0.025", "0.01", "0.005", "0.001")]


def held_out(rows: int, fold: int) -> np.ndarray:
    """Which rows a fold holds out: every row is held out by one fold, by a seeded shuffle."""
    held = np.zeros(rows, dtype=bool)
    held[np.random.default_rng(0).permutation(rows)[fold::FOLDS]] = True
    return held


@contextmanager
def fold_files(instance: str) -> Iterator[Settings]:
    """The training and the held-out rows of an instance `NAME#FOLD`, as files."""
    name, fold = instance.split("#")
    features, labels = tables.read(suites.find(name)[0])
    held = held_out(len(labels), int(fold))
    files = {}
    for field, part, rows in (("table", "train", ~held), ("test", "test", held)):
        files[field] = str(tables.write(tables.scratch(f"fold-{name}-{fold}-{part}"), features[rows], labels[rows]))
    yield files


def folds(name: str) -> list[Case]:
    """A case for each fold."""
    return [Case(f"{name}#{fold}", table=fold_files) for fold in range(FOLDS)]


def whole(record: Record) -> str:
    """The instance that a fold is part of."""
    return record.instance.split("#")[0]


def with_multiway(records: list[Record]) -> dict[str, list[Record]]:
    """The records of each instance and of its table with multi-way splits."""
    names = [name for name in grouped(records, whole) if paper.BY_NAME[name].binary]
    return {name: [r for r in records if whole(r) in (name, *multiway([name]))] for name in names}


def front(record: Record) -> tuple[str, str]:
    """A solver, and the setting that makes its trees large or small."""
    solver = markdown.TITLES[record.solver] + ("" if paper.BY_NAME[whole(record)].binary else ", multi-way")
    if record.solver in ("forest", "boosted"):
        return solver, "–"
    return solver, str(record.job["max_depth" if record.solver == "dl85" else "penalty"])


MEASURES = {
    "splits": lambda row: median(r.splits for r in row),
    "training accuracy": lambda row: median(r.accuracy for r in row),
    "held out": lambda row: median(r.test_accuracy for r in row),
    "first quartile": lambda row: float(np.quantile([r.test_accuracy for r in row], 0.25)),
    "third": lambda row: float(np.quantile([r.test_accuracy for r in row], 0.75)),
}


def fronts(measure: str, records: list[Record]) -> dict[str, list[plots.Point]]:
    """Accuracy against splits, a curve per solver."""
    curves: dict[str, list[plots.Point]] = {}
    tested = [record for record in records if record.test_accuracy is not None]
    for (solver, _), row in grouped(tested, front).items():
        curves.setdefault(solver, []).append((MEASURES["splits"](row), MEASURES[measure](row)))
    return {solver: sorted(curve) for solver, curve in curves.items()}


def fronts_figure(rows: str, measure: str) -> Figure:
    """The fronts on one kind of rows."""
    axes = plots.Axes("splits", f"accuracy, {rows} rows", "x")
    return Figure(f"fronts on {rows} rows", f"pareto-{rows}.svg", panels(with_multiway, partial(fronts, measure), axes))


def depth_limited(deepest: int) -> list[Settings]:
    """DL8.5, which knows no λ, at each depth."""
    return [{"solver": "dl85", "penalty": "0", "max_depth": depth} for depth in range(1, deepest + 1)]


OURS = [{"solver": "branchwise", **penalty} for penalty in PENALTIES]
CART = [{"solver": "cart", **penalty} for penalty in PENALTIES]
ENSEMBLES = [{"solver": solver, "penalty": "0"} for solver in ("forest", "boosted")]
PARETO = Experiment(
    title="Fronts of accuracy against size",
    timed=False,
    sweeps=[
        Sweep(
            instances(PARETO_INSTANCES, folds),
            [Lists([*OURS, *CART, *depth_limited(5), *ENSEMBLES], [*OURS, *CART, *depth_limited(10), *ENSEMBLES])],
        ),
        Sweep(instances(PARETO_INSTANCES, folds, others=multiway), [Lists(OURS)]),
    ],
    page=[
        "",
        ForEach(
            with_multiway,
            [
                Table(
                    [
                        column("solver", lambda r: front(r)[0]),
                        column("λ or depth", lambda r: front(r)[1]),
                        *(
                            Column(title, lambda row, measure=measure: markdown.number(measure(row)))
                            for title, measure in MEASURES.items()
                        ),
                    ],
                    row=front,
                    where=lambda r: r.test_accuracy is not None,
                )
            ],
        ),
        fronts_figure("train", "training accuracy"),
        fronts_figure("test", "held out"),
        f"Medians over {FOLDS} folds; quartiles of the accuracy held out.\n",
    ],
)
