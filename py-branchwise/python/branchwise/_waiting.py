"""What happens while the search runs: who is told, and what Ctrl-C means."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TextIO

from branchwise._callbacks import Told

Fold = tuple[int, int]

#: Called with the parts of a `State`; returns whether to stop.
Progress = Callable[[float, float, float, int, int, Fold | None], bool]


class State(NamedTuple):
    """How a search stands; in cross-validation also which fold it is for, of how many."""

    seconds: float
    objective: float
    upper_bound: float
    branches: int
    n_bytes: int
    fold: Fold | None

    def __str__(self) -> str:
        which = "" if self.fold is None else "fold {} of {}  ".format(*self.fold)
        gap, speed = self.upper_bound - self.objective, self.branches / max(self.seconds, 1e-9)
        return (
            f"{which}{self.seconds:.1f} s  objective {self.objective:.4f}  "
            f"bound {self.upper_bound:.4f}  gap {gap:.4f}  {speed:,.0f} branches/s  "
            f"{self.n_bytes / 2**20:.0f} MiB"
        )


def listener(live: LiveLine | None, told: Told | None) -> Progress | None:
    """Whom the search tells how it goes, if anybody wants to know."""
    is_heard = told is not None and told.is_heard
    if live is None and not is_heard:
        return None

    def listen(*parts: Any) -> bool:
        if live is not None:
            live(State(*parts))
        return told is not None and is_heard and told.look()

    return listen


class LiveLine:
    """A line about the search that is written again and again, where somebody sees it.

    Parameters
    ----------
    stream : file
        Where to. In a terminal or a notebook the line is overwritten; elsewhere only the last state
        is written, once.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_live = self._stream.isatty() or "ipykernel" in type(self._stream).__module__
        self._width = 0

    def __call__(self, state: State) -> None:
        """Write how it stands."""
        if self._is_live:
            self._write(str(state))

    def close(self, text: str) -> None:
        """Write how it ended."""
        self._write(text)
        print(file=self._stream, flush=True)

    def _write(self, text: str) -> None:
        start = "\r" if self._is_live else ""
        print(start + text.ljust(self._width), end="", file=self._stream, flush=True)
        self._width = len(text)
