#!/usr/bin/env bash
# Set up a Python environment with all that the tests need except the package itself, and print its path.
# It is kept under target/ and set up again when the required versions change.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=(py-branchwise/requirements.txt crates/branchwise/tests/exports/requirements.txt)
folder=target/python
python() { if [ -d "$folder/bin" ]; then echo "$folder/bin/python"; else echo "$folder/Scripts/python"; fi; }

if ! cat "${wanted[@]}" | cmp --silent - "$folder/made-of.txt"; then
    rm -rf "$folder"
    python3 -m venv "$folder" >&2
    "$(python)" -m pip install --quiet --disable-pip-version-check "${wanted[@]/#/--requirement=}" >&2
    cat "${wanted[@]}" > "$folder/made-of.txt"
fi
echo "$PWD/$(python)"
