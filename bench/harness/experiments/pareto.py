"""Accuracy against size, on rows that were held out: ten folds, many prices, and others' trees beside ours."""

from pathlib import Path
from statistics import median

import numpy as np

from harness import markdown, paper, plots, suites, tables
from harness.experiments.setting import Setting
from harness.job import Job, Record

PENALTIES = ["0.1", "0.05", "0.025", "0.01", "0.005", "0.001"]
DEPTHS = list(range(1, 11))
FEW_DEPTHS = [1, 2, 3, 4, 5]
FOLDS = 10
SHORT = ["monk3", "careval"]


def run(setting: Setting) -> None:
    """Tables of medians and two figures, on training rows and on rows held out."""
    setting = setting.once()
    names = setting.chosen(SHORT, [instance.name for instance in paper.BINARY])
    found: list[Record] = setting.run(job for name in names for job in _jobs(setting, name))
    text, fronts = "", {}
    for name in names:
        mine = [record for record in found if record.instance.split("#")[0] in (name, _ordinal(name))]
        points = _points(mine, name)
        fronts[name] = points
        rows = [[*key, *(markdown.number(value) for value in values)] for key, values in points.items()]
        header = ["solver", "λ or depth", "splits", "training accuracy", "held out", "first quartile", "third"]
        text += f"\n## {name}\n\n" + markdown.table(header, rows)
    for column, label in ((1, "train"), (2, "test")):
        _figure(fronts, column, label, setting)
        text += f"\n![fronts on {label} rows](pareto-{label}.svg)\n"
    text += f"\nMedians over {FOLDS} folds; quartiles of the accuracy held out.\n"
    setting.write("Fronts of accuracy against size", found, text)


def _ordinal(name: str) -> str | None:
    other = f"{paper.BY_NAME[name].family}-o"
    return other if other in paper.BY_NAME else None


def _jobs(setting: Setting, name: str) -> list[Job]:
    jobs = []
    for instance in filter(None, (name, _ordinal(name))):
        path, _ = suites.find(instance)
        for fold, (train, test) in enumerate(folds(*tables.read(path), instance)):
            common = {"name": f"{instance}#{fold}", "path": train, "test": str(test)}
            jobs += [setting.table_job("branchwise", penalty=penalty, **common) for penalty in PENALTIES]
            if instance == name:
                jobs += [setting.table_job("cart", penalty=penalty, **common) for penalty in PENALTIES]
                depths = DEPTHS if setting.full else FEW_DEPTHS
                jobs += [setting.table_job("dl85", penalty="0", max_depth=d, **common) for d in depths]
                jobs += [setting.table_job(solver, penalty="0", **common) for solver in ("forest", "boosted")]
    return jobs


def folds(features: np.ndarray, labels: np.ndarray, name: str) -> list[tuple[Path, Path]]:
    """Files of training and held-out rows: every row is held out once, by a seeded shuffle."""
    order = np.random.default_rng(0).permutation(len(labels))
    files = []
    for fold in range(FOLDS):
        held = np.zeros(len(labels), dtype=bool)
        held[order[fold::FOLDS]] = True
        train = tables.write(tables.scratch(f"fold-{name}-{fold}-train"), features[~held], labels[~held])
        files.append((train, tables.write(tables.scratch(f"fold-{name}-{fold}-test"), features[held], labels[held])))
    return files


def _points(found: list[Record], name: str) -> dict[tuple[str, str], tuple[float, ...]]:
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in found:
        if record.test_accuracy is None:
            continue
        solver = markdown.TITLES[record.solver]
        if record.instance.split("#")[0] != name:
            solver += ", multi-way"
        setting = record.job["max_depth"] if record.solver == "dl85" else record.job["penalty"]
        setting = "–" if record.solver in ("forest", "boosted") else f"{setting}"
        groups.setdefault((solver, setting), []).append(record)
    return {key: _medians(group) for key, group in groups.items()}


def _medians(group: list[Record]) -> tuple[float, ...]:
    tested = [record.test_accuracy for record in group]
    low, high = np.quantile(tested, [0.25, 0.75])
    size = median(record.splits for record in group)
    return size, median(record.accuracy for record in group), median(tested), float(low), float(high)


def _figure(fronts: dict[str, dict], column: int, label: str, setting: Setting) -> None:
    panels = {}
    for name, points in fronts.items():
        curves: dict[str, list[tuple[float, float]]] = {}
        for (solver, _), values in points.items():
            curves.setdefault(solver, []).append((values[0], values[column]))
        panels[name] = {solver: sorted(curve) for solver, curve in curves.items()}
    path = setting.out / f"pareto-{label}.svg"
    plots.panels(panels, path, ("splits", f"accuracy, {label} rows"), log="x")
