"""Tables as files: integers separated by spaces, the class in the last column, no header."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from harness import environment, paper


def read(path: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels of a table."""
    cells = np.loadtxt(path, dtype=np.int64, ndmin=2)
    return cells[:, :-1], cells[:, -1]


def write(path: Path, features: np.ndarray, labels: np.ndarray) -> Path:
    """Writes a table and returns its path."""
    return write_blocks(path, [(features, labels)])


def write_blocks(path: Path, blocks: Iterable[tuple[np.ndarray, np.ndarray]]) -> Path:
    """Writes a table that comes in blocks of rows, and may be larger than memory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for features, labels in blocks:
            cells = np.column_stack([features, labels])
            if cells.size and cells.min() >= 0 and cells.max() <= 9:
                file.write(digits(cells))
            else:
                np.savetxt(file, cells, fmt="%d")
    return path


def digits(cells: np.ndarray) -> bytes:
    """Cells from 0 to 9 as `savetxt` writes them, but much faster."""
    text = np.full((len(cells), 2 * cells.shape[1]), ord(" "), dtype=np.uint8)
    text[:, ::2] = cells + ord("0")
    text[:, -1] = ord("\n")
    return text.tobytes()


@contextmanager
def lent(path: Path) -> Iterator[Path]:
    """A table that is deleted at the end of the `with`."""
    try:
        yield path
    finally:
        path.unlink()


def scratch(name: str) -> Path:
    """The path of a temporary table, in a folder that git ignores."""
    return environment.ROOT / "target" / "bench-tables" / f"{name}.txt"


def of_paper(instance: paper.Instance) -> Path:
    """The file of one of the paper's instances: from the folder `BRANCHWISE_DATA`, or from OpenML."""
    folder = os.environ.get("BRANCHWISE_DATA")
    path = Path(folder) / f"{instance.name}.txt" if folder else scratch(instance.name)
    if not path.exists():
        if folder:
            sys.exit(f"{path} is missing; without BRANCHWISE_DATA the tables are fetched from OpenML")
        # Importing it is slow, and most runs have the files.
        from harness import openml

        write(path, *openml.fetch(instance.name))
    found = paper.fingerprint(path.read_text().splitlines())
    if found != instance.fingerprint:
        sys.exit(
            f"{path} is not the paper's table: its sorted rows have the fingerprint {found}, not {instance.fingerprint}"
        )
    return path
