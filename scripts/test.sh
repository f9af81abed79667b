#!/usr/bin/env bash
# Everything that must pass: formatting, lints, documentation, tests, of Rust and of Python.
# Needs a Rust toolchain, Python, and Node and Chromium to open reports with; their package managers fetch
# the rest. Without Python, Node or Chromium, the tests that need them are skipped with a clear message.
#
# Tests on the BRANCHES paper's 32 instances read the folder named by BRANCHWISE_DATA; without it they are
# skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

# The packages for Python are fetched while Rust code is checked.
if command -v python3 >/dev/null; then
    mkdir -p target
    scripts/python.sh >target/python.txt &
    setting_up=$!
fi
step "formatting";    cargo fmt --all --check
step "lints";         cargo clippy --workspace --all-targets --locked -- -D warnings
step "documentation" # One after the other: program and library have the same name, so they share a folder.
for package in branchwise-cli branchwise branchwise-python; do
    RUSTDOCFLAGS="-D warnings" cargo doc -p "$package" --no-deps --document-private-items --locked --quiet
done
if [ -n "${setting_up:-}" ]; then
    step "a virtual environment for Python"
    wait "$setting_up"
    python=$(tail -n 1 target/python.txt)
    export BRANCHWISE_EXPORTS_PYTHON=$python
fi
# The Python package is tested from Python.
step "tests";         cargo test --workspace --exclude branchwise-python --locked
step "reports in a browser"; scripts/browser-test.sh
if [ -z "${python:-}" ]; then
    printf '\n*** SKIPPED: the Python package: there is no python3 ***\n' >&2
    exit
fi

step "the Python package: installation"
# With the profile of the tests, so that their build is reused.
MATURIN_PEP517_ARGS="--profile=dev" \
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall .
step "the benchmarks' harness"
(cd bench && "$python" -m ruff format --check . && "$python" -m ruff check . && "$python" -m pytest --quiet tests)
cd py-branchwise
step "the Python package: lints and types"
"$python" -m ruff format --check .
"$python" -m ruff check .
"$python" -m mypy
MYPYPATH='' "$python" -m mypy.stubtest branchwise._core
step "the Python package: tests"
"$python" -m pytest tests
"$python" -m pytest --pyargs branchwise
