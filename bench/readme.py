#!/usr/bin/env python3
"""Writes the section "How fast" of the README from the records of a day's runs.

    python bench/readme.py [bench/runs/DATE]

With `--check`, only tells whether the section is what the records say.
"""

from harness import environment

environment.enter()

import argparse  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402
from statistics import geometric_mean  # noqa: E402

from harness import markdown  # noqa: E402
from harness.job import Record  # noqa: E402
from harness.solvers import EXACT_PEERS  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
START, END = "<!-- written by bench/readme.py -->\n", "<!-- end -->\n"
OURS, PAPER = "branchwise", "branchwise-paper"

Found = dict[tuple[str, int | None], dict[str, Record]]


def main() -> None:
    """Puts the section in its place."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="?", default=max((ROOT / "bench/runs").iterdir()))
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    path = ROOT / "README.md"
    text = path.read_text()
    before, rest = text.split(START)
    _, after = rest.split(END)
    written = before + START + section(args.runs.resolve()) + END + after
    if args.check:
        sys.exit(None if written == text else "README.md: the section is not what the records say; run bench/readme.py")
    path.write_text(written)


def section(runs: Path) -> str:
    """What the records of the paper's instances and of limited depths say."""
    lines = (runs / "paper.jsonl").read_text().splitlines()
    records = [Record.parse(line) for line in lines]
    where = runs.relative_to(ROOT)
    circumstances = (runs / "paper.md").read_text().split("\n\n")[2]
    parts = [ours(markdown.grouped(records)), peers(markdown.grouped(records))]
    if (runs / "depth.jsonl").exists():
        depth = [Record.parse(line) for line in (runs / "depth.jsonl").read_text().splitlines()]
        parts.append(limited(markdown.grouped(depth)))
    parts.append(
        f"All figures: [{where}]({where}/paper.md), repeated by the commands in [bench](bench/README.md). "
        f"{circumstances}"
    )
    return "\n".join(parts) + "\n"


def ours(found: Found) -> str:
    """How our engines do on all instances."""
    fast = {name: by[OURS] for (name, _), by in found.items() if OURS in by}
    proven = [record for record in fast.values() if record.proven]
    slowest = max(fast, key=lambda name: fast[name].seconds)
    total = sum(record.seconds for record in fast.values())
    memory = max(record.peak_mb or 0 for record in fast.values())
    paper = [by[PAPER] for by in found.values() if PAPER in by and by[PAPER].proven]
    return (
        f"- On the {len(fast)} instances of the paper, with its λ, the engine `fast` proves {len(proven)} optimal in "
        f"{total:.1f} s of one core together; the slowest, {slowest}, takes {fast[slowest].seconds:.1f} s, and no "
        f"process holds more than {memory:.0f} MB. The engine `paper` proves {len(paper)} within the limits; the "
        f"paper's authors proved 24 in five minutes each."
    )


def peers(found: Found) -> str:
    """How it does beside the exact peers, where they can run at all."""
    both = {name: by for (name, _), by in found.items() if any(peer in by for peer in EXACT_PEERS)}
    names = {peer: markdown.TITLES[peer] for peer in EXACT_PEERS if any(peer in by for by in both.values())}
    proofs = [
        f"{title} proves {sum(peer in by and by[peer].proven for by in both.values())}" for peer, title in names.items()
    ]
    return f"- Of the {len(both)} instances with 0/1 columns only, {' and '.join(proofs)}. {ratios(both.values())}"


def limited(found: Found) -> str:
    """The same with limited depth."""
    depths = sorted({depth for _, depth in found if depth is not None})
    spoken = ", ".join(map(str, depths[:-1])) + f" or {depths[-1]}"
    return f"- With depth at most {spoken}: {ratios(found.values())}"


def ratios(cases) -> str:
    """Our time over that of the better peer, by both clocks; where a peer is faster, that is said."""
    cases = list(cases)
    texts = []
    for clock, what in (
        ("seconds", "the better peer's `fit`"),
        ("search_seconds", "its search without Python's share"),
    ):
        found = [markdown.Ratio(by[OURS], [by.get(peer) for peer in EXACT_PEERS], clock) for by in cases]
        values = [ratio.value for ratio in found if ratio.proven and ratio.value]
        slower = sorted(value for value in values if value > 1)
        worse = f"slower on {len(slower)}, by up to {slower[-1]:.1f} times" if slower else "slower on none"
        texts.append(
            f"of the time of {what} we take {markdown.number(geometric_mean(values))} in the geometric mean over the "
            f"{len(values)} cases that a peer proves, and are {worse}"
        )
    text = "; ".join(texts)
    return text[0].upper() + text[1:] + "."


if __name__ == "__main__":
    main()
