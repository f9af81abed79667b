"""Lets the tests import the harness from any folder, and finds the paper's tables."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


@pytest.fixture
def data() -> Path:
    """The folder of the paper's instances, without which a test is skipped."""
    folder = os.environ.get("BRANCHWISE_DATA")
    if not folder:
        pytest.skip("set BRANCHWISE_DATA to the folder of the paper's instances")
    return Path(folder)
