"""The paper's instances through Python have their known optima, and the program's trees."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

from branchwise import BranchesClassifier, export_text

#: The Rust tests list them: instance, λ, objective to four decimals, splits.
SOURCE = (ROOT / "crates/branchwise/tests/instances.rs").read_text(encoding="utf-8")


def listed(name: str) -> list[tuple[str, str, float, int]]:
    rows = SOURCE.split(f"const {name}: ")[1].split("];\n")[0]
    found = re.findall(r'\("([\w-]+)", ([\d.]+), ([\d.]+), (\d+)\)', rows)
    return [(name, penalty, float(objective), int(n)) for name, penalty, objective, n in found]


QUICK = listed("MONKS") + listed("OTHERS")
HARD = listed("HARD")


def fitted(instances: Path, name: str, penalty: str) -> BranchesClassifier:
    table = np.loadtxt(instances / f"{name}.txt", dtype=int)
    tree = BranchesClassifier(split_penalty=penalty, encoding="multiway")
    return tree.fit(table[:, :-1], table[:, -1])


def test_there_are_32():
    assert len({name for name, *_ in QUICK + HARD}) == 32


@pytest.mark.parametrize(("name", "penalty", "objective", "n_splits"), QUICK + HARD)
def test_known_optima(instances, name, penalty, objective, n_splits):
    tree = fitted(instances, name, penalty)
    assert tree.is_optimal_ and tree.gap_ == 0
    assert tree.objective_ == pytest.approx(objective, abs=5.1e-5)
    assert tree.tree_.node_count - tree.get_n_leaves() == n_splits


@pytest.mark.parametrize(("name", "penalty", "objective", "n_splits"), QUICK)
def test_the_program_gives_the_same_tree(instances, program, name, penalty, objective, n_splits):
    command = [program, "fit", str(instances / f"{name}.txt"), "--no-header", "--quiet"]
    options = ["--encoding", "multiway", "--lambda", penalty]
    said = subprocess.run(
        command + options, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    assert said.split("\n\nObjective")[0] == export_text(fitted(instances, name, penalty)).rstrip("\n")
