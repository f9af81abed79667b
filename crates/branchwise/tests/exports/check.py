"""Run exported models and compare their answers with those of `predict`.

    python3 check.py FOLDER PART...

where a part is python, sqlite, duckdb or onnx, and the folder holds the cases that main.rs wrote.
"""

import datetime
import json
import pathlib
import sqlite3
import sys

TABLE = '"its ""rows"""'
EPOCH = datetime.datetime(1970, 1, 1)


def compare(place, row, label, probabilities):
    expected = row["class"], row["probabilities"]
    if (label, list(probabilities)) != expected:
        sys.exit(f"{place}: {row}\nfound {label!r} {probabilities}")


def python(stem, case):
    scope = {}
    exec(compile(stem.with_suffix(".py").read_bytes().decode(), stem.name, "exec"), scope)
    for row in case["rows"]:
        given = dict(zip(case["columns"], row["texts"]))
        compare(stem, row, scope["predict"](given), scope["probabilities"](given))
        if row["stored"] and "day" not in case["storage"] and "time" not in case["storage"]:
            given = dict(zip(case["columns"], row["stored"]))
            compare(stem, row, scope["predict"](given), scope["probabilities"](given))
    return len(case["rows"])


def identifier(name):
    return '"' + name.replace('"', '""') + '"'


def query(connection, stem, case, types, convert):
    """Store the rows, and let the database select the classes in both forms."""
    rows = [row for row in case["rows"] if row["stored"] is not None]
    names = [identifier(name) for name in case["columns"]]
    columns = [f"{name} {types[kind]}" for name, kind in zip(names, case["storage"])]
    connection.execute(f"CREATE TABLE {TABLE} (number INTEGER, {', '.join(columns)})")
    stored = []
    for number, row in enumerate(rows):
        cells = zip(case["storage"], row["stored"])
        stored.append([number] + [None if cell is None else convert(kind, cell) for kind, cell in cells])
    for start in range(0, len(stored), 50):
        part = stored[start : start + 50]
        marks = "(" + ", ".join("?" * len(part[0])) + ")"
        values = [value for row in part for value in row]
        connection.execute(f"INSERT INTO {TABLE} VALUES {', '.join([marks] * len(part))}", values)
    whole = stem.with_suffix(".query.sql").read_bytes().decode()
    answers = connection.execute(whole).fetchall()
    answers.sort(key=lambda answer: answer[0])
    single = stem.with_suffix(".sql").read_bytes().decode()
    labels = connection.execute(f"SELECT number, {single} FROM {TABLE}").fetchall()
    labels = dict(labels)
    width = len(case["columns"]) + 1
    for number, (row, answer) in enumerate(zip(rows, answers, strict=True)):
        compare(stem, row, answer[width], answer[width + 1 :])
        compare(stem, row, labels[number], answer[width + 1 :])
    return len(rows)


def sqlite(stem, case):
    def convert(kind, cell):
        if kind in ("day", "time"):
            moment = EPOCH + datetime.timedelta(microseconds=cell)
            return str(moment.date() if kind == "day" else moment)
        return cell

    types = {"text": "TEXT", "integer": "INTEGER", "real": "REAL", "day": "TEXT", "time": "TEXT"}
    return query(sqlite3.connect(":memory:"), stem, case, types, convert)


def duckdb(stem, case):
    import duckdb

    def convert(kind, cell):
        if kind in ("day", "time"):
            moment = EPOCH + datetime.timedelta(microseconds=cell)
            return moment.date() if kind == "day" else moment
        return cell

    types = {"text": "TEXT", "integer": "BIGINT", "real": "DOUBLE", "day": "DATE", "time": "TIMESTAMP"}
    return query(duckdb.connect(":memory:"), stem, case, types, convert)


def onnx(stem, case):
    import numpy
    import onnx
    import onnxruntime

    path = str(stem.with_suffix(".onnx"))
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = onnxruntime.InferenceSession(path)
    inputs = [(case["columns"].index(wanted.name), wanted) for wanted in session.get_inputs()]
    typed = [place for place, wanted in inputs if wanted.type != "tensor(string)"]
    rows = [row for row in case["rows"] if all(row["fed"][place] is not False for place in typed)]
    feed = {}
    for place, wanted in inputs:
        if wanted.type == "tensor(string)":
            # Graphs compare texts as they are: blanks around them are taken away before.
            texts = [row["texts"][place].strip(" \t\n\f\r") for row in rows]
            cells = numpy.array(texts, dtype=object)
        else:
            kind, missing = {
                "tensor(double)": (numpy.float64, numpy.nan),
                "tensor(int64)": (numpy.int64, numpy.iinfo(numpy.int64).min),
            }[wanted.type]
            cells = [row["fed"][place] for row in rows]
            cells = numpy.array([missing if cell is None else cell for cell in cells], dtype=kind)
        feed[wanted.name] = cells.reshape(-1, 1)
    labels, shares = session.run(None, feed)
    for row, label, probabilities in zip(rows, labels, shares.tolist(), strict=True):
        compare(stem, row, label, probabilities)
    return len(rows)


def main():
    folder, *parts = sys.argv[1:]
    checks = {"python": python, "sqlite": sqlite, "duckdb": duckdb, "onnx": onnx}
    for part in parts:
        rows = 0
        for path in sorted(pathlib.Path(folder).glob("case_*.json")):
            rows += checks[part](path.with_suffix(""), json.loads(path.read_bytes().decode()))
        print(f"{part}: {rows} rows answered alike")


main()
