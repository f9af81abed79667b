"""The backend of the repository's own pyproject.toml: maturin, in this folder."""

import os
from pathlib import Path

os.chdir(Path(__file__).parent)

from maturin import *  # noqa: E402, F403
