"""What all experiments are given: limits, where to write, what is known, short or full."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from harness import markdown, records, runner, suites
from harness.job import Job, Record


@dataclass
class Setting:
    """The settings of one call."""

    name: str
    out: Path
    core: int | None
    time_limit: float
    memory_limit: int
    full: bool
    instances: list[str] | None
    plan: runner.Plan

    def job(self, solver: str, name: str, **changes: object) -> Job:
        """A job for an instance of the paper or of the families, with what differs from its defaults."""
        path, penalty = suites.find(name)
        return self.table_job(solver, name, path, **{"penalty": penalty, **changes})

    def table_job(self, solver: str, name: str, path: Path, **changes: object) -> Job:
        """A job for any table."""
        limits = {"time_limit": self.time_limit, "memory_limit": self.memory_limit, "core": self.core}
        return Job(solver, name, str(path), **{**limits, **changes})

    def once(self) -> "Setting":
        """The same for an experiment that tells no times: nothing is run twice."""
        return replace(self, plan=replace(self.plan, repeats=1))

    def run(self, jobs: Iterable[Job]) -> list[Record]:
        """Runs the jobs and keeps their records in `NAME.jsonl`."""
        with records.Log(self.out / f"{self.name}.jsonl") as log:
            return runner.run_all(jobs, self.plan, log.add)

    def chosen(self, short: list[str], full: list[str]) -> list[str]:
        """The instances that were asked for, or those of a short or a full run."""
        return self.instances or (full if self.full else short)

    def chosen_cases(self, cases: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Of instances with their λ those that were asked for, or all."""
        found = [case for case in cases if not self.instances or case[0] in self.instances]
        if not found:
            sys.exit(f"the instances of this experiment are {', '.join(dict.fromkeys(name for name, _ in cases))}")
        return found

    def write(self, title: str, found: Iterable[Record], text: str) -> None:
        """Writes the experiment's page."""
        page = markdown.heading(title, found) + text
        (self.out / f"{self.name}.md").write_text(page)
