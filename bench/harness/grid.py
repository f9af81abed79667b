"""Limits and signals on tables of every shape: how late the program stops, and by how much it exceeds a limit.

A case is a table, something that ends the work (a limit on time or memory, SIGINT, SIGTERM) and the
moment when it does: while the table is read, encoded or searched, or while the answer is written.
"""

import json
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

MEGABYTE = 1_000_000

#: Memory for the code of the program and its libraries, which is not allocated by it.
OWN_BYTES = 16 * MEGABYTE


@dataclass(frozen=True)
class Shape:
    """A table, and the options it is fitted with."""

    name: str
    rows: int
    columns: int
    options: tuple[str, ...] = ()
    row: Callable[[random.Random, int, int], list[str]] = field(repr=False, default=lambda *_: [])

    def write(self, folder: Path) -> Path:
        """The table as a file, with the classes in the last column."""
        path = folder / f"{self.name}.csv"
        generator = random.Random(self.name)
        with path.open("w") as file:
            names = [f"c{column}" for column in range(self.columns)]
            file.write(",".join([*names, "class"]) + "\n")
            for number in range(self.rows):
                file.write(",".join(self.row(generator, number, self.columns)) + "\n")
        return path


def bits(generator: random.Random, _: int, columns: int) -> list[str]:
    """Coins."""
    return list(f"{generator.getrandbits(columns + 1):0{columns + 1}b}")


def numbers(generator: random.Random, _: int, columns: int) -> list[str]:
    """Numbers that are nearly all different."""
    return [*(f"{generator.random():.9f}" for _ in range(columns)), str(generator.getrandbits(1))]


def names(generator: random.Random, number: int, columns: int) -> list[str]:
    """A different name for each row, and coins."""
    return [f"row {number}", *bits(generator, number, columns - 1)]


def classes(generator: random.Random, number: int, columns: int) -> list[str]:
    """Coins, and very many classes."""
    return [*bits(generator, number, columns)[:-1], f"class {generator.randrange(1 + number // 4)}"]


