"""The hard end: small λ and noisy tables (`hard`), threads, limits, and very wide tables (`wide`)."""

import os
from collections.abc import Iterable

from harness import families, markdown
from harness.experiments import columns
from harness.experiments.columns import ANSWER, COSTS, INSTANCE, ITERATIONS, PENALTY, PROCESS_SECONDS, column, pick
from harness.experiments.experiment import Experiment
from harness.experiments.growth import draw_anytime
from harness.experiments.page import Column, Figure, SameTree, Section, Table
from harness.experiments.sweep import Case, Lists, Sweep, generated, listed
from harness.job import Record

SMALL = "0.001"
"""A smaller λ than the paper's."""

OPEN = "0.002"
"""λ at which the noisy tables are not expected to be proven: what is there after a while?"""

CASES = [
    *(
        Case(name, {"penalty": SMALL})
        for name in ("balance", "careval", "krvskp", "lymph", "mushroom", "nursery", "tictactoe")
    ),
    *(Case(family.name) for family in families.HARD),
]


def for_the_tree(record: Record) -> str | None:
    """The share of the expansions that came after the proof."""
    if not record.proven or not record.expansions:
        return None
    return f"{(record.expansions - record.iterations) / record.expansions:.1%}"


def moments(records: list[Record]) -> list[Column]:
    """A column for each moment within the time limit."""
    limit = float(records[0].job["time_limit"])
    return [columns.after(seconds) for seconds in [m for m in (10.0, 30.0, 60.0) if m <= limit] or [limit]]


HARD = Experiment(
    title="The hard end",
    time_limit=60.0,
    sweeps=[
        Sweep(listed(Lists(CASES)), name="proofs"),
        Sweep(
            listed(Lists([Case(f.name, {"penalty": OPEN}) for f in families.HARD if f.name.endswith("-s1")])),
            name="open",
        ),
    ],
    page=[
        Section(
            "To the end",
            [
                Table(
                    [
                        INSTANCE,
                        PENALTY,
                        *ANSWER,
                        column("expansions", lambda r: r.expansions),
                        column("for the tree", for_the_tree),
                        *COSTS,
                    ]
                ),
                "*For the tree*: the share of expansions after the proof (`extract.rs`).\n",
            ],
            sweep="proofs",
        ),
        Section(
            "After a while",
            [
                Table(lambda records: [INSTANCE, PENALTY, *moments(records)]),
                "Each cell: objective – proven bound.\n",
                Figure("objective and bound against time", "hard.svg", draw_anytime),
            ],
            sweep="open",
        ),
    ],
)


def thread_counts(cores: int) -> list[int]:
    """One, two, and all."""
    return [1, 2, *([cores] if cores > 2 else [])]


def speed_up(row: list[Record], threads: int) -> str:
    """How many times sooner the proof is there than with one thread."""
    one, more = (next(r for r in row if r.option("threads") == count) for count in (1, threads))
    return f"{one.seconds / more.seconds:.2f}" if one.proven and more.proven else ""


def by_threads(records: list[Record]) -> list[Column]:
    """Seconds and speed-ups for each number of threads."""
    counts = sorted({int(record.option("threads")) for record in records})
    seconds = [
        pick(
            "one thread, s" if count == 1 else f"{count} threads, s",
            lambda r, count=count: r.option("threads") == count,
            lambda r: markdown.number(r.seconds) if r.proven else "not proven",
        )
        for count in counts
    ]
    ups = [Column(f"speed-up, {count}", lambda row, count=count: speed_up(row, count)) for count in counts[1:]]
    return [*seconds, *ups]


def agreement(groups: list[list[Record]]) -> str:
    """How often trees could be compared."""
    compared = sum(sum(record.proven for record in group) > 1 for group in groups)
    return f"In the {compared} rows with more than one proof, objective, splits and tree are the same.\n"


THREAD_CASES = [Case("lymph"), Case("lymph-f"), *CASES]
ANY_THREADS = SameTree(lambda r: (r.instance, r.job["penalty"]), agreement)
THREADS = Experiment(
    title="Threads",
    time_limit=60.0,
    pinned=False,
    # Threads take turns as chance has it: even of runs of some seconds the best counts.
    short=5.0,
    sweeps=[
        Sweep(
            listed(Lists([case for case in THREAD_CASES if case.instance[-3:] not in ("-s2", "-s3")], THREAD_CASES)),
            [Lists([{"options": {"threads": count}} for count in thread_counts(os.cpu_count() or 1)])],
        )
    ],
    page=[Table(lambda records: [INSTANCE, PENALTY, *ANSWER, *by_threads(records)], row=ANY_THREADS.key), ANY_THREADS],
    check=ANY_THREADS.differences,
)

MIB = 1 << 20
MEMORY_CASE = Case("coins-1000x60-s1", {"penalty": OPEN, "time_limit": 30.0}, choice="memory")
LEAVES = [8, 16]
LEAVES_INSTANCES = ["careval", "tictactoe", "lymph", "krvskp"]


