"""Objective, time, iterations and depth against the maximum depth, as in the paper's appendix."""

from harness import markdown, paper, plots
from harness.experiments.setting import Setting
from harness.job import Record

SHORT = ["tictactoe-f", "careval-f", "nursery-f", "zoo"]
DEPTHS = list(range(4, 21))
FEW_DEPTHS = [4, 5, 6, 8, 12, 20]
OURS = ["branchwise", "branchwise-paper"]
PEERS = ["streed", "streed-plain", "gosdt"]
SOLVERS = [*OURS, *PEERS]


def run(setting: Setting) -> None:
    """A table and a figure per instance. The peers take long: a short run has them at a few depths."""
    names = setting.chosen(SHORT, [instance.name for instance in paper.BINARY])
    few = DEPTHS if setting.full else FEW_DEPTHS
    jobs = [setting.job(solver, name, max_depth=d) for name in names for d in DEPTHS for solver in OURS]
    jobs += [setting.job(solver, name, max_depth=d) for name in names for d in few for solver in PEERS]
    ordinal = sorted({f"{paper.BY_NAME[name].family}-o" for name in names} & set(paper.BY_NAME))
    jobs += [setting.job("branchwise", name, max_depth=d) for name in ordinal for d in DEPTHS]
    found = setting.run(jobs)
    text = ""
    for name in [*names, *ordinal]:
        solvers = SOLVERS if name in names else OURS[:1]
        rows = [row(d, solvers, [r for r in found if r.instance == name]) for d in DEPTHS]
        text += f"\n## {name}\n\n" + markdown.table(["depth", *(markdown.TITLES[s] for s in solvers)], rows)
        if name in names:
            _figure(name, found, setting)
            text += f"\n![time by depth](depth-analysis-{name}.svg)\n"
    text += "\nEach cell: objective / splits / depth of the tree / seconds / iterations.\n"
    setting.write("Depth analysis", found, text)


def row(depth: int, solvers: list[str], found: list[Record]) -> list[object]:
    """A cell for each solver, empty where it was not run at this depth."""
    by_solver = {record.solver: record for record in found if record.job["max_depth"] == depth}
    return [depth, *(_cell(by_solver.get(solver)) for solver in solvers)]


def _cell(record: Record | None) -> str:
    if record is None or record.objective() is None:
        return "" if record is None else record.status
    words = [f"{float(record.objective()):.4f}", record.splits, record.depth, markdown.number(record.seconds)]
    why = markdown.UNPROVEN.get(record.status)
    return " / ".join(map(str, [*words, record.iterations or "–"])) + (f" ({why})" if why else "")


def _figure(name: str, found: list[Record], setting: Setting) -> None:
    series = {
        plots.title(solver): [
            (int(r.job["max_depth"]), r.seconds)
            for r in found
            if r.instance == name and r.solver == solver and r.seconds
        ]
        for solver in SOLVERS
    }
    path = setting.out / f"depth-analysis-{name}.svg"
    plots.lines(series, path, ("maximum depth", "seconds"), log="y")
