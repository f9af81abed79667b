"""Objective, time, iterations and depth against the maximum depth, as in the paper's appendix."""

from harness import markdown, paper, plots
from harness.experiments.setting import Setting
from harness.job import Record

SHORT = ["tictactoe-f", "careval-f", "nursery-f", "zoo"]
DEPTHS = list(range(4, 21))
FEW_DEPTHS = [4, 5, 6, 8, 12, 20]
SOLVERS = ["branchwise", "branchwise-paper", "streed", "streed-plain", "gosdt"]


def run(setting: Setting) -> None:
    """A table and a figure per instance."""
    names = setting.chosen(SHORT, [instance.name for instance in paper.BINARY])
    depths = DEPTHS if setting.full else FEW_DEPTHS
    jobs = [setting.job(solver, name, max_depth=d) for name in names for d in depths for solver in SOLVERS]
    ordinal = sorted({f"{paper.BY_NAME[name].family}-o" for name in names} & set(paper.BY_NAME))
    jobs += [setting.job("branchwise", name, max_depth=d) for name in ordinal for d in depths]
    found = setting.run(jobs)
    text = ""
    for name in [*names, *ordinal]:
        rows = [_row(d, [r for r in found if r.instance == name and r.job["max_depth"] == d]) for d in depths]
        solvers = SOLVERS if name in names else ["branchwise"]
        text += f"\n## {name}\n\n" + markdown.table(["depth", *(markdown.TITLES[s] for s in solvers)], rows)
        if name in names:
            _figure(name, found, setting)
            text += f"\n![time by depth](depth-analysis-{name}.svg)\n"
    text += "\nEach cell: objective / splits / depth of the tree / seconds / iterations.\n"
    setting.write("Depth analysis", found, text)


def _row(depth: int, found: list[Record]) -> list[object]:
    return [depth, *(_cell(next((r for r in found if r.solver == s), None)) for s in SOLVERS if _any(found, s))]


def _any(found: list[Record], solver: str) -> bool:
    return any(record.solver == solver for record in found)


def _cell(record: Record | None) -> str:
    if record is None or record.objective() is None:
        return "–" if record is None else record.status
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
