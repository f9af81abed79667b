"""The λ path against a fit for each of its trees: the same trees, and what both take."""

import json
import subprocess
import sys
from pathlib import Path

from harness import environment, markdown, suites
from harness.experiments.setting import Setting

SHORT = ["tictactoe-o", "careval-o", "monk3"]
FULL = [*SHORT, "balance-o", "lymph-o", "monk2", "tictactoe", "careval"]
#: The smallest λ, in relation to that of the paper.
SHARE = 0.2


def run(setting: Setting) -> None:
    """A table of trees, expansions and seconds; ends with an error if a tree of the path is not that of a fit."""
    rows, wrong = [], []
    for name in setting.chosen(SHORT, FULL):
        table, penalty = suites.find(name)
        floor = f"{float(penalty) * SHARE:.6f}"
        path = _branchwise(setting, "path", table, floor)
        fits = [_branchwise(setting, "fit", table, point["split_penalty"]) for point in path["points"]]
        for point, fit in zip(path["points"], fits, strict=True):
            if (point["objective"], point["splits"]) != (fit["objective"], fit["splits"]):
                wrong.append(f"{name}, λ = {point['split_penalty']}: {point} is not {fit['objective']}")
        rows.append(_row(name, floor, path, fits))
    header = ["instance", "λ from", "trees", "searches", "expansions", "of the fits", "seconds", "of the fits", "ratio"]
    text = markdown.table(header, rows)
    text += "\nEvery tree of a path has the objective and the splits that a fit for its λ finds.\n" if not wrong else ""
    setting.write("The λ path against single fits", [], text)
    if wrong:
        sys.exit("\n".join(wrong))


def _row(name: str, floor: str, path: dict, fits: list[dict]) -> list[object]:
    seconds = sum(fit["seconds"] for fit in fits)
    expansions = sum(fit["expansions"] for fit in fits)
    counted = [len(fits), path["searches"], path["expansions"], expansions]
    timed = [markdown.number(path["seconds"]), markdown.number(seconds), markdown.number(path["seconds"] / seconds)]
    return [name, floor, *counted, *timed]


def _branchwise(setting: Setting, command: str, table: Path, penalty: str) -> dict:
    words = [str(environment.PROGRAM), command, str(table), "--no-header", "--encoding", "multiway", "--json"]
    words += ["--quiet", "--lambda", penalty, "--threads", "1", "--categorical", "all"]
    pinned = [] if setting.core is None else ["taskset", "-c", str(setting.core)]
    done = subprocess.run([*pinned, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
