"""Tables for people, made from records."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import geometric_mean

from harness import arguments, environment, paper
from harness.job import Record
from harness.solvers import EXACT_PEERS, MULTIWAY

OURS = "branchwise"
UNPROVEN = {"stopped": "time", "memory": "memory", "killed": "killed", "failed": "failed"}
COMPARED = """
Each cell: objective / splits / seconds of the call of `fit`. Objective and splits are recomputed from
the tree and its answers. *process s*: all of our process, with start and reading; *MB*: our table and
search. *fit ratio*: our encoding and search over the peer's call of `fit`; *search ratio*: by the
solvers' own clocks, without Python's share. Both over the faster peer that proved its tree; < where none
did. Our time is wall-clock, the peer's its time on the processor, which on a busy machine errs in its favour.
"""
TITLES = {
    "branchwise": "branchwise",
    "branchwise-paper": "branchwise, engine `paper`",
    "streed": "STreeD",
    "streed-plain": "STreeD without its depth-two solver",
    "gosdt": "GOSDT",
    "dl85": "DL8.5",
    "cart": "CART, ccp_alpha = λ",
    "cart-path": "CART, best of its path",
    "forest": "random forest",
    "boosted": "boosted trees",
}


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A markdown table; None is an empty cell."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for row in rows:
        lines.append("| " + " | ".join("" if cell is None else str(cell) for cell in row) + " |")
    return "\n".join(lines) + "\n"


def number(value: float | None) -> str:
    """Three significant digits, without an exponent."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    digits = max(0, 2 - _magnitude(value))
    return f"{value:.{digits}f}"


def _magnitude(value: float) -> int:
    return int(f"{abs(value):.2e}".split("e")[1])


def result(record: Record | None) -> str:
    """Objective / splits / seconds, and the reason if there is no proof."""
    if record is None:
        return "–"
    objective = record.objective()
    if objective is None:
        return UNPROVEN.get(record.status, record.status)
    words = [f"{float(objective):.4f}", str(record.splits), number(record.seconds)]
    return " / ".join(words) + _why(record)


def _why(record: Record) -> str:
    why = UNPROVEN.get(record.status)
    if why == "time" and record.cpu_seconds is not None:
        why = f"time, {record.cpu_seconds:.0f} s of processor"
    return f" ({why})" if why else ""


def heading(title: str, records: Iterable[Record]) -> str:
    """The head of a page: what was run, where and when."""
    records = list(records)
    loads = [record.load for record in records if record.load is not None]
    load = f"load average {min(loads):.1f} to {max(loads):.1f} while it ran" if loads else "load unknown"
    return (
        f"# {title}\n\n`{arguments.spoken()}`\n\n{environment.machine()}; {load}; commit {environment.commit()}; "
        f"{environment.today()}. {_limits(records)}{environment.versions()}.\n\n"
    )


def _limits(records: Sequence[Record]) -> str:
    """The limits of every run."""
    if not records:
        return ""
    limit = max(float(record.job["time_limit"]) for record in records)
    memory = max(int(record.job["memory_limit"]) for record in records)
    threads = sorted({int(record.job.get("options", {}).get("threads", 1)) for record in records})
    cores = "one core" if threads == [1] else f"{', '.join(map(str, threads))} threads on all cores"
    return f"At most {limit:g} s and {memory / (1 << 30):.0f} GiB each, {cores}. "


class Ratio:
    """Our time divided by that of the better exact peer, by one of the clocks of a record.

    Ours is wall-clock time, theirs processor time, which on a busy machine is in their favour.
    """

    def __init__(self, ours: Record, peers: Iterable[Record | None], clock: str) -> None:
        peers = [peer for peer in peers if peer is not None]
        proofs = {peer.solver: peer.own_time(clock) or peer.own_time("seconds") for peer in peers if peer.proven}
        self.proven = bool(proofs)
        self.peer = min(proofs, key=proofs.get) if proofs else None
        tried = [peer.own_time("seconds") for peer in peers if peer.seconds]
        theirs = min(proofs.values()) if proofs else max(tried, default=None)
        mine = getattr(ours, clock)
        self.value = mine / theirs if ours.proven and theirs and mine else None

    def __str__(self) -> str:
        """The ratio; if no peer has a proof, it is less than our time divided by the limit."""
        if self.value is None:
            return ""
        mark = "" if self.proven else "< "
        bold = "**" if self.proven and self.value > 1 else ""
        return f"{bold}{mark}{number(self.value)}{bold}"


def compare(found: dict[tuple[str, int | None], dict[str, Record]], peers: Sequence[str]) -> str:
    """Ours beside the exact peers, with ratios by two clocks."""
    with_depth = any(depth is not None for _, depth in found)
    header = ["instance", *(["depth"] if with_depth else []), "λ", TITLES[OURS], "process s", "MB"]
    header += [TITLES[peer] for peer in peers] + ["fit ratio", "search ratio"]
    rows, fits, searches = [], [], []
    for (name, depth), by_solver in found.items():
        ours = by_solver[OURS]
        others = [by_solver.get(peer) for peer in peers]
        fit, search = Ratio(ours, others, "seconds"), Ratio(ours, others, "search_seconds")
        fits.append(fit)
        searches.append(search)
        cells = [name, *([depth] if with_depth else []), ours.job["penalty"], result(ours)]
        cells += [number(ours.process_seconds), number(ours.search_mb)]
        rows.append([*cells, *(result(other) for other in others), fit, search])
    text = table(header, rows)
    text += COMPARED
    return text + "\n" + _means("fit", fits) + _means("search", searches)


