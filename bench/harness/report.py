"""What `run.py` writes beside the records: the tables and figures of a suite."""

import sys
from collections.abc import Sequence
from pathlib import Path

from harness import markdown, plots
from harness.job import Record
from harness.solvers import EXACT_PEERS

BASELINES = ("dl85", "cart", "cart-path", "forest", "boosted")
PROVERS = ("branchwise", "branchwise-paper", *EXACT_PEERS)


def write(name: str, title: str, records: Sequence[Record], out: Path) -> None:
    """Writes `name`.md and its figures, and ends with an error if proven objectives disagree."""
    found = markdown.grouped(records)
    solvers = {record.solver for record in records}
    text = markdown.heading(title, records)
    if "branchwise" not in solvers:
        print("without branchwise there is nothing to compare: records only", file=sys.stderr)
        return
    peers = [peer for peer in EXACT_PEERS if peer in solvers]
    wrong = markdown.disagreements(found)
    text += "".join(f"**Disagreement**: {line}\n\n" for line in wrong)
    if peers:
        both = {key: by for key, by in found.items() if any(peer in by for peer in peers)}
        text += "## Beside the exact peers\n\n" + markdown.compare(both, peers)
    if name == "paper":
        text += "\n## Both engines beside the paper\n\n" + markdown.engines(found)
    shown = [solver for solver in BASELINES if solver in solvers]
    if shown:
        text += "\n## Beside greedy trees, forests and boosting\n\n" + markdown.baselines(found, shown)
    text += _figures(name, found, [solver for solver in PROVERS if solver in solvers], out)
    (out / f"{name}.md").write_text(text)
    print(f"{out / name}.md", file=sys.stderr)
    if wrong:
        sys.exit("\n".join(wrong))


def _figures(name: str, found: dict, solvers: list[str], out: Path) -> str:
    plots.time_to_proof(found, solvers, out / f"{name}-proof.svg")
    provers = [solver for solver in solvers if solver != "branchwise-paper"]
    plots.performance_profile(found, provers, out / f"{name}-profile.svg")
    return f"\n![time to proof]({name}-proof.svg)\n\n![performance profile]({name}-profile.svg)\n"
