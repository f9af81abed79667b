"""The columns that several experiments show, and the cells that their own columns are made of."""

from collections.abc import Callable

from harness import markdown, plots
from harness.experiments.page import Column
from harness.job import Record

Row = list[Record]


def shown(row: Row) -> Record:
    """The record that stands for a row: the first with a proof, or else the last."""
    return next((record for record in row if record.proven), row[-1])


def column(title: str, cell: Callable[[Record], object]) -> Column:
    """A column that shows something of the record that stands for the row."""
    return Column(title, lambda row: cell(shown(row)))


def pick(title: str, matches: Callable[[Record], bool], cell: Callable[[Record], object]) -> Column:
    """A column for the last record of a row that matches; empty if none does."""
    return Column(title, lambda row: next((cell(record) for record in reversed(row) if matches(record)), ""))


def objective(record: Record) -> str:
    """Four digits of the objective, or why there is none."""
    value = record.objective()
    return record.status if value is None else f"{float(value):.4f}"


def bound(record: Record) -> str | None:
    """What is proven about all other trees, and whether the run was given more time."""
    if record.objective() is None:
        return None
    reason = markdown.UNPROVEN.get(record.status)
    proven = "optimal" if record.proven else f"{record.upper_bound:.4f} ({reason})"
    return proven + (f", {record.message}" if record.message else "")


def solution(record: Record) -> str:
    """Objective, splits, depth, seconds and iterations of a tree, and why it is not proven if it is not."""
    if record.objective() is None:
        return record.status
    words = [objective(record), record.splits, record.depth, markdown.number(record.seconds), record.iterations or "–"]
    reason = markdown.UNPROVEN.get(record.status)
    return " / ".join(map(str, words)) + (f" ({reason})" if reason else "")


INSTANCE = column("instance", lambda r: r.instance)
PENALTY = column("λ", lambda r: r.job["penalty"])
ANSWER = [
    column("objective", objective),
    column("proven bound", bound),
    column("splits", lambda r: None if r.objective() is None else r.splits),
]
ITERATIONS = column("expansions", lambda r: r.iterations)
COSTS = [
    column("seconds", lambda r: markdown.number(r.seconds)),
    column("search MB", lambda r: markdown.number(r.search_mb)),
    column("process MB", lambda r: markdown.number(r.peak_mb)),
]
PROCESS_SECONDS = column("process s", lambda r: markdown.number(r.process_seconds))


def steps(row: Row) -> list[list[float | None]]:
    """Seconds, objective and proven bound at each step of the runs of a row, by time."""
    return sorted((step for record in row for step in plots.curve(record)), key=lambda step: step[0])


def best_after(row: Row, seconds: float) -> str:
    """The best objective and bound so far. A run that the clock stopped ends a little later than it should."""
    past = [step for step in steps(row) if step[0] <= seconds * 1.01]
    if not past:
        return "nothing"
    value = max(step[1] for step in past if step[1] is not None)
    bounds = [step[2] for step in past if step[2] is not None]
    return f"{value:.4f} – {min(bounds):.4f}" if bounds else f"{value:.4f}"


def after(seconds: float, title: str | None = None) -> Column:
    """A column of what there is after some time."""
    return Column(title or f"after {seconds:g} s", lambda row: best_after(row, seconds))