def size(limit: object) -> str:
    """A number of bytes in words."""
    if limit is None:
        return "no limit"
    return f"{int(limit) >> 30} GiB" if int(limit) >= 1 << 30 else f"{int(limit) // MIB} MiB"


def memo_key(record: Record) -> tuple[str, object] | None:
    """The same for runs that differ at most in the size of the memo."""
    alike = record.solver == "branchwise" and set(record.job.get("options", {})) <= {"memo_limit"}
    return (record.instance, record.job["penalty"]) if alike else None


def seconds_or_gap(record: Record) -> str:
    """What a limit on leaves costs."""
    if record.objective() is None:
        return record.status
    if record.proven:
        return f"{markdown.number(record.seconds)} / {record.splits}"
    return f"gap {record.upper_bound - float(record.objective()):.4f}"


def by_leaves(records: Iterable[Record]) -> list[Column]:
    """A column for each limit and engine; the engine `paper` only if it was run."""
    ran = {record.solver for record in records}
    engines = [("branchwise", "fast", [None, *LEAVES]), ("branchwise-paper", "paper", LEAVES)]
    return [
        pick(
            f"no limit, `{engine}`" if limit is None else f"{limit} leaves, `{engine}`",
            lambda r, asked=(solver, limit): (r.solver, r.option("max_leaves")) == asked,
            seconds_or_gap,
        )
        for solver, engine, limits in engines
        if solver in ran or engine == "fast"
        for limit in limits
    ]


LEAVES_TABLE = Table(
    lambda records: [INSTANCE, PENALTY, *by_leaves(records)], row=lambda r: (r.instance, r.job["penalty"])
)
LEAVES_NOTE = "Each cell: seconds / splits, or the gap that is left when time is over.\n"
ANY_MEMO = SameTree(memo_key, lambda _: "Proven trees are the same.\n")
LIMITED = [{"options": {"max_leaves": limit}} for limit in LEAVES]

LIMITS = Experiment(
    title="Limits",
    time_limit=60.0,
    sweeps=[
        Sweep(
            listed(Lists([Case("lymph", choice="memo"), Case("balance", choice="memo")])),
            [Lists([{}, {"options": {"memo_limit": MIB}}])],
            name="memo",
        ),
        Sweep(
            listed(Lists([MEMORY_CASE])),
            [Lists([{"options": {"memory_limit": mebibytes * MIB}} for mebibytes in (8, 64, 1024)])],
            name="memory",
        ),
        Sweep(
            listed(Lists([Case(name, choice="leaves") for name in LEAVES_INSTANCES])),
            [
                Lists([{}, {"penalty": SMALL}]),
                Lists(
                    [{}, *LIMITED],
                    [{}, *(one for limit in LIMITED for one in (limit, {**limit, "solver": "branchwise-paper"}))],
                ),
            ],
            name="leaves",
        ),
    ],
    page=[
        "",
        Section(
            "A small memo",
            [
                Table(
                    [
                        INSTANCE,
                        PENALTY,
                        column("memo at most", lambda r: size(r.option("memo_limit"))),
                        *ANSWER,
                        ITERATIONS,
                        *COSTS,
                    ]
                ),
                ANY_MEMO,
            ],
            sweep="memo",
        ),
        Section(
            f"Little memory: {MEMORY_CASE.instance}, λ = {OPEN}",
            [Table([column("at most", lambda r: size(r.option("memory_limit"))), *ANSWER, ITERATIONS, *COSTS])],
            sweep="memory",
        ),
        Section("Few leaves", [LEAVES_TABLE, LEAVES_NOTE], sweep="leaves"),
    ],
    check=ANY_MEMO.differences,
)

WIDE_SIZES = {"wide-100000x500": (100_000, 500), "wide-1000000x2000": (1_000_000, 2000)}
"""Rows and columns."""

WIDE_CASES = [
    Case(name, {"penalty": "0.01"}, generated(lambda size=size: families.wide(*size)))
    for name, size in WIDE_SIZES.items()
]


def file_megabytes(record: Record) -> str:
    """A digit and a blank for each cell."""
    rows, features = WIDE_SIZES[record.instance]
    return f"{2 * rows * (features + 1) / 1e6:.0f}"


WIDE = Experiment(
    title="Wide tables",
    time_limit=60.0,
    sweeps=[Sweep(listed(Lists(WIDE_CASES[:1], WIDE_CASES)), [Lists([{"options": {"memory_limit": 4 << 30}}])])],
    page=[
        Table(
            [
                INSTANCE,
                column("distinct rows", lambda r: f"{r.distinct_rows or 0:,}"),
                column("file MB", file_megabytes),
                *ANSWER,
                ITERATIONS,
                *COSTS,
                PROCESS_SECONDS,
            ]
        ),
        "λ = 0.01, and a memory limit of 4 GiB. *Process s* contains reading the file.\n",
    ],
)
