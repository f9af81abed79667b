"""What the tests share."""

import os
import shutil
import sys
from pathlib import Path

# Scikit-learn leaves a check out without this; it must stand here before SciPy is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def _skip_loudly(what: str) -> None:
    print(f"\n*** SKIPPED: {what} ***", file=sys.__stderr__, flush=True)
    pytest.skip(what)


@pytest.fixture(scope="session")
def instances() -> Path:
    """The folder of the paper's instances."""
    folder = os.environ.get("BRANCHWISE_DATA")
    if not folder:
        _skip_loudly("the paper's instances: BRANCHWISE_DATA names no folder")
    return Path(folder)


@pytest.fixture(scope="session")
def program() -> str:
    """The program `branchwise`, built by cargo."""
    found = os.environ.get("BRANCHWISE_PROGRAM") or next(
        (
            str(path)
            for profile in ("release", "debug")
            if (path := ROOT / "target" / profile / _executable()).exists()
        ),
        None,
    )
    if found is None or shutil.which(found) is None:
        _skip_loudly("the program: build it with cargo, or name it by BRANCHWISE_PROGRAM")
    return found


def _executable() -> str:
    return "branchwise.exe" if os.name == "nt" else "branchwise"


@pytest.fixture(scope="session")
def slow_table() -> tuple[np.ndarray, np.ndarray]:
    """A table of noise on which a proof takes very long."""
    random = np.random.default_rng(0)
    return random.integers(0, 2, (2000, 60)), random.integers(0, 2, 2000)
