"""Ordinal against binary encodings: one multi-way split, or many yes/no splits, for the same columns."""

from harness import markdown, paper
from harness.experiments.setting import Setting
from harness.job import Record

SUFFIXES = ("-o", "", "-f", "-l")


def run(setting: Setting) -> None:
    """A table of objective, splits, seconds and expansions by encoding."""
    names = [i.name for i in paper.INSTANCES if i.family != "krvskp"]
    found = setting.run(setting.job("branchwise", name) for name in setting.chosen(names, names))
    by_name = {record.instance: record for record in found}
    rows = []
    for family in sorted({paper.BY_NAME[record.instance].family for record in found}):
        cells = [_cell(by_name.get(family + suffix)) for suffix in SUFFIXES]
        rows.append([family, *cells])
    header = ["table", "multi-way (-o)", "one-hot", "first dropped (-f)", "last dropped (-l)"]
    text = markdown.table(header, rows) + "\nEach cell: λ: objective / splits / depth / seconds / expansions.\n"
    setting.write("Ordinal against binary encodings", found, text)


def _cell(record: Record | None) -> str:
    if record is None:
        return ""
    words = [f"{float(record.objective()):.4f}", record.splits, record.depth, markdown.number(record.seconds)]
    return f"{record.job['penalty']}: " + " / ".join(map(str, [*words, record.iterations]))
