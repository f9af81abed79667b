"""Objective and proven bound against time: ours and STreeD's as they report them, GOSDT's by rising limits."""

from harness import markdown, plots
from harness.experiments.setting import Setting
from harness.job import Record

SHORT = ["balance", "lymph", "tictactoe", "careval", "krvskp", "nursery"]
LIMITS = [1.0, 3.0, 10.0, 30.0]
SOLVERS = ["branchwise", "branchwise-paper", "streed"]


def run(setting: Setting) -> None:
    """A panel per instance, and a table of what each has after a tenth of a second, one and ten."""
    names = setting.chosen(SHORT, SHORT)
    limits = [limit for limit in LIMITS if limit < setting.time_limit] + [setting.time_limit]
    jobs = [setting.job(solver, name) for name in names for solver in SOLVERS]
    jobs += [setting.job("gosdt", name, time_limit=limit) for name in names for limit in limits]
    found = setting.run(jobs)
    curves: dict[str, dict[str, list[list[float | None]]]] = {}
    for name in names:
        curves[name] = {}
        for solver in (*SOLVERS, "gosdt"):
            steps = [step for r in found if r.instance == name and r.solver == solver for step in _steps(r)]
            curves[name][solver] = sorted(steps, key=lambda step: step[0])
    plots.anytime(curves, setting.out / "anytime.svg")
    text = _table(curves) + "\n![objective and bound against time](anytime.svg)\n"
    setting.write("Anytime", found, text)


def _steps(record: Record) -> list[list[float | None]]:
    return plots.curve(record)


def _table(curves: dict[str, dict[str, list[list[float | None]]]]) -> str:
    rows = []
    for name, by_solver in curves.items():
        for solver, steps in by_solver.items():
            rows.append([name, markdown.TITLES[solver], *(at(steps, moment) for moment in (0.01, 0.1, 1, 10))])
    header = ["instance", "solver", "after 0.01 s", "0.1 s", "1 s", "10 s"]
    return markdown.table(header, rows) + "\nEach cell: objective – proven bound.\n"


def at(steps: list[list[float | None]], moment: float) -> str:
    """The best objective and bound so far. A run that the clock stopped ends a little later than it should."""
    past = [step for step in steps if step[0] <= moment * 1.01]
    if not past:
        return "nothing"
    value = max(step[1] for step in past if step[1] is not None)
    bounds = [step[2] for step in past if step[2] is not None]
    return f"{value:.4f} – {min(bounds):.4f}" if bounds else f"{value:.4f}"
