"""The hard end: a small λ on the paper's tables, and noisy tables on which no single split tells much."""

from harness import families, markdown, plots
from harness.experiments import anytime
from harness.experiments.setting import Setting
from harness.job import Record

PAPER = ["balance", "careval", "krvskp", "lymph", "mushroom", "nursery", "tictactoe"]
CASES = [*((name, "0.001") for name in PAPER), *((family.name, family.penalty) for family in families.HARD)]
"""Instances and λ."""

OPEN = "0.002"
"""λ at which the noisy tables are not expected to be proven: what is there after a while?"""

MOMENTS = (10.0, 30.0, 60.0)


def run(setting: Setting) -> None:
    """A table of proofs, one of what is there after a while where there is none, and its curves."""
    cases = setting.chosen_cases(CASES)
    proofs = [setting.job("branchwise", name, penalty=penalty) for name, penalty in cases]
    unproven = [setting.job("branchwise", name, penalty=OPEN) for name, _ in cases if name.endswith("-s1")]
    found = setting.run([*proofs, *unproven])
    text = "## To the end\n\n" + _proofs(found[: len(proofs)])
    if unproven:
        text += "\n## After a while\n\n" + _moments(setting, found[len(proofs) :])
    setting.write("The hard end", found, text)


def _proofs(found: list[Record]) -> str:
    rows = [
        [r.instance, r.job["penalty"], *markdown.answer(r), r.expansions, _for_the_tree(r), *markdown.costs(r)]
        for r in found
    ]
    header = ["instance", "λ", *markdown.ANSWER, "expansions", "for the tree", *markdown.COSTS]
    return markdown.table(header, rows) + "\n*For the tree*: the share of expansions after the proof (`extract.rs`).\n"


def _for_the_tree(record: Record) -> str | None:
    if not record.proven or not record.expansions:
        return None
    return f"{(record.expansions - record.iterations) / record.expansions:.1%}"


def _moments(setting: Setting, found: list[Record]) -> str:
    moments = [moment for moment in MOMENTS if moment <= setting.time_limit] or [setting.time_limit]
    curves = {record.instance: {record.solver: plots.curve(record)} for record in found}
    rows = [
        [name, OPEN, *(anytime.at(steps["branchwise"], moment) for moment in moments)] for name, steps in curves.items()
    ]
    plots.anytime(curves, setting.out / "hard.svg")
    header = ["instance", "λ", *(f"after {moment:g} s" for moment in moments)]
    text = markdown.table(header, rows) + "\nEach cell: objective – proven bound.\n"
    return text + "\n![objective and bound against time](hard.svg)\n"