def _means(clock: str, ratios: Iterable[Ratio]) -> str:
    values = [ratio.value for ratio in ratios if ratio.proven and ratio.value]
    slower = sum(value > 1 for value in values)
    if not values:
        return ""
    return (
        f"- {clock} ratio: geometric mean {number(geometric_mean(values))}, worst {number(max(values))}, over "
        f"{len(values)} cases that a peer proved; slower than the better peer in {slower}.\n"
    )


def baselines(found: dict[tuple[str, int | None], dict[str, Record]], solvers: Sequence[str]) -> str:
    """Ours beside models that do not aim for the optimum."""
    header = ["instance", TITLES[OURS], *(TITLES[solver] for solver in solvers)]
    rows = []
    for (name, _), by_solver in found.items():
        if any(solver in by_solver for solver in solvers):
            rows.append([name, *(_accuracy(by_solver.get(solver)) for solver in (OURS, *solvers))])
    return table(header, rows) + (
        "\nEach cell: accuracy / splits / objective / seconds, on the training rows. DL8.5 is given the depth of the\n"
        "optimal tree. A forest and boosted trees count the splits of all their trees.\n"
    )


def _accuracy(record: Record | None) -> str:
    if record is None or record.accuracy is None:
        return "–" if record is None else record.status
    objective = float(record.objective())
    return f"{record.accuracy:.4f} / {record.splits} / {objective:.4f} / {number(record.seconds)}"


def engines(found: dict[tuple[str, int | None], dict[str, Record]]) -> str:
    """Both engines beside the paper's own figures."""
    header = ["instance", "optimum / splits", "`fast` s", "expansions", "MB", "`paper` s", "iterations"]
    header += ["the paper's", "ratio", "the paper's s"]
    rows = []
    for (name, _), by_solver in found.items():
        facts, fast, published = paper.BY_NAME[name], by_solver[OURS], by_solver.get("branchwise-paper")
        steps = published.iterations if published and published.proven else None
        ratio = number(steps / facts.iterations) if steps and facts.iterations else ""
        seconds = None if published is None else number(published.seconds) if published.proven else published.status
        cells = [name, _value(fast), number(fast.seconds), fast.iterations]
        rows.append([*cells, number(fast.search_mb), seconds, steps, facts.iterations, ratio, facts.seconds])
    runs = [by_solver[OURS] for by_solver in found.values()]
    together = sum(run.seconds or 0 for run in runs)
    processor = sum(run.cpu_seconds or 0 for run in runs)
    return table(header, rows) + f"\n`fast`: {together:.2f} s together, {processor:.2f} s of processor.\n"


def _value(record: Record) -> str:
    objective = record.objective()
    return record.status if objective is None else f"{float(objective):.4f} / {record.splits}"


def disagreements(found: dict[tuple[str, int | None], dict[str, Record]]) -> list[str]:
    """Proven objectives that differ from each other, or from the known optimum."""
    wrong = []
    for (name, depth), by_solver in found.items():
        proofs = {
            solver: record.objective()
            for solver, record in by_solver.items()
            if record.proven and solver in (*MULTIWAY, *EXACT_PEERS)
        }
        if len(set(proofs.values())) > 1:
            values = ", ".join(f"{solver} {float(value):.6f}" for solver, value in proofs.items())
            wrong.append(f"{name} at depth {depth}: {values}" if depth else f"{name}: {values}")
        facts = paper.BY_NAME.get(name)
        if facts and depth is None and not _known(by_solver[OURS], facts):
            wrong.append(f"{name}: {OURS} does not have the known optimum {facts.objective} / {facts.splits}")
    return wrong


def differences(group: Sequence[Record]) -> list[str]:
    """A sentence if runs that must give the same tree, e.g. with other threads, prove different ones."""
    answers = {(record.objective(), record.splits, record.tree) for record in group if record.proven}
    return [] if len(answers) < 2 else [f"{group[0].instance}: the proven trees are not the same"]


def _known(record: Record, facts: paper.Instance) -> bool:
    value: Fraction | None = record.objective()
    return not record.proven or (round(float(value), 4), record.splits) == (facts.objective, facts.splits)


def grouped(records: Iterable[Record]) -> dict[tuple[str, int | None], dict[str, Record]]:
    """Records by instance and depth, then by solver. The depth that DL8.5 must be given is ignored."""
    found: dict[tuple[str, int | None], dict[str, Record]] = {}
    records = list(records)
    limited = any(record.job.get("max_depth") for record in records if record.solver != "dl85")
    for record in records:
        depth = record.job.get("max_depth") if limited else None
        found.setdefault((record.instance, depth), {})[record.solver] = record
    return found
