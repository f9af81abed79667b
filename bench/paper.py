#!/usr/bin/env python3
"""The paper's 32 instances with one engine, beside the paper's own figures.

    BRANCHWISE_DATA=folder python3 bench/paper.py [--engine paper] [--time-limit 60s] [NAME ...]

Builds the program in release mode, runs `branchwise fit NAME.txt --json` on each instance, one after
the other, and prints a markdown table. Without names: all of them with `fast`, and
with `paper` those that the paper's program solved in its five minutes. Fails if a proven objective or number of splits is not the known optimum.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

# name, λ, optimal objective, its splits, and of BRANCHES in the paper (table 2): iterations, seconds;
# None where it ran out of time. The optima that it did not prove were proven with `--engine fast`.
INSTANCES = [
    ('balance', 0.005, 0.7692, 10, None, None),
    ('balance-f', 0.005, 0.6732, 10, 676149, 190),
    ('balance-o', 0.005, 0.7132, 10, 178, 0.004),
    ('careval', 0.005, 0.8527, 15, 456452, 204),
    ('careval-f', 0.005, 0.7992, 14, 108640, 26.6),
    ('careval-o', 0.005, 0.8125, 14, 579, 0.09),
    ('krvskp', 0.01, 0.9009, 4, None, None),
    ('lymph', 0.01, 0.8462, 12, None, None),
    ('lymph-f', 0.01, 0.8259, 12, None, None),
    ('lymph-o', 0.01, 0.8527, 10, 16154, 12.3),
    ('monk1', 0.01, 0.94, 6, 146, 0.05),
    ('monk1-f', 0.001, 0.983, 17, 2125, 0.39),
    ('monk1-l', 0.01, 0.93, 7, 117, 0.02),
    ('monk1-o', 0.01, 0.9, 10, 64, 0.02),
    ('monk2', 0.001, 0.968, 32, 60611, 14.2),
    ('monk2-f', 0.001, 0.933, 67, 28968, 2.94),
    ('monk2-o', 0.001, 0.955, 45, 1213, 0.18),
    ('monk3', 0.001, 0.985, 15, 14807, 4.05),
    ('monk3-f', 0.001, 0.983, 17, 3026, 0.36),
    ('monk3-o', 0.001, 0.987, 13, 156, 0.03),
    ('mushroom', 0.01, 0.9552, 3, None, None),
    ('mushroom-f', 0.01, 0.9452, 4, None, None),
    ('mushroom-o', 0.01, 0.9752, 1, 6, 0.15),
    ('nursery', 0.01, 0.8127, 6, None, None),
    ('nursery-f', 0.01, 0.7726, 7, 48063, 24.9),
    ('nursery-o', 0.01, 0.8221, 7, 195, 0.24),
    ('tictactoe', 0.005, 0.8507, 19, None, None),
    ('tictactoe-f', 0.005, 0.8507, 19, 74627, 16.3),
    ('tictactoe-o', 0.005, 0.773, 17, 3339, 0.68),
    ('zoo', 0.001, 0.992, 8, 39199, 44.6),
    ('zoo-f', 0.001, 0.992, 8, 4659, 2.09),
    ('zoo-o', 0.001, 0.993, 7, 1456, 0.87),
]

ROOT = Path(__file__).resolve().parent.parent


def fit(instance, engine, time_limit, folder):
    name, penalty, *_ = instance
    command = [ROOT / "target/release/branchwise", "fit", folder / f"{name}.txt", "--json", "--quiet",
               "--encoding", "multiway", "--lambda", str(penalty), "--engine", engine, "--time-limit", time_limit]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{name}: {done.stderr}")
    return json.loads(done.stdout)


def ratio(ours, theirs, form="{:.2f}"):
    return form.format(ours / theirs) if theirs else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--engine", default="paper", choices=["paper", "fast", "auto"])
    parser.add_argument("--time-limit", default="60s")
    args = parser.parse_args()
    folder = os.environ.get("BRANCHWISE_DATA") or sys.exit("set BRANCHWISE_DATA to the instances' folder")
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)

    print("| instance | λ | objective | splits | status | iterations | paper | ratio | seconds | paper | times faster | MB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    wrong, total = [], 0.0
    for instance in INSTANCES:
        name, penalty, objective, splits, iterations, seconds = instance
        unasked = not args.names and seconds is None and args.engine == "paper"
        if args.names and name not in args.names or unasked:
            continue
        found = fit(instance, args.engine, args.time_limit, Path(folder))
        total += found["seconds"]
        if found["status"] == "optimal" and (round(found["objective"], 4), found["splits"]) != (objective, splits):
            wrong.append(name)
        print(f"| {name} | {penalty} | {found['objective']:.4f} | {found['splits']} | {found['status']} "
              f"| {found['iterations']} | {iterations or ''} | {ratio(found['iterations'], iterations)} "
              f"| {found['seconds']:.4f} | {seconds or ''} | {ratio(seconds, found['seconds'], '{:.0f}') if seconds else ''} "
              f"| {found['peak_bytes'] / 1e6:.1f} |", flush=True)
    print(f"\n{total:.2f} s together")
    if wrong:
        sys.exit(f"not the known optimum: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
