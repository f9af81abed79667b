"""Figures, as SVG: time to proof, performance profiles, anytime curves, fronts and growth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

from harness.job import Record
from harness.markdown import TITLES

plt.rcParams.update({"font.size": 8, "svg.fonttype": "none", "svg.hashsalt": "branchwise", "axes.grid": True})
plt.rcParams.update({"grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False})
plt.rcParams.update({"figure.constrained_layout.use": True})
COLOURS = dict(zip(TITLES, plt.get_cmap("tab10").colors, strict=False))


def title(solver: str) -> str:
    """A solver's name for a legend."""
    return TITLES.get(solver, solver).replace("`", "")


def save(figure: plt.Figure, path: Path) -> None:
    """Writes a figure without a date, so that the same data gives the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def time_to_proof(found: dict, solvers: Sequence[str], path: Path) -> None:
    """A dot per instance and solver; hollow where there is no proof."""
    names = [name if depth is None else f"{name} ≤ {depth}" for name, depth in found]
    figure, axes = plt.subplots(figsize=(8, 0.17 * len(names) + 1))
    for solver in solvers:
        for place, by_solver in enumerate(found.values()):
            record = by_solver.get(solver)
            if record is None:
                continue
            seconds = record.seconds or float(record.job["time_limit"])
            face = COLOURS[solver] if record.proven else "none"
            axes.plot(seconds, place, "o", color=COLOURS[solver], markerfacecolor=face, markersize=4)
        axes.plot([], [], "o", color=COLOURS[solver], label=title(solver))
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("seconds of the call of fit (hollow: no proof)")
    axes.legend(loc="lower right")
    save(figure, path)


def performance_profile(found: dict, solvers: Sequence[str], path: Path) -> None:
    """The share of instances that a solver proved within a multiple of the time of the fastest."""
    figure, axes = plt.subplots(figsize=(5, 3))
    ratios: dict[str, list[float]] = {solver: [] for solver in solvers}
    cases = 0
    for by_solver in found.values():
        proofs = {s: by_solver[s].seconds for s in solvers if s in by_solver and by_solver[s].proven}
        if len([s for s in solvers if s in by_solver]) < len(solvers) or not proofs:
            continue
        cases += 1
        best = min(proofs.values())
        for solver, seconds in proofs.items():
            ratios[solver].append(seconds / best)
    worst = max((max(values) for values in ratios.values() if values), default=1.0)
    for solver, values in ratios.items():
        steps = sorted(values)
        shares = np.arange(1, len(steps) + 1) / max(cases, 1)
        x, y = [1.0, *steps, worst * 1.5], [0.0, *shares, shares[-1] if steps else 0.0]
        axes.step(x, y, where="post", color=COLOURS[solver], label=title(solver))
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("time to proof over that of the fastest")
    axes.set_ylabel(f"share of {cases} cases")
    axes.legend(loc="lower right")
    save(figure, path)


def grid_of(n: int, height: float) -> tuple[plt.Figure, np.ndarray]:
    """Axes for `n` panels, at most three per line; unused ones are hidden."""
    columns = min(3, n)
    lines = -(-n // columns)
    figure, grid = plt.subplots(lines, columns, figsize=(3.2 * columns, height * lines), squeeze=False)
    for axes in grid.flat[n:]:
        axes.set_visible(False)
    return figure, grid


def name_lines(figure: plt.Figure) -> None:
    """Draws one legend for all panels, above them."""
    known = {}
    for axes in figure.axes:
        for line, label in zip(*axes.get_legend_handles_labels(), strict=True):
            known.setdefault(label, line)
    figure.legend(known.values(), known.keys(), loc="outside upper center", ncols=min(4, len(known)), frameon=False)


def name_points(axes: plt.Axes, points: Iterable[float]) -> None:
    """Labels the points themselves, if they are few and the logarithmic axis is too short for good ticks."""
    points = sorted(set(points))
    if 0 < len(points) <= 8 and points[0] > 0 and points[-1] < 100 * points[0]:
        axes.set_xticks(points, [f"{point:g}" for point in points])
        axes.set_xticks([], minor=True)


def anytime(curves: dict[str, dict[str, list[list[float | None]]]], path: Path) -> None:
    """Objective (full) and proven bound (dashed) against time, a panel per instance."""
    figure, grid = grid_of(len(curves), height=2.3)
    for axes, (name, by_solver) in zip(grid.flat, curves.items(), strict=False):
        for solver, steps in by_solver.items():
            for column, style, label in ((1, "-", title(solver)), (2, "--", None)):
                points = [(step[0], step[column]) for step in steps if step[column] is not None]
                if points:
                    times, values = zip(*points, strict=True)
                    axes.step(times, values, style, where="post", color=COLOURS[solver], label=label, linewidth=1)
        axes.set_xscale("log")
        axes.set_title(name)
    name_lines(figure)
    figure.supxlabel("seconds")
    figure.supylabel("objective,\nproven bound (dashed)", multialignment="center")
    save(figure, path)


def curve(record: Record) -> list[list[float | None]]:
    """The trace of a record, continued to the end of the run."""
    steps = list(record.trace or [])
    if record.objective() is not None and record.seconds is not None:
        bound = float(record.objective()) if record.proven else record.upper_bound
        steps.append([record.search_seconds or record.seconds, float(record.objective()), bound])
    return steps


Point = tuple[float, float]


@dataclass(frozen=True)
class Axes:
    """The labels of a figure, and which of its axes are logarithmic: "", "x", "y" or "xy"."""

    x: str
    y: str
    log: str = ""


def lines(series: dict[str, Iterable[Point]], path: Path, labels: Axes) -> None:
    """Plain curves with markers."""
    figure, axes = plt.subplots(figsize=(5, 3.2))
    for name, points in series.items():
        points = list(points)
        if points:
            axes.plot(*zip(*points, strict=True), "o-", markersize=3, linewidth=1, label=name)
    if "x" in labels.log:
        axes.set_xscale("log")
    if "y" in labels.log:
        axes.set_yscale("log")
    axes.set_xlabel(labels.x)
    axes.set_ylabel(labels.y)
    axes.legend()
    save(figure, path)


def panels(found: dict[str, dict[str, list[Point]]], path: Path, labels: Axes) -> None:
    """Plain curves, a panel per name; sizes may be 0."""
    figure, grid = grid_of(len(found), height=2.4)
    for axes, (name, series) in zip(grid.flat, found.items(), strict=False):
        for label, points in series.items():
            if points:
                axes.plot(*zip(*points, strict=True), "o-", markersize=2.5, linewidth=0.8, label=label)
        if "x" in labels.log:
            axes.set_xscale("symlog", linthresh=1)
            name_points(axes, (x for points in series.values() for x, _ in points))
        if "y" in labels.log:
            axes.set_yscale("log")
        axes.set_title(name)
    name_lines(figure)
    figure.supxlabel(labels.x)
    figure.supylabel(labels.y)
    save(figure, path)
