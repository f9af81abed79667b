#!/usr/bin/env python3
"""Writes what README and DESIGN say about measurements, and their links, from the newest records.

    python bench/readme.py [--check]

With `--check`, it only reports which documents are out of date.
"""

from harness import environment

environment.enter()

import argparse  # noqa: E402
import sys  # noqa: E402

from harness import claims  # noqa: E402


def main() -> None:
    """Brings every document up to date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    runs, stale = claims.Runs(), []
    for path in claims.documents():
        text = path.read_text()
        new = claims.written(path, text, runs)
        if new != text:
            stale.append(str(path.relative_to(environment.ROOT)))
        if not args.check:
            path.write_text(new)
    if args.check and stale:
        sys.exit(f"out of date: {', '.join(stale)}; run bench/readme.py")


if __name__ == "__main__":
    main()
