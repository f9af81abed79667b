"""The paper's bound on the number of branches evaluated: the formula, the program's word, and the truth.

Γ(q, C, λ) ≤ Σ over h = 0 … κ of (q − h) · C^(h+1) · binomial(q, h), κ = min(⌊1 / (Kλ)⌋ − 1, q).
"""

from fractions import Fraction
from math import comb, floor, log10

from harness import families, markdown, paper, tables
from harness.experiments.setting import Setting
from harness.job import Job, Record

# λ, q: the powers of ten that the paper prints for BRANCHES and OSDT.
PUBLISHED = {
    ("0.1", 10): ("4", "13"),
    ("0.1", 15): ("5", "16"),
    ("0.1", 20): ("6", "18"),
    ("0.05", 10): ("5", "271"),
    ("0.05", 15): ("7", "473"),
    ("0.05", 20): ("9", "576"),
    ("0.01", 10): ("5", "392"),
    ("0.01", 15): ("8", "INF"),
    ("0.01", 20): ("10", "INF"),
}


def bound(features: int, categories: int, penalty: str, classes: int = 2) -> int:
    """The theorem, in integers."""
    kappa = min(floor(1 / (classes * Fraction(penalty))) - 1, features)
    return sum((features - h) * categories ** (h + 1) * comb(features, h) for h in range(kappa + 1))


def run(setting: Setting) -> None:
    """Two tables: the paper's, and the bound beside what the engine `paper` evaluated."""
    setting = setting.once()
    names = [i.name for i in paper.INSTANCES if i.iterations is not None]
    solved = [setting.job("branchwise-paper", name) for name in setting.chosen(names, names)]
    found = setting.run([*_shapes(setting), *solved])
    shapes, solved = found[: len(PUBLISHED)], found[len(PUBLISHED) :]
    text = "## The paper's table\n\n" + _formula(shapes) + "\n## Bound and truth\n\n" + _truth(solved)
    setting.write("Complexity bound", found, text)


def _shapes(setting: Setting) -> list[Job]:
    jobs = []
    for penalty, features in PUBLISHED:
        name = f"coins-{features}"
        path = tables.write(tables.scratch(name), *families.noisy(200, features))
        jobs.append(setting.table_job("branchwise", name, path, penalty=penalty, time_limit=1.0))
    return jobs


def _formula(shapes: list[Record]) -> str:
    cells = []
    for ((penalty, features), (published, osdt)), record in zip(PUBLISHED.items(), shapes, strict=True):
        exact = bound(features, 2, penalty)
        told = record.complexity_bound
        same = "yes" if told is not None and abs(told - exact) <= 1e-9 * exact else f"**no: {told}**"
        cells.append([penalty, features, f"{exact:,}", f"{log10(exact):.1f}", published, same, osdt])
    header = ["λ", "q", "Γ", "log₁₀ Γ", "the paper's power", "`fit` says the same", "OSDT's power"]
    return markdown.table(header, cells)


def _truth(solved: list[Record]) -> str:
    rows = [
        [r.instance, f"{r.complexity_bound:.3g}", f"{r.evaluations:,}", f"{r.complexity_bound / r.evaluations:.3g}"]
        for r in solved
        if r.complexity_bound and r.evaluations
    ]
    return markdown.table(["instance", "bound", "evaluations", "bound / evaluations"], rows)
