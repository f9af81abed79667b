"""A table of many rows and very many columns: reading it, its memory, and what the search has after a minute."""

from collections.abc import Iterator

from harness import families, markdown, tables
from harness.experiments.setting import Setting
from harness.job import Job, Record

SIZES = {"wide-100000x500": (100_000, 500), "wide-1000000x2000": (1_000_000, 2000)}
PENALTY = "0.01"
MEMORY = 4 << 30


def run(setting: Setting) -> None:
    """A row for each size."""
    names = setting.chosen(list(SIZES)[:1], list(SIZES))
    found = setting.run(_jobs(setting, names))
    header = ["instance", "distinct rows", "file MB", *markdown.ANSWER, "expansions", *markdown.COSTS, "process s"]
    text = markdown.table(header, [_row(record) for record in found])
    text += f"\nλ = {PENALTY}, and a memory limit of {MEMORY >> 30} GiB. *Process s* contains reading the file.\n"
    setting.write("Wide tables", found, text)


def _jobs(setting: Setting, names: list[str]) -> Iterator[Job]:
    """A table is there while its job is run, and then deleted."""
    for name in names:
        with tables.lent(tables.write_blocks(tables.scratch(name), families.wide(*SIZES[name]))) as path:
            yield setting.table_job("branchwise", name, path, penalty=PENALTY, options={"memory_limit": MEMORY})


def _row(record: Record) -> list[object]:
    rows, features = SIZES[record.instance]
    size = f"{2 * rows * (features + 1) / 1e6:.0f}"
    start = [record.instance, f"{record.distinct_rows or 0:,}", size, *markdown.answer(record), record.iterations]
    return [*start, *markdown.costs(record), markdown.number(record.process_seconds)]
