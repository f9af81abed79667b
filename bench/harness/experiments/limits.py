"""What limits cost: a small memo, little memory, few leaves."""

import sys

from harness import markdown, paper
from harness.experiments.setting import Setting
from harness.job import Job, Record

MIB = 1 << 20
MEMO = {"lymph": MIB, "balance": MIB}
MEMORY = [8 * MIB, 64 * MIB, 1024 * MIB]
MEMORY_INSTANCE, MEMORY_PENALTY, MEMORY_SECONDS = "coins-1000x60-s1", "0.002", 30.0
LEAVES = [8, 16]
LEAVES_INSTANCES = ["careval", "tictactoe", "lymph", "krvskp"]
SMALL = "0.001"
"""Leaves are limited with the paper's λ, and with this one."""

PARTS = ["memo", "memory", "leaves"]


def run(setting: Setting) -> None:
    """A table for each kind of limit; `--instances` names kinds."""
    parts = setting.chosen(PARTS, PARTS)
    if not set(parts) <= set(PARTS):
        sys.exit(f"the instances of this experiment are {', '.join(PARTS)}")
    makers = {"memo": _memo_jobs, "memory": _memory_jobs, "leaves": _leaves_jobs}
    jobs = {part: makers[part](setting) for part in parts}
    found = setting.run(job for part in parts for job in jobs[part])
    rest, text = list(found), ""
    for part in parts:
        mine, rest = rest[: len(jobs[part])], rest[len(jobs[part]) :]
        text += {"memo": memo, "memory": memory, "leaves": leaves}[part](mine)
    setting.write("Limits", found, text)
    if wrong := forgotten(found):
        sys.exit("\n".join(wrong))


def option(record: Record, name: str) -> object:
    """One of the solver's own options of a run."""
    return record.job.get("options", {}).get(name)


def _memo_jobs(setting: Setting) -> list[Job]:
    return [
        setting.job("branchwise", name, options=options)
        for name, limit in MEMO.items()
        for options in ({}, {"memo_limit": limit})
    ]


def memo(found: list[Record]) -> str:
    """A bounded memo forgets, and searches again."""
    rows = []
    for r in found:
        start = [r.instance, r.job["penalty"], _size(option(r, "memo_limit"))]
        rows.append([*start, *markdown.answer(r), r.iterations, *markdown.costs(r)])
    header = ["instance", "λ", "memo at most", *markdown.ANSWER, "expansions", *markdown.COSTS]
    wrong = "".join(f"**Different**: {word}\n\n" for word in forgotten(found))
    return "\n## A small memo\n\n" + markdown.table(header, rows) + "\n" + (wrong or "Proven trees are the same.\n")


def forgotten(found: list[Record]) -> list[str]:
    """Where a small memo has led to another tree."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for r in found:
        if r.solver == "branchwise" and set(r.job.get("options", {})) <= {"memo_limit"}:
            groups.setdefault((r.instance, str(r.job["penalty"])), []).append(r)
    return [word for group in groups.values() for word in markdown.differences(group)]


def _memory_jobs(setting: Setting) -> list[Job]:
    common = {"penalty": MEMORY_PENALTY, "time_limit": min(MEMORY_SECONDS, setting.time_limit)}
    return [setting.job("branchwise", MEMORY_INSTANCE, options={"memory_limit": limit}, **common) for limit in MEMORY]


def memory(found: list[Record]) -> str:
    """A limit on memory is kept, and there is a tree all the same."""
    rows = [[_size(option(r, "memory_limit")), *markdown.answer(r), r.iterations, *markdown.costs(r)] for r in found]
    header = ["at most", *markdown.ANSWER, "expansions", *markdown.COSTS]
    title = f"\n## Little memory: {MEMORY_INSTANCE}, λ = {MEMORY_PENALTY}\n\n"
    return title + markdown.table(header, rows)


def _leaves_jobs(setting: Setting) -> list[Job]:
    return [
        setting.job(solver, name, penalty=penalty, options={"max_leaves": limit} if limit else {})
        for name in LEAVES_INSTANCES
        for penalty in (paper.BY_NAME[name].penalty, SMALL)
        for limit in (None, *LEAVES)
        for solver in ("branchwise", *(["branchwise-paper"] if setting.full and limit else []))
    ]


def leaves(found: list[Record]) -> str:
    """Seconds to the proof, or the gap that is left, by limit and engine."""
    columns = [(limit, "branchwise") for limit in (None, *LEAVES)]
    columns += [(limit, "branchwise-paper") for limit in LEAVES if any(r.solver == "branchwise-paper" for r in found)]
    cases: dict[tuple[str, str], dict[tuple[object, str], Record]] = {}
    for r in found:
        cases.setdefault((r.instance, str(r.job["penalty"])), {})[option(r, "max_leaves"), r.solver] = r
    rows = [[*case, *(_leaves_cell(by.get(column)) for column in columns)] for case, by in cases.items()]
    header = ["instance", "λ", *(_leaves_title(*column) for column in columns)]
    note = "\nEach cell: seconds / splits, or the gap that is left when time is over.\n"
    return "\n## Few leaves\n\n" + markdown.table(header, rows) + note


def _leaves_title(limit: int | None, solver: str) -> str:
    engine = "`paper`" if solver == "branchwise-paper" else "`fast`"
    return f"no limit, {engine}" if limit is None else f"{limit} leaves, {engine}"


def _leaves_cell(record: Record | None) -> str:
    if record is None or record.objective() is None:
        return "" if record is None else record.status
    if record.proven:
        return f"{markdown.number(record.seconds)} / {record.splits}"
    return f"gap {record.upper_bound - float(record.objective()):.4f}"


def _size(limit: object) -> str:
    if limit is None:
        return "no limit"
    return f"{int(limit) >> 30} GiB" if int(limit) >= 1 << 30 else f"{int(limit) // MIB} MiB"
