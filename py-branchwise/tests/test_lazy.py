"""Tables that lie elsewhere: only their distinct rows travel."""

import dask.dataframe as dd
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from branchwise import BranchesClassifier


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    random = np.random.default_rng(7)
    n = 20_000
    frame = pd.DataFrame(
        {
            "sky": random.choice(["sunny", "rainy", "grey"], n),
            "wind": random.integers(0, 9, n),
            "warm": random.choice([True, False], n),
            "town": random.choice(["a", "b", None], n),
        }
    )
    out = (frame["sky"] == "sunny") & (frame["wind"] < 6) | frame["warm"] & frame["town"].isna()
    noise = random.random(n) < 0.1
    frame["out"] = np.where(out ^ noise, "yes", "no")
    return frame


@pytest.fixture(scope="module")
def expected(rows) -> BranchesClassifier:
    return BranchesClassifier().fit(rows.drop(columns="out"), rows["out"])


def assert_same(tree: BranchesClassifier, expected: BranchesClassifier) -> None:
    assert tree.objective_ == expected.objective_ and tree.is_optimal_
    assert tree.to_svg() == expected.to_svg()
    assert list(tree.feature_names_in_) == list(expected.feature_names_in_)


def test_duckdb(rows, expected):
    relation = duckdb.connect().from_df(rows)
    assert_same(BranchesClassifier().fit(relation, "out"), expected)


def test_polars(rows, expected):
    frame = pl.from_pandas(rows).lazy()
    tree = BranchesClassifier().fit(frame, "out")
    assert_same(tree, expected)
    with pytest.raises(TypeError, match="collected before"):
        tree.predict(frame)
    with pytest.raises(TypeError, match="name the column of classes"):
        BranchesClassifier().fit(frame, rows["out"])
    with pytest.raises(ValueError, match="no sample_weight"):
        BranchesClassifier().fit(frame, "out", sample_weight=np.ones(len(rows)))
    with pytest.raises(ValueError, match="y names the column 'in'"):
        BranchesClassifier().fit(frame, "in")


def test_dask_on_a_cluster(rows, expected):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        tree = BranchesClassifier().fit(dd.from_pandas(rows, npartitions=3), "out")
    assert_same(tree, expected)


def test_pyspark(rows, expected):
    """Not part of the pinned requirements: it needs Java and `pip install pyspark`."""
    sql = pytest.importorskip("pyspark.sql", reason="pip install pyspark; it needs Java")
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    records = rows.astype(object).where(rows.notna(), None).to_dict("records")
    schema = "sky string, wind int, warm boolean, town string, out string"
    tree = BranchesClassifier().fit(session.getOrCreate().createDataFrame(records, schema), "out")
    assert_same(tree, expected)


def test_aggregated_tables(rows, expected):
    counted = rows.groupby(list(rows.columns), dropna=False).size().reset_index(name="n")
    assert len(counted) < 500
    named = BranchesClassifier().fit(counted, "out", counts="n")
    given = BranchesClassifier().fit(
        counted.drop(columns=["out", "n"]), counted["out"], counts=counted["n"]
    )
    lazy = BranchesClassifier().fit(pl.from_pandas(counted).lazy(), "out", counts="n")
    for tree in (named, given, lazy):
        assert_same(tree, expected)
    assert expected.tree_.n_node_samples[0] == len(rows)
