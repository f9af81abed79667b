"""The same runs with one thread, two, and as many as there are cores: the same answers, and how much sooner."""

import os
import sys
from dataclasses import replace

from harness import markdown
from harness.experiments import hard
from harness.experiments.setting import Setting
from harness.job import Record

FULL = [("lymph", "0.01"), ("lymph-f", "0.01"), *hard.CASES]
FEW = [case for case in FULL if not case[0].endswith(("-s2", "-s3"))]

SHORT = 5.0
"""Threads take turns as chance has it: of runs shorter than this the best of the repetitions counts."""


def run(setting: Setting) -> None:
    """A table of seconds and speed-ups; ends with an error if proven answers differ."""
    setting = replace(setting, core=None, plan=replace(setting.plan, short=SHORT))
    cases, counts = setting.chosen_cases(FULL if setting.full else FEW), thread_counts(os.cpu_count() or 1)
    found = setting.run(
        setting.job("branchwise", name, penalty=penalty, options={"threads": count})
        for name, penalty in cases
        for count in counts
    )
    groups = [found[start : start + len(counts)] for start in range(0, len(found), len(counts))]
    wrong = [word for group in groups for word in markdown.differences(group)]
    header = ["instance", "λ", *markdown.ANSWER, *(_threads(count) for count in counts)]
    header += [f"speed-up, {count}" for count in counts[1:]]
    text = markdown.table(header, [_row(group) for group in groups])
    text += "\n" + ("".join(f"**Different**: {word}\n\n" for word in wrong) or _agreement(groups))
    setting.write("Threads", found, text)
    if wrong:
        sys.exit("\n".join(wrong))


def thread_counts(cores: int) -> list[int]:
    """One, two, and all."""
    return [1, 2, *([cores] if cores > 2 else [])]


def speed_up(group: list[Record], place: int) -> str:
    """How many times sooner the proof is there than with one thread."""
    one, more = group[0], group[place]
    return f"{one.seconds / more.seconds:.2f}" if one.proven and more.proven else ""


def _row(group: list[Record]) -> list[object]:
    ups = [speed_up(group, place) for place in range(1, len(group))]
    # Of runs without a proof, the last is the one with most threads.
    shown = next((record for record in group if record.proven), group[-1])
    start = [shown.instance, shown.job["penalty"], *markdown.answer(shown)]
    return [*start, *(markdown.number(r.seconds) if r.proven else "not proven" for r in group), *ups]


def _threads(count: int) -> str:
    return "one thread, s" if count == 1 else f"{count} threads, s"


def _agreement(groups: list[list[Record]]) -> str:
    compared = sum(sum(record.proven for record in group) > 1 for group in groups)
    return f"In the {compared} rows with more than one proof, objective, splits and tree are the same.\n"
