#!/usr/bin/env bash
# Make a Python with DuckDB and ONNX Runtime, to run exported models with, and print its path.
# It is made under target/ once, and again when the versions that are asked for change.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=crates/branchwise/tests/exports/requirements.txt
folder=target/exports-python
python() { if [ -d "$folder/bin" ]; then echo "$folder/bin/python"; else echo "$folder/Scripts/python"; fi; }

if ! cmp --silent "$wanted" "$folder/made-of.txt"; then
    rm -rf "$folder"
    python3 -m venv "$folder" >&2
    "$(python)" -m pip install --quiet --disable-pip-version-check -r "$wanted" >&2
    cp "$wanted" "$folder/made-of.txt"
fi
echo "$PWD/$(python)"
