"""The surroundings of a run: the virtual environment, the program under test, the machine."""

import hashlib
import os
import platform
import subprocess
import sys
import venv
from datetime import date
from importlib import metadata
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = TARGET / "release" / "branchwise"
VENV = ROOT / "target" / "bench-venv"


def enter() -> None:
    """Makes the virtual environment if it is missing or out of date, and restarts the command inside it."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    python = VENV / "bin" / "python"
    stamp = VENV / "requirements.sha256"
    wanted = hashlib.sha256(
        (BENCH / "requirements.txt").read_bytes() + (BENCH / "requirements-dl85.txt").read_bytes()
    ).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        _install(python)
        stamp.write_text(wanted)
    os.execv(python, [str(python), *sys.argv])


def _install(python: Path) -> None:
    print(f"setting up {VENV}", file=sys.stderr)
    venv.create(VENV, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "-r"]
    subprocess.run([*pip, str(BENCH / "requirements.txt")], check=True)
    if subprocess.run([*pip, str(BENCH / "requirements-dl85.txt")]).returncode != 0:
        print("DL8.5 does not build here: its runs will be left out", file=sys.stderr)


def build() -> None:
    """Builds the program in release mode."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "--locked"], cwd=ROOT, check=True)


def commit() -> str:
    """The commit under test, with a plus sign if files of the program differ from it."""
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain", "crates"], capture_output=True, text=True).stdout.strip()
    return f"{name}+" if changed else name


def machine() -> str:
    """The processor, its number of cores and the operating system."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def versions() -> str:
    """The versions of the peers that are installed."""
    known = {"pystreed": "STreeD", "gosdt": "GOSDT", "pydl8.5": "DL8.5", "scikit-learn": "scikit-learn"}
    words = []
    for package, name in known.items():
        try:
            words.append(f"{name} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            words.append(f"no {name}")
    return ", ".join(words)


def today() -> str:
    """The date, which names the folder of a run."""
    return date.today().isoformat()
