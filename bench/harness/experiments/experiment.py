"""An experiment, declared: what is run, and what its page shows. One runner serves them all."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness import markdown, records, runner
from harness.experiments import page
from harness.experiments.page import Found, Part
from harness.experiments.sweep import Call, Sweep, check_instances
from harness.job import Record


@dataclass(frozen=True)
class Experiment:
    """What differs between experiments."""

    title: str
    page: Sequence[Part]
    sweeps: Sequence[Sweep] = ()
    measure: Callable[[Call], Found] | None = None
    """Instead of running the jobs of the sweeps: for what is not measured by jobs, and leaves no records."""
    check: Callable[[list[Any]], list[str]] = lambda _: []
    """What is wrong with the results, which ends the command with an error."""
    time_limit: float = 10.0
    """Seconds for each run, unless the command line says otherwise."""
    timed: bool = True
    """Whether it shows times; if not, nothing is run twice."""
    pinned: bool = True
    """Whether runs keep to one core if the command line names one."""
    short: float = runner.SHORT
    """Runs of fewer seconds are repeated, and the fastest counts."""

    def run(self, call: Call) -> None:
        """Measures, and writes `NAME.jsonl`, `NAME.md` and the figures."""
        call = self._adapted(call)
        found = self.measure(call) if self.measure else self._run_sweeps(call)
        results = page.everything(found)
        ran = [result for result in results if isinstance(result, Record)]
        text = markdown.heading(self.title, ran) + "\n".join(page.blocks(self.page, found, call.out))
        call.out.mkdir(parents=True, exist_ok=True)
        (call.out / f"{call.name}.md").write_text(text)
        if wrong := self.check(results):
            sys.exit("\n".join(wrong))

    def _adapted(self, call: Call) -> Call:
        repeats = call.plan.repeats if self.timed else 1
        plan = replace(call.plan, short=self.short, repeats=repeats)
        return replace(call, core=call.core if self.pinned else None, plan=plan)

    def _run_sweeps(self, call: Call) -> Found:
        check_instances(self.sweeps, call)
        found: Found = {}
        with records.Log(call.out / f"{call.name}.jsonl") as log:
            for sweep in self.sweeps:
                found.setdefault(sweep.name, []).extend(runner.run_all(sweep.jobs(call), call.plan, log.add))
        return found
