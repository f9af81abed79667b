"""Records of runs as lines of JSON, written one by one and read to be reused."""

from collections.abc import Iterable
from pathlib import Path

from harness.job import Record
from harness.solvers import MULTIWAY


class Log:
    """A file that grows by one record at a time.

    Its name ends in `.part` until the run is complete. So an interrupted run is not lost, and the records of
    the last complete run stay until there are new ones.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_suffix(".part")

    def __enter__(self) -> "Log":
        self._part.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._part.open("w")
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        self._file.close()
        if kind is None:
            self._part.replace(self._path)

    def add(self, record: Record) -> None:
        """Appends a record."""
        self._file.write(record.line() + "\n")
        self._file.flush()


def read(paths: Iterable[Path]) -> dict[str, Record]:
    """The records of the peers in files, by the key of their jobs; of equal keys the last counts.

    Records of our own program are left out, because they may be of another commit.
    """
    found = {}
    for path in paths:
        for line in path.read_text().splitlines():
            record = Record.parse(line)
            if record.solver not in MULTIWAY:
                found[record.key()] = record
    return found
