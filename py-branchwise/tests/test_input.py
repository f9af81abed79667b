"""Tables of any kind go in as they are, and are the same table in each kind."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from branchwise import BranchesClassifier, export_text
from branchwise._core import Columns
from branchwise._frames import add_array, as_frame, columns_of_frame


@pytest.fixture
def people() -> dict:
    random = np.random.default_rng(1)
    n = 300
    age = random.integers(18, 80, n).astype(float)
    age[::17] = np.nan
    town = random.choice(["Ashford", "Brook", "NA", "Cliff side"], n).astype(object)
    town[::23] = None
    member = random.integers(0, 2, n).astype(bool)
    joined = np.datetime64("2020-01-01") + random.integers(0, 900, n)
    came = np.where((age < 40) & member | (town == "NA"), "yes", "no")
    return {"age": age, "town": town, "member": member, "joined": joined, "came": came}


def frames(people: dict) -> dict:
    table = {name: values for name, values in people.items() if name != "came"}
    pandas = pd.DataFrame(table)
    arrow = pa.table({**table, "age": pa.array(table["age"], from_pandas=True)})
    return {
        "pandas": pandas,
        "pandas objects": pandas.astype({"town": object}),
        "pandas categories": pandas.astype({"town": "category"}),
        "pandas nullable": pandas.convert_dtypes(dtype_backend="numpy_nullable"),
        "pandas arrow": pandas.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.from_arrow(arrow),
        "polars categories": pl.from_arrow(arrow).with_columns(pl.col("town").cast(pl.Categorical)),
        "pyarrow": arrow,
    }


def test_every_kind_of_frame_gives_the_same_tree(people):
    fitted = {
        kind: BranchesClassifier(thresholds=4).fit(frame, people["came"])
        for kind, frame in frames(people).items()
    }
    expected = fitted["pandas"]
    assert expected.is_optimal_
    assert list(expected.feature_names_in_) == ["age", "town", "member", "joined"]
    text = export_text(expected)
    assert "age ≤" in text and "NA" in text and "missing" in text
    for kind, tree in fitted.items():
        assert tree.objective_ == expected.objective_, kind
        assert export_text(tree) == text, kind
        for other, frame in frames(people).items():
            predicted = tree.predict(frame)
            assert np.array_equal(predicted, expected.predict(frames(people)["pandas"])), other


def test_frames_without_pyarrow(people, monkeypatch):
    monkeypatch.setattr("branchwise._frames._has_pyarrow", lambda: False)
    for kind in ("pandas", "pandas objects", "pandas categories", "pandas nullable"):
        tree = BranchesClassifier(thresholds=4).fit(frames(people)[kind], people["came"])
        assert tree.objective_ == pytest.approx(
            BranchesClassifier(thresholds=4).fit(frames(people)["polars"], people["came"]).objective_
        )


def written(values, dtype=None) -> list:
    columns = Columns()
    add_array(columns, "x", np.array(values, dtype=dtype))
    return columns.texts(0)


@pytest.mark.parametrize(
    ("values", "dtype", "texts"),
    [
        ([1.0, -0.0, np.nan, 0.1], float, ["1.0", "0.0", None, "0.1"]),
        ([0.1, 3], np.float32, ["0.1", "3.0"]),
        ([0.5, 3], np.float16, ["0.5", "3.0"]),
        ([0.5, 3], np.longdouble, ["0.5", "3.0"]),
        ([1, -2], ">i4", ["1", "-2"]),
        ([2**64 - 1, 0], np.uint64, ["18446744073709551615", "0"]),
        ([True, False], bool, ["true", "false"]),
        (["2024-01-05", "NaT"], "M8[D]", ["2024-01-05", None]),
        (["2024-01-05T10:30"], "M8[ns]", ["2024-01-05T10:30"]),
        (["2024-01"], "M8[M]", ["2024-01-01"]),
        (["1677-01-01"], "M8[s]", ["1677-01-01"]),
        ([90, 30], "m8[m]", ["5400.0", "1800.0"]),
        ([" a", "", "NA"], "U3", ["a", None, "NA"]),
        ([b"a", b"b"], "S1", ["a", "b"]),
        (
            [None, float("nan"), pd.NA, pd.NaT, np.float64("nan"), decimal.Decimal("nan")],
            object,
            [None] * 6,
        ),
        (
            [1, 2.5, True, np.int8(3), np.bool_(True), decimal.Decimal("0.10"), 10**30],
            object,
            ["1", "2.5", "true", "3", "true", "0.10", str(10**30)],
        ),
        (
            [
                datetime.date(2024, 1, 5),
                pd.Timestamp("2024-01-05 10:00"),
                np.datetime64("2024-01-05"),
            ],
            object,
            ["2024-01-05", "2024-01-05T10:00:00", "2024-01-05"],
        ),
    ],
)
def test_values_are_written_as_the_library_writes_them(values, dtype, texts):
    assert written(values, dtype) == texts


def test_infinity_is_refused_in_every_kind_of_table():
    infinite = {"x": [1.0, np.inf, 2.0]}
    for frame in (pd.DataFrame(infinite), pl.DataFrame(infinite), np.array([infinite["x"]]).T):
        with pytest.raises(ValueError, match="contains infinity"):
            BranchesClassifier().fit(frame, [0, 1, 0])


def test_types_decide_what_is_a_category():
    codes = pd.DataFrame({"text": ["1", "2", "3", "4"], "number": [1, 2, 3, 4]})
    y = [0, 1, 0, 1]
    tree = BranchesClassifier(thresholds="all").fit(codes, y)
    assert "text?" in export_text(tree)
    for listed in (["number"], [1], [False, True]):
        tree = BranchesClassifier(categorical_features=listed, thresholds="all").fit(codes, y)
        assert "number?" in export_text(tree)
    tree = BranchesClassifier(categorical_features=None, thresholds="all").fit(codes, y)
    assert "≤" in export_text(tree)
    for wrong in (["nothing"], [7], [True], "some"):
        with pytest.raises(ValueError, match="categorical_features"):
            BranchesClassifier(categorical_features=wrong).fit(codes, y)


def test_ordered_categories_keep_their_order():
    sizes = ["small", "medium", "large"]
    column = pd.Categorical(["small", "large", "medium", "small"], sizes, ordered=True)
    tree = BranchesClassifier().fit(pd.DataFrame({"size": column}), [0, 1, 1, 0])
    assert "size ≤ small?" in export_text(tree)
    unused = pd.Categorical(["a", "b", "a"], ["a", "b", "never"])
    frame = pd.DataFrame({"letter": unused})
    assert columns_of_frame(as_frame(frame)).texts(0) == ["a", "b", "a"]


def test_a_gap_does_not_turn_whole_numbers_into_other_categories():
    tree = BranchesClassifier().fit(pd.DataFrame({"x": [0, 1, 0, 1]}), ["a", "b", "a", "b"])
    assert list(tree.predict(pd.DataFrame({"x": [1.0, 0.0, np.nan]}))[:2]) == ["b", "a"]
    assert list(tree.predict(pd.DataFrame({"x": [True, False]}))) == ["b", "a"]
    tree = BranchesClassifier().fit(pd.DataFrame({"x": [False, True] * 2}), ["a", "b"] * 2)
    assert list(tree.predict(pd.DataFrame({"x": [1, 0]}))) == ["b", "a"]
    tree = BranchesClassifier(categorical_features=[0]).fit([[0.5], [1.0]] * 2, ["a", "b"] * 2)
    assert list(tree.predict([[1]])) == ["b"]


def test_truth_values_are_the_same_whoever_writes_them(tmp_path):
    y = np.array([False, True] * 3)
    frame = pd.DataFrame({"x": ~y})
    frame.to_csv(tmp_path / "table.csv", index=False)
    written = pd.read_csv(tmp_path / "table.csv", dtype=str)
    assert list(written["x"][:2]) == ["True", "False"]
    tables = [frame, written, pl.DataFrame({"x": ~y}), pd.DataFrame({"x": (~y).astype(int)})]
    for table in tables[:3]:
        tree = BranchesClassifier().fit(table, y)
        assert tree.get_n_leaves() == 2
        for other in tables:
            assert np.array_equal(tree.predict(other), y)
    words = BranchesClassifier().fit(written, y.astype(str))
    again = BranchesClassifier.from_json(words.to_json())
    assert again.classes_.dtype == bool
    assert np.array_equal(again.predict(frame), y)


def test_time_zones_are_moments():
    moments = pd.date_range("2024-03-30", periods=6, freq="12h", tz="Europe/Berlin")
    y = [0, 0, 0, 1, 1, 1]
    texts = []
    for frame in (pd.DataFrame({"at": moments}), pl.DataFrame({"at": moments.to_list()})):
        texts.append(export_text(BranchesClassifier().fit(frame, y)))
    assert "at ≤ 2024-03-31" in texts[0] and texts[0] == texts[1]


@pytest.mark.parametrize(
    "labels",
    [
        [3, 1, 2, 1],
        [1.0, 2.0, 1.0, 3.0],
        [True, False, True, True],
        ["b", "a", "", "b"],
        [" a", "a", "b", "b"],
        np.array(["x", "y", "x", "z"], dtype=object),
        pd.Series(["b", "a", "c", "a"], dtype="category"),
        pl.Series(["b", "a", "c", "a"]),
        pa.chunked_array([["b", "a"], ["c", "a"]]),
    ],
)
def test_labels_of_any_type_come_back(labels):
    X = [[0], [1], [2], [3]]
    tree = BranchesClassifier(split_penalty=0, thresholds="all").fit(X, labels)
    assert np.array_equal(tree.predict(X), np.asarray(labels))
    assert list(tree.classes_) == sorted(set(np.asarray(labels).tolist()))
    proba = tree.predict_proba(X)
    assert np.array_equal(tree.classes_[proba.argmax(axis=1)], np.asarray(labels))


def test_column_order_and_names_are_checked():
    frame = pd.DataFrame({"a": [0, 1, 2], "b": [2, 1, 0]})
    tree = BranchesClassifier().fit(frame, [0, 1, 1])
    for other in (frame[["b", "a"]], frame.rename(columns={"a": "c"})):
        with pytest.raises(ValueError, match="feature names should match"):
            tree.predict(other)
    with pytest.raises(ValueError, match="3 features"):
        tree.predict(frame.assign(c=0).rename(columns=str).to_numpy())
    with pytest.raises(ValueError, match="at least 1 row"):
        BranchesClassifier().fit(frame[:0], [])


def test_missing_values_are_kept_dropped_or_refused():
    frame = pl.DataFrame({"x": ["a", None, "b", "b"], "z": [1.0, 2.0, None, 4.0]})
    y = [0, 1, 0, 0]
    assert "missing" in export_text(BranchesClassifier().fit(frame, y))
    dropped = BranchesClassifier(missing="drop").fit(frame, y)
    assert dropped.tree_.n_node_samples[0] == 2
    with pytest.raises(ValueError, match='"x" has no value in 1 row'):
        BranchesClassifier(missing="refuse").fit(frame, y)


def test_weights_are_counts_weights_or_class_weights():
    X, y = [[0], [0], [1], [1]], [0, 1, 0, 1]
    counted = BranchesClassifier(min_samples_leaf=2).fit(X, y, counts=[3, 1, 1, 3])
    repeated = BranchesClassifier(min_samples_leaf=2).fit(
        np.repeat(X, [3, 1, 1, 3], axis=0), np.repeat(y, [3, 1, 1, 3])
    )
    weighted = BranchesClassifier(min_samples_leaf=2).fit(X, y, sample_weight=[3, 1, 1, 3])
    for tree in (counted, weighted):
        assert tree.objective_ == repeated.objective_ == 0.74
        assert np.array_equal(tree.predict_proba([[0], [1]]), [[0.75, 0.25], [0.25, 0.75]])
    thirds = BranchesClassifier().fit(X, y, sample_weight=[1 / 3, 1 / 7, 1 / 7, 1 / 3])
    assert thirds.objective_ == pytest.approx(0.7 - 0.01, abs=1e-9)
    balanced = BranchesClassifier(class_weight="balanced").fit([[0]] * 9 + [[1]], [0] * 8 + [1] * 2)
    assert balanced.objective_ == pytest.approx(0.75 - 0.01)
    chosen = BranchesClassifier(class_weight={0: 1, 1: 9}).fit([[0]] * 9 + [[1]], [0] * 8 + [1] * 2)
    assert list(chosen.predict([[0], [1]])) == [1, 1]
    for wrong in ([1], [1, 2, 3, -1], [0.5, 1, 1, 1], ["a"] * 4):
        with pytest.raises(ValueError, match="counts"):
            BranchesClassifier().fit(X, y, counts=wrong)


def test_costs_move_the_answers():
    X = [["a"]] * 6 + [["b"]] * 6
    y = ["well"] * 6 + ["ill"] * 2 + ["well"] * 4
    plain = BranchesClassifier().fit(X, y)
    assert set(plain.predict(X)) == {"well"}
    # In the order of classes_: to answer "well" where somebody is ill costs ten times as much.
    careful = BranchesClassifier(costs=[[0, 10], [1, 0]]).fit(X, y)
    assert careful.predict([["a"], ["b"]]).tolist() == ["well", "ill"]
    worst = 2 * 10 + 10 * 1
    assert careful.objective_ == pytest.approx(1 - 4 / worst - 0.01)
    with pytest.raises(ValueError, match="2 of both"):
        BranchesClassifier(costs=[[0, 1]]).fit(X, y)


def test_a_first_column_is_asked_first():
    X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5
    y = [0, 0, 1, 1] * 5
    assert BranchesClassifier().fit(X, y).tree_.nodes[0].column == 0
    first = BranchesClassifier(first_column=1).fit(X, y)
    assert first.tree_.nodes[0].column == 1 and first.score(X, y) == 1
    with pytest.raises(ValueError, match="first_column has 2"):
        BranchesClassifier(first_column=2).fit(X, y)


def test_rows_without_weight_are_counted_where_there_are_no_others():
    X, y = [["a"], ["a"], ["b"], ["b"], ["b"]], [0, 1, 1, 1, 0]
    tree = BranchesClassifier(first_column=0).fit(X, y, sample_weight=[1.5, 1.5, 0, 0, 0])
    assert tree.predict_proba([["b"]])[0] == pytest.approx([1 / 3, 2 / 3])
    assert tree.predict([["b"]])[0] == 1
