"""What the documents say about measurements, written from the newest records of each kind and linked to them.

A document has a section between `START` and `END`; links to `runs/DATE/FILE` anywhere lead to the newest
folder that has the file.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import geometric_mean

from harness import environment, markdown, paper
from harness.experiments import hard
from harness.job import Record
from harness.solvers import EXACT_PEERS

START, END = "<!-- written by bench/readme.py -->\n", "<!-- end -->\n"
LINK = re.compile(r"\bruns/(\d{4}-\d\d-\d\d)/([\w.-]*\w)")
OURS, PAPER = markdown.OURS, "branchwise-paper"

Found = dict[tuple[str, int | None], dict[str, Record]]


def documents(root: Path = environment.ROOT) -> list[Path]:
    """All pages that may mention measurements."""
    pages = ["README.md", "DESIGN.md", "CONTRIBUTING.md", "bench/README.md", "py-branchwise/README.md"]
    return [*(root / page for page in pages), *sorted((root / "docs").glob("*.md"))]


def written(path: Path, text: str, runs: "Runs") -> str:
    """A document with its section and its links brought up to date."""
    text = LINK.sub(lambda link: f"runs/{(runs.date(link[2]) or link[1])}/{link[2]}", text)
    maker = SECTIONS.get(path.name) if START in text else None
    if maker is None:
        return text
    before, rest = text.split(START)
    return before + START + maker(runs) + END + rest.split(END)[1]


class Runs:
    """The folders of records, by date."""

    def __init__(self, folder: Path = environment.BENCH / "runs") -> None:
        self._folders = sorted((path for path in folder.iterdir() if path.is_dir()), reverse=True)

    def file(self, name: str) -> Path | None:
        """The newest file of that name."""
        return next((folder / name for folder in self._folders if (folder / name).exists()), None)

    def date(self, name: str) -> str | None:
        """The folder that it is in."""
        path = self.file(name)
        return path.parent.name if path else None

    def link(self, name: str, words: str = "figures") -> str:
        """A link from the root of the repository to the page of a suite or experiment."""
        return f"[{words}](bench/runs/{self.date(f'{name}.md')}/{name}.md)"

    def records(self, name: str) -> list[Record]:
        """The newest records of a suite or experiment; none if it was never run."""
        path = self.file(f"{name}.jsonl")
        return [Record.parse(line) for line in path.read_text().splitlines()] if path else []


def how_fast(runs: Runs) -> str:
    """The section of the README: some sentences for each kind of records that exists."""
    found, depth = markdown.grouped(runs.records("paper")), markdown.grouped(runs.records("depth"))
    text = f"{_paper(found)} ({runs.link('paper')})\n\n{_peers(found, depth, runs)}"
    for name, tell in MORE.items():
        records = runs.records(name)
        sentence = tell(records) if records else ""
        text += f"\n{sentence} ({runs.link(name)})\n" if sentence else ""
    circumstances = runs.file("paper.md").read_text().split("\n\n")[2]
    return (
        f"{text}\nThe paper's instances were run on {circumstances} [bench](bench/README.md) tells how to repeat it.\n"
    )


def _paper(found: Found) -> str:
    """How our engines do on all instances."""
    fast = {name: by[OURS] for (name, _), by in found.items() if OURS in by}
    proven = sum(record.proven for record in fast.values())
    slowest = max(fast, key=lambda name: fast[name].seconds)
    total = sum(record.seconds for record in fast.values())
    memory = max(record.peak_mb or 0 for record in fast.values())
    return (
        f"**The paper's {len(fast)} instances**, with its λ: {_all(proven, len(fast))} proven optimal in {total:.1f} s "
        f"of one core together, none in more than {memory:.0f} MB; the slowest, {slowest}, takes "
        f"{fast[slowest].seconds:.1f} s. {_published(found)}"
    )


def _published(found: Found) -> str:
    """How the published algorithm does where the program of its authors finished."""
    proofs = [by[PAPER].seconds for by in found.values() if PAPER in by and by[PAPER].proven]
    theirs = sum(instance.iterations is not None for instance in paper.INSTANCES)
    seconds = f", the slowest in {max(proofs):.1f} s" if proofs else ""
    return (
        f"The engine `paper`, the algorithm as published, proves {_all(len(proofs), theirs)} that its authors' program "
        f"proved in five minutes each{seconds}."
    )


def _peers(found: Found, depth: Found, runs: Runs) -> str:
    """A table beside the exact peers, where they can run at all."""
    both = {key: by for key, by in found.items() if any(peer in by for peer in EXACT_PEERS)}
    rows = [_beside("0/1 columns only", runs.link("paper", f"{len(both)} instances"), both)]
    if depth:
        depths = sorted({limit for _, limit in depth if limit is not None})
        spoken = ", ".join(map(str, depths[:-1])) + f" or {depths[-1]}"
        rows.append(_beside(f"depth at most {spoken}", runs.link("depth", f"{len(depth)} cases"), depth))
    titles = [markdown.TITLES[peer] for peer in EXACT_PEERS]
    header = ["", "branchwise proves", *(f"{title} proves" for title in titles), "times as fast", "search alone"]
    return (
        f"**Beside {' and '.join(titles)}**, the exact peers:\n\n{markdown.table(header, rows)}\n"
        "*Times as fast* as the better peer, in the geometric mean over the cases that a peer proves: our encoding and "
        "search against its call of `fit`, and by the solvers' own clocks, without Python's share.\n"
    )


def _beside(what: str, link: str, found: Found) -> list[str]:
    cases = list(found.values())
    proofs = [_count(cases, solver) for solver in (OURS, *EXACT_PEERS)]
    return [f"{link}, {what}", *proofs, _speed(cases, "seconds"), _speed(cases, "search_seconds")]


def _count(cases: list[dict[str, Record]], solver: str) -> str:
    if not any(solver in by for by in cases):
        return "–"
    return str(sum(solver in by and by[solver].proven for by in cases))


def _speed(cases: list[dict[str, Record]], clock: str) -> str:
    """How many times as fast as the better peer; where a peer is faster, that is said."""
    ratios = [markdown.Ratio(by[OURS], [by.get(peer) for peer in EXACT_PEERS], clock) for by in cases]
    values = [ratio.value for ratio in ratios if ratio.proven and ratio.value]
    slower = [value for value in values if value > 1]
    if not values:
        return "–"
    worse = f"{len(slower)} of {len(values)}, by up to {max(slower):.1f} times" if slower else f"none of {len(values)}"
    return f"{rounded(1 / geometric_mean(values))}; slower on {worse}"


def rounded(value: float) -> str:
    """Two digits that count."""
    return f"{float(f'{value:.2g}'):,g}"


def _all(part: int, whole: int) -> str:
    return f"all {whole}" if part == whole else f"{part} of {whole}"


def _hard(records: list[Record]) -> str:
    """Small λ and noise."""
    known = [r for r in records if r.instance in paper.BY_NAME]
    noisy = [r for r in records if r.instance.startswith("coins-") and r.job["penalty"] != hard.OPEN]
    groups = [_group(known, "tables of the paper at λ = 0.001"), _group(noisy, "noisy tables at λ = 0.005")]
    limit = max(float(record.job["time_limit"]) for record in records)
    return f"**Hard ones**, at most {limit:.0f} s each: {'; '.join(filter(None, groups))}."


def _group(records: list[Record], what: str) -> str:
    if not records:
        return ""
    # A run that was given more time, because it shared its core, may be proven late.
    proofs = [record for record in records if record.proven and record.seconds <= float(record.job["time_limit"])]
    text = f"{_all(len(proofs), len(records))} {what} are proven"
    gaps = [r.upper_bound - float(r.objective()) for r in records if not r.proven and r.objective() is not None]
    if proofs:
        slowest = max(proofs, key=lambda record: record.seconds)
        text += f", the slowest ({slowest.instance}) in {rounded(slowest.seconds)} s"
    return text + (f", and where there is no proof the gap is at most {max(gaps):.3f}" if gaps else "")


def _threads(records: list[Record]) -> str:
    """The speed-up of a second thread; nothing is claimed if the trees differ."""
    by_case: dict[tuple[str, str], dict[object, Record]] = {}
    for record in records:
        case = record.instance, str(record.job["penalty"])
        by_case.setdefault(case, {})[record.option("threads")] = record
    pairs = [(by[1], by[2]) for by in by_case.values() if 1 in by and 2 in by]
    ups = [one.seconds / two.seconds for one, two in pairs if one.proven and two.proven]
    if not ups or any(markdown.differences([*by.values()]) for by in by_case.values()):
        return ""
    return (
        f"**Two threads** prove the same trees {geometric_mean(ups):.1f} times as fast as one, in the geometric mean "
        f"of {len(ups)} runs ({min(ups):.1f} to {max(ups):.1f})."
    )


def _limits(records: list[Record]) -> str:
    """What a small memo and little memory cost."""
    lymph = {r.option("memo_limit"): r for r in records if r.instance == "lymph" and _plain(r)}
    memory = {r.option("memory_limit"): r for r in records if r.option("memory_limit")}
    words = []
    if len(lymph) == 2 and all(r.proven for r in lymph.values()) and not markdown.differences([*lymph.values()]):
        free, small = lymph[None], lymph[hard.MIB]
        words.append(
            f"with a memo of 1 MiB, lymph has the same tree in {rounded(small.seconds)} s instead of "
            f"{rounded(free.seconds)} s"
        )
    if memory:
        least, most = memory[min(memory)], memory[max(memory)]
        words.append(
            f"1,000 noisy rows at λ = 0.002, stopped after {least.job['time_limit']:.0f} s, have an objective "
            f"of {_between(least)} in 8 MiB, and of {_between(most)} in 1 GiB"
        )
    return f"**Little memory**: {'; '.join(words)}." if words else ""


def _plain(record: Record) -> bool:
    """Whether nothing but the memo is limited, with the paper's λ."""
    return record.job["penalty"] == "0.01" and not record.option("max_leaves")


