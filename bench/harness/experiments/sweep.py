"""What an experiment runs: a list of tables, each with every combination of settings.

A setting is a dictionary of fields of a `Job`, such as `{"solver": "gosdt", "max_depth": 4}`. A sweep has
some lists of settings; each table is solved with one setting out of each list, in all combinations.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Generic, TypeVar

from harness import families, runner, suites, tables
from harness.job import Job

Settings = dict[str, object]


@dataclass(frozen=True)
class Call:
    """What the command line asks for."""

    name: str
    out: Path
    core: int | None
    time_limit: float
    memory_limit: int
    full: bool
    instances: list[str] | None
    plan: runner.Plan

    def job(self, fields: Settings) -> Job:
        """A job with these fields, within the limits of the command line."""
        limits = {"time_limit": self.time_limit, "memory_limit": self.memory_limit, "core": self.core}
        seconds = min(self.time_limit, float(fields.get("time_limit", self.time_limit)))
        return Job(**{"solver": "branchwise", **limits, **fields, "time_limit": seconds})


Opened = AbstractContextManager[Settings]
"""The fields of a job that say where its table is, while it is there."""


@contextmanager
def stored(instance: str) -> Iterator[Settings]:
    """The table and the λ of an instance of the paper or of the generated families."""
    path, penalty = suites.find(instance)
    yield {"table": str(path), "penalty": penalty}


def generated(blocks: Callable[[], Iterable[families.Rows]]) -> Callable[[str], Opened]:
    """A table that is written when its turn comes, in blocks of rows, and then deleted."""

    @contextmanager
    def opened(instance: str) -> Iterator[Settings]:
        with tables.lent(tables.write_blocks(tables.scratch(instance), blocks())) as path:
            yield {"table": str(path)}

    return opened


@dataclass(frozen=True)
class Case:
    """A table to solve, and the fields that all its jobs have."""

    instance: str
    fields: Settings = field(default_factory=dict)
    table: Callable[[str], Opened] = stored
    choice: str = ""
    """What `--instances` calls it, if not by the name of the instance."""

    @property
    def chosen_by(self) -> str:
        """The name for `--instances`."""
        return self.choice or self.instance


T = TypeVar("T")


@dataclass(frozen=True)
class Lists(Generic[T]):
    """What a run takes without and with `--full`; the same if only one list is given."""

    short: Sequence[T]
    full: Sequence[T] | None = None

    def of(self, full: bool) -> Sequence[T]:
        """One of the two."""
        return self.full if full and self.full is not None else self.short


Cases = Callable[[Call], list[Case]]


def instances(
    names: Lists[str],
    case: Callable[[str], Iterable[Case]] = lambda name: [Case(name)],
    others: Callable[[list[str]], list[str]] = lambda names: names,
) -> Cases:
    """Instances by name: those of `--instances`, which may be any, or else those listed.

    `case` makes the cases of an instance; `others` replaces the names, for example by other encodings.
    """

    def chosen(call: Call) -> list[Case]:
        return [made for name in others(call.instances or list(names.of(call.full))) for made in case(name)]

    return chosen


def listed(cases: Lists[Case]) -> Cases:
    """A fixed list, of which `--instances` chooses some; it may also name those that only `--full` has."""

    def chosen(call: Call) -> list[Case]:
        found = list(cases.of(call.full))
        if call.instances is None:
            return found
        known = {case.chosen_by for case in found}
        found += [case for case in cases.of(True) if case.chosen_by not in known]
        return [case for case in found if case.chosen_by in call.instances]

    return chosen


@dataclass(frozen=True)
class Sweep:
    """Tables, and the lists of settings that they are solved with."""

    cases: Cases
    settings: Sequence[Lists[Settings]] = ()
    name: str = ""
    """By which the sections of a page refer to it."""

    def jobs(self, call: Call) -> Iterator[Job]:
        """Table by table, the last list of settings varying fastest; equal jobs are run once for each table."""
        for case in self.cases(call):
            done = set()
            with case.table(case.instance) as table:
                fields = {"instance": case.instance, **table, **case.fields}
                for chosen in product(*(settings.of(call.full) for settings in self.settings)):
                    job = call.job({**fields, **{key: value for one in chosen for key, value in one.items()}})
                    if job.key() not in done:
                        done.add(job.key())
                        yield job


def check_instances(sweeps: Iterable[Sweep], call: Call) -> None:
    """Ends with a message if `--instances` names nothing that the sweeps have."""
    if any(sweep.cases(call) for sweep in sweeps):
        return
    everything = replace(call, instances=None, full=True)
    names = dict.fromkeys(case.chosen_by for sweep in sweeps for case in sweep.cases(everything))
    sys.exit(f"the instances of this experiment are {', '.join(names)}")
