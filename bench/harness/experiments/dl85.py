"""How far DL8.5 stays from the optimum, though it is told the depth of the optimal tree.

It maximises accuracy within a depth and knows no price; a minimum support is its only way to small trees.
"""

import numpy as np

from harness import markdown, paper, plots
from harness.experiments.setting import Setting
from harness.job import Record

SUPPORTS = [int(support) for support in np.unique(np.linspace(1, 50, 20).round())]
SHORT = ["monk1-l", "monk1-f", "monk2-f", "monk3-f", "tictactoe-f", "zoo-f", "lymph", "mushroom"]


def run(setting: Setting) -> None:
    """A table of its best objective over all supports, and a figure of objective against support."""
    setting = setting.once()
    names = setting.chosen(SHORT, [instance.name for instance in paper.BINARY])
    supports = SUPPORTS if setting.full else SUPPORTS[::4]
    ours = {name: setting.job("branchwise", name) for name in names}
    theirs = [
        setting.job("dl85", name, max_depth=paper.BY_NAME[name].depth, options={"min_support": support})
        for name in names
        for support in supports
    ]
    found = setting.run([*ours.values(), *theirs])
    text = markdown.table(
        ["instance", "depth", "optimum / splits", "DL8.5's best / splits", "its support", "short of the optimum"],
        [_row(name, found) for name in names],
    )
    series = {}
    for name in names:
        optimum = next(r for r in found if r.instance == name and r.solver == "branchwise")
        points = [r for r in found if r.instance == name and r.solver == "dl85" and r.objective() is not None]
        gaps = [(int(r.job["options"]["min_support"]), float(optimum.objective() - r.objective())) for r in points]
        series[name] = sorted(gaps)
    plots.lines(series, setting.out / "dl85.svg", ("minimum support", "objective below the optimum"), log="")
    setting.write("DL8.5 beside the optimum", found, text + "\n![objective by support](dl85.svg)\n")


def _row(name: str, found: list[Record]) -> list[object]:
    optimum = next(record for record in found if record.instance == name and record.solver == "branchwise")
    tries = [r for r in found if r.instance == name and r.solver == "dl85" and r.objective() is not None]
    start = [name, paper.BY_NAME[name].depth, f"{float(optimum.objective()):.4f} / {optimum.splits}"]
    if not tries:
        return [*start, "none in time or memory", None, None]
    best = max(tries, key=lambda record: record.objective())
    short = float(optimum.objective() - best.objective())
    support = best.job["options"]["min_support"]
    late = "" if best.proven else " (time)"
    return [*start, f"{float(best.objective()):.4f} / {best.splits}{late}", support, f"{short:.4f}"]