def _between(record: Record) -> str:
    return f"{float(record.objective()):.3f} with the bound {record.upper_bound:.3f}"


def _wide(records: list[Record]) -> str:
    """The widest table."""
    widest = records[-1]
    rows, columns = hard.WIDE_SIZES[widest.instance]
    return (
        f"**Large**: {rows:,} rows of {columns:,} columns are read, and searched for {rounded(widest.seconds)} s, in "
        f"{widest.peak_mb:,.0f} MB; the objective is then {_between(widest)}."
    )


MORE: dict[str, Callable[[list[Record]], str]] = {
    "hard": _hard,
    "threads": _threads,
    "limits": _limits,
    "wide": _wide,
}


def few_leaves(runs: Runs) -> str:
    """DESIGN's section: what limited leaves cost."""
    chosen = _leaves_records(runs.records("limits"))
    if not chosen:
        return "What limited leaves cost is measured by `python bench/experiment.py limits --full`.\n"
    table = hard.LEAVES_TABLE.text(chosen)
    return f"With limited leaves ({runs.link('limits')}):\n\n{table}\n{hard.LEAVES_NOTE}"


def _leaves_records(records: Iterable[Record]) -> list[Record]:
    known = [record for record in records if set(record.job.get("options", {})) <= {"max_leaves"}]
    limited = {record.instance for record in known if record.option("max_leaves")}
    chosen = [record for record in known if record.instance in limited]
    return sorted(chosen, key=lambda record: hard.LEAVES_INSTANCES.index(record.instance))


SECTIONS: dict[str, Callable[[Runs], str]] = {"README.md": how_fast, "DESIGN.md": few_leaves}
