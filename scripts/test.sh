#!/usr/bin/env bash
# Everything that must pass: formatting, lints, documentation, tests.
# Needs a Rust toolchain, Python to run exported models with, and Node and Chromium to open reports
# with; their package managers fetch the rest. Without Python, Node or Chromium, the tests that need
# them say loudly that they are skipped.
#
# Tests on the BRANCHES paper's 32 instances read the folder named by BRANCHWISE_DATA, and say
# loudly that they are skipped without it.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "formatting";    cargo fmt --all --check
step "lints";         cargo clippy --workspace --all-targets --locked -- -D warnings
step "documentation" # One after the other: program and library share a name, and so a folder.
for package in branchwise-cli branchwise; do
    RUSTDOCFLAGS="-D warnings" cargo doc -p "$package" --no-deps --document-private-items --locked --quiet
done
if command -v python3 >/dev/null; then
    step "Python for exports"
    BRANCHWISE_EXPORTS_PYTHON=$(scripts/exports-python.sh)
    export BRANCHWISE_EXPORTS_PYTHON
fi
step "tests";         cargo test --workspace --locked
step "reports in a browser"; scripts/browser-test.sh
