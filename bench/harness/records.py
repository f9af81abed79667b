"""Records of runs as lines of JSON: written one by one, read again to be reused."""

from collections.abc import Iterable
from pathlib import Path

from harness.job import Record


class Log:
    """A file that grows by one record at a time, so that a run that is broken off is not lost."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._file = path.open("w")

    def __call__(self, record: Record) -> None:
        """Appends a record."""
        self._file.write(record.line() + "\n")
        self._file.flush()


def read(paths: Iterable[Path]) -> dict[str, Record]:
    """The records of files, by the key of their jobs; later ones count."""
    found = {}
    for path in paths:
        for line in path.read_text().splitlines():
            record = Record.parse(line)
            found[record.key()] = record
    return found
