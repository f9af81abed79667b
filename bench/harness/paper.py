"""The 32 instances of the BRANCHES paper: λ, the optimum, and what the paper reports.

The optima that the paper's program did not prove in its five minutes were proven with the engine
`fast`. The fingerprint is that of the sorted lines, so that a table can be checked whatever the order
of its rows.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Instance:
    """One table of the paper with one encoding."""

    name: str
    penalty: str
    """λ, as a decimal."""
    objective: float
    """The optimum, rounded to four digits."""
    splits: int
    depth: int
    """The depth of the optimal tree that the paper reports."""
    iterations: int | None
    """Iterations of the paper's program; None where it ran out of time."""
    seconds: float | None
    streed_seconds: float | None
    gosdt_seconds: float | None
    gosdt_iterations: int | None
    rows: int
    fingerprint: str

    @property
    def binary(self) -> bool:
        """Whether every column is 0 or 1, as all peers need it."""
        return not self.name.endswith("-o")

    @property
    def family(self) -> str:
        """The name without its encoding."""
        return self.name.split("-")[0]


def fingerprint(lines: Iterable[str]) -> str:
    """A short name for a table that does not depend on the order of its rows."""
    clean = sorted(line.strip() for line in lines if line.strip())
    return hashlib.sha256("\n".join(clean).encode()).hexdigest()[:16]


# name, λ, optimal objective, splits, depth | BRANCHES: iterations, seconds | STreeD: seconds
# | GOSDT: seconds, iterations | rows, fingerprint
INSTANCES = [
    Instance(*row)
    for row in [
        ("balance", "0.005", 0.7692, 10, 8, None, None, None, None, None, 625, "917a52657eccf273"),
        ("balance-f", "0.005", 0.6732, 10, 10, 676149, 190, None, 162, 2292545, 625, "3666bff4d50e3c88"),
        ("balance-o", "0.005", 0.7132, 10, 3, 178, 0.004, None, None, None, 625, "74f72a496a891836"),
        ("careval", "0.005", 0.8527, 15, 8, 456452, 204, None, None, None, 1728, "2e678c3d4817eae5"),
        ("careval-f", "0.005", 0.7992, 14, 8, 108640, 26.6, None, 21.1, 927221, 1728, "ca94d9556cdfbed7"),
        ("careval-o", "0.005", 0.8125, 14, 4, 579, 0.09, None, None, None, 1728, "52e667e4c2254466"),
        ("krvskp", "0.01", 0.9009, 4, 4, None, None, None, None, None, 3196, "09e636769f7cdee8"),
        ("lymph", "0.01", 0.8462, 12, 4, None, None, None, None, None, 148, "eee2e5fd470f3b7d"),
        ("lymph-f", "0.01", 0.8259, 12, 5, None, None, None, None, None, 148, "e6f65724f90ac035"),
        ("lymph-o", "0.01", 0.8527, 10, 4, 16154, 12.3, None, None, None, 148, "0b622788c4d81d1c"),
        ("monk1", "0.01", 0.94, 6, 4, 146, 0.05, 3.28, 3.05, 83928, 124, "8a2339421cc1bdb8"),
        ("monk1-f", "0.001", 0.983, 17, 7, 2125, 0.39, 6.18, 4.09, 92782, 124, "83085e2db2c2c004"),
        ("monk1-l", "0.01", 0.93, 7, 5, 117, 0.02, 2.8, 0.87, 29770, 124, "0fb60d7e4dc6a93b"),
        ("monk1-o", "0.01", 0.9, 10, 3, 64, 0.02, None, None, None, 124, "f70e87f1a654222c"),
        ("monk2", "0.001", 0.968, 32, 6, 60611, 14.2, None, 91.9, 392759, 169, "c95a503b863aee58"),
        ("monk2-f", "0.001", 0.933, 67, 9, 28968, 2.94, None, 9.78, 149912, 169, "69ba3b9c1de4c221"),
        ("monk2-o", "0.001", 0.955, 45, 3, 1213, 0.18, None, None, None, 169, "51294f2bb717e5a2"),
        ("monk3", "0.001", 0.985, 15, 8, 14807, 4.05, 7.87, 25.2, 185974, 122, "7709ff34e99126d6"),
        ("monk3-f", "0.001", 0.983, 17, 7, 3026, 0.36, 4.82, 2.09, 59151, 122, "fe9c8cc6311a1861"),
        ("monk3-o", "0.001", 0.987, 13, 4, 156, 0.03, None, None, None, 122, "4384eefdce034568"),
        ("mushroom", "0.01", 0.9552, 3, 3, None, None, 10.8, None, None, 8124, "d2f27329953e7e35"),
        ("mushroom-f", "0.01", 0.9452, 4, 3, None, None, 126, None, None, 8124, "cbaaa0e7f4c041b1"),
        ("mushroom-o", "0.01", 0.9752, 1, 1, 6, 0.15, None, None, None, 8124, "2597f7926e5685bd"),
        ("nursery", "0.01", 0.8127, 6, 6, None, None, None, None, None, 12960, "a84483f7c150150f"),
        ("nursery-f", "0.01", 0.7726, 7, 4, 48063, 24.9, None, None, None, 12960, "76681cb0b92b8c61"),
        ("nursery-o", "0.01", 0.8221, 7, 3, 195, 0.24, None, None, None, 12960, "a3e8dd00946f0830"),
        ("tictactoe", "0.005", 0.8507, 19, 6, None, None, None, None, None, 958, "659f530dcf32d902"),
        ("tictactoe-f", "0.005", 0.8507, 19, 6, 74627, 16.3, 207, 57.8, 1670379, 958, "d5b0a6244b8138bc"),
        ("tictactoe-o", "0.005", 0.773, 17, 5, 3339, 0.68, None, None, None, 958, "093b67dd67bf0f92"),
        ("zoo", "0.001", 0.992, 8, 6, 39199, 44.6, 184, 87.3, 401799, 101, "3e464f2a042b4cf1"),
        ("zoo-f", "0.001", 0.992, 8, 7, 4659, 2.09, 23.4, 33.5, 300387, 101, "56c94075b8c32e80"),
        ("zoo-o", "0.001", 0.993, 7, 5, 1456, 0.87, None, None, None, 101, "7a4efee0d880b4c8"),
    ]
]

BY_NAME = {instance.name: instance for instance in INSTANCES}
BINARY = [instance for instance in INSTANCES if instance.binary]