def shapes(full: bool) -> list[Shape]:
    """Long, wide, many categories, many classes, one huge column."""
    size = 1 if full else 20
    every = ("--thresholds", "all")
    return [
        Shape("long", 1_000_000 // size, 40, (), bits),
        Shape("wide", 1_000 // size, 20_000 // size, (), bits),
        Shape("categories", 40_000 // size, 5, ("--categorical", "c0"), names),
        Shape("classes", 40_000 // size, 12, (), classes),
        Shape("numbers", 100_000 // size, 6, (), numbers),
        Shape("huge-column", 20_000 // size, 1, every, numbers),
    ]


@dataclass
class Ended:
    """How a run ended."""

    seconds: float
    status: int
    peak_rss: int
    answer: dict | None
    message: str
    #: Seconds between the signal and the end.
    after_signal: float | None = None


def run(
    command: list[str],
    *,
    send: int | None = None,
    after: float = 0.0,
    feed: bytes | None = None,
) -> Ended:
    """Run a command, if asked with part of a table on standard input, or with a signal after some seconds."""
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if feed is not None:
        threading.Thread(target=_feed, args=(process.stdin, feed), daemon=True).start()
    out: dict[str, bytes] = {}
    readers = [
        threading.Thread(target=lambda n=name, f=stream: out.__setitem__(n, f.read()))
        for name, stream in [("out", process.stdout), ("err", process.stderr)]
    ]
    for reader in readers:
        reader.start()
    held = _most_held(process)
    sent = None
    if send is not None:
        time.sleep(after)
        sent = time.monotonic()
        os.kill(process.pid, send)
    process.wait()
    end = time.monotonic()
    for reader in readers:
        reader.join()
    try:
        answer = json.loads(out["out"])
    except ValueError:
        answer = None
    return Ended(
        seconds=end - start,
        status=process.returncode,
        peak_rss=held(),
        answer=answer,
        message=out["err"].decode(errors="replace").strip()[-300:],
        after_signal=None if sent is None else end - sent,
    )


def _most_held(process: subprocess.Popen) -> Callable[[], int]:
    """Watch a process; the function returned waits for its end and gives its peak memory in bytes."""
    most = [0]

    def look() -> None:
        status = Path(f"/proc/{process.pid}/status")
        while process.returncode is None:
            try:
                lines = status.read_text().splitlines()
            except OSError:
                return
            found = [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")]
            most[0] = max(most + found)
            time.sleep(0.002)

    thread = threading.Thread(target=look)
    thread.start()

    def joined() -> int:
        thread.join()
        return most[0]

    return joined


def _feed(stream, feed: bytes) -> None:
    try:
        stream.write(feed)
        stream.flush()
    except (BrokenPipeError, ValueError):
        pass


@dataclass
class Case:
    """A case and its result."""

    shape: str
    what: str
    when: str
    #: By how many seconds or bytes it exceeded the limit; negative if it stayed below.
    beyond: float
    status: int
    problem: str | None

    @property
    def is_memory(self) -> bool:
        """Whether `beyond` is in bytes and not in seconds."""
        return self.what.startswith("memory")


def cases(program: str, folder: Path, tables: list[Shape], full: bool) -> Iterator[Case]:
    """All cases, one after the other."""
    for shape in tables:
        table = shape.write(folder)
        fit = [program, "fit", "--json", "--quiet", *shape.options]
        yield from _half_read(shape, fit, table)
        # How long it takes, and how much memory it needs, without these limits.
        enough = "8s" if full else "600ms"
        free = run([*fit, str(table), "--time-limit", enough])
        peak = free.answer["peak_bytes"] if free.answer else 100 * MEGABYTE
        shares = (0.02, 0.1, 0.25, 0.5, 0.75, 0.95) if full else (0.1, 0.5, 0.95)
        for moment in (free.seconds * share for share in shares):
            when = f"after {moment:.3f} s"
            limit = f"{max(1, round(moment * 1000))}ms"
            yield _timed(shape, run([*fit, str(table), "--time-limit", limit]), moment, when)
            for number in (signal.SIGINT, signal.SIGTERM):
                ended = run([*fit, str(table)], send=number, after=moment)
                yield _signalled(shape, ended, signal.Signals(number).name, when)
        for share in (0.1, 0.3, 0.5, 0.7, 0.9) if full else (0.3, 0.7):
            limit = max(2 * MEGABYTE, int(peak * share))
            limits = ["--memory-limit", str(limit), "--time-limit", enough]
            yield _held(shape, run([*fit, str(table), *limits]), limit)
        table.unlink()


def _half_read(shape: Shape, fit: list[str], table: Path) -> Iterator[Case]:
    """The program gets half of the table and then waits for the rest, which never comes."""
    with table.open("rb") as file:
        half = file.read(table.stat().st_size // 2)
    when = "half read"
    yield _timed(shape, run([*fit, "-", "--time-limit", "300ms"], feed=half), 0.3, when)
    for number in (signal.SIGINT, signal.SIGTERM):
        ended = run([*fit, "-"], send=number, after=0.3, feed=half)
        yield _signalled(shape, ended, signal.Signals(number).name, when)


def _problem(ended: Ended, allowed: tuple[int, ...]) -> str | None:
    if ended.status not in allowed:
        return f"exit status {ended.status}: {ended.message}"
    if ended.status in (0, 3) and ended.answer is None:
        return "no answer"
    if ended.status in (4, 130) and not ended.message:
        return "no message"
    return None


def _timed(shape: Shape, ended: Ended, limit: float, when: str) -> Case:
    problem = _problem(ended, (0, 3, 4))
    return Case(shape.name, "time", when, ended.seconds - limit, ended.status, problem)


def _signalled(shape: Shape, ended: Ended, name: str, when: str) -> Case:
    problem = _problem(ended, (0, 3, 130))
    late = ended.after_signal or 0.0
    return Case(shape.name, name, when, late, ended.status, problem)


def _held(shape: Shape, ended: Ended, limit: int) -> Case:
    problem = _problem(ended, (0, 3, 4))
    counted = ended.answer["peak_bytes"] if ended.answer else 0
    beyond = max(counted, ended.peak_rss - OWN_BYTES) - limit
    return Case(shape.name, f"memory {limit}", "at its limit", beyond, ended.status, problem)


def excess(case: Case) -> float:
    """By which share of the limit the memory exceeded it."""
    return case.beyond / int(case.what.split()[1])
