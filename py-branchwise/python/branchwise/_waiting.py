"""What is shown while the search runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

from branchwise._callbacks import Told

#: Called with a line that says how far the search is; returns whether to stop.
Progress = Callable[[str], bool]


def listener(live: LiveLine | None, told: Told | None) -> Progress | None:
    """What the search calls as it goes on, if anybody wants to know."""
    is_heard = told is not None and told.is_heard
    if live is None and not is_heard:
        return None

    def listen(line: str) -> bool:
        if live is not None:
            live(line)
        return told is not None and is_heard and told.look()

    return listen


class LiveLine:
    """A line about the search that is overwritten as it goes on.

    Parameters
    ----------
    stream : file
        Where to write. In a terminal or a notebook the line is overwritten; elsewhere only the last
        one is written.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_live = self._stream.isatty() or "ipykernel" in type(self._stream).__module__
        self._width = 0

    def __call__(self, line: str) -> None:
        """Write how far the search is."""
        if self._is_live:
            self._write(line)

    def close(self, text: str) -> None:
        """Write how it ended."""
        self._write(text)
        print(file=self._stream, flush=True)

    def _write(self, text: str) -> None:
        start = "\r" if self._is_live else ""
        print(start + text.ljust(self._width), end="", file=self._stream, flush=True)
        self._width = len(text)
