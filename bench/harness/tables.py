"""Tables as files: integers separated by blanks, the class last, no header."""

import os
import sys
from pathlib import Path

import numpy as np

from harness import environment, paper


def read(path: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels of a table."""
    cells = np.loadtxt(path, dtype=np.int64, ndmin=2)
    return cells[:, :-1], cells[:, -1]


def write(path: Path, features: np.ndarray, labels: np.ndarray) -> Path:
    """Writes a table and hands back where it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savetxt(path, np.column_stack([features, labels]), fmt="%d")
    return path


def scratch(name: str) -> Path:
    """A place for a table that is made on the way; git ignores it."""
    return environment.ROOT / "target" / "bench-tables" / f"{name}.txt"


def of_paper(instance: paper.Instance) -> Path:
    """The file of one of the paper's instances: from the folder `BRANCHWISE_DATA`, or from OpenML."""
    folder = os.environ.get("BRANCHWISE_DATA")
    path = Path(folder) / f"{instance.name}.txt" if folder else scratch(instance.name)
    if not path.exists():
        if folder:
            sys.exit(f"{path} is missing; without BRANCHWISE_DATA the tables are fetched from OpenML")
        # It takes long to import, and most runs have the files.
        from harness import openml

        write(path, *openml.fetch(instance.name))
    found = paper.fingerprint(path.read_text().splitlines())
    if found != instance.fingerprint:
        sys.exit(
            f"{path} is not the paper's table: its sorted rows have the fingerprint {found}, not {instance.fingerprint}"
        )
    return path
