"""Whole workflows of scikit-learn's users."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

from branchwise import BranchesClassifier

GRID = {"split_penalty": [0.05, 0.02, 0.01]}


@pytest.fixture(scope="module")
def iris() -> tuple[pd.DataFrame, pd.Series]:
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def searched(iris) -> GridSearchCV:
    return GridSearchCV(BranchesClassifier(), GRID, cv=3).fit(*iris)


def test_grid_search_in_two_processes_gives_the_same_answer(iris, searched):
    two = GridSearchCV(BranchesClassifier(), GRID, cv=3, n_jobs=2).fit(*iris)
    assert two.best_params_ == searched.best_params_
    assert np.array_equal(two.cv_results_["mean_test_score"], searched.cv_results_["mean_test_score"])
    assert two.best_estimator_.to_svg() == searched.best_estimator_.to_svg()


def test_grid_search_on_a_cluster_gives_the_same_answer(iris, searched):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config("dask"),
    ):
        there = GridSearchCV(BranchesClassifier(), GRID, cv=3).fit(*iris)
    assert there.best_params_ == searched.best_params_
    assert np.array_equal(there.cv_results_["mean_test_score"], searched.cv_results_["mean_test_score"])


def test_cross_validation(iris):
    scores = cross_val_score(BranchesClassifier(thresholds=4), *iris, cv=3)
    assert scores.mean() > 0.85


def test_pipelines(iris):
    X, y = iris
    binned = make_pipeline(
        KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf"),
        BranchesClassifier(encoding="multiway"),
    )
    assert binned.fit(X, y).score(X, y) > 0.9
    mixed = pd.DataFrame({"letter": list("abcab") * 20, "number": range(100)})
    prepared = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["letter"]), remainder="passthrough"
    ).set_output(transform="pandas")
    pipeline = make_pipeline(prepared, BranchesClassifier())
    pipeline.fit(mixed, mixed["letter"] == "a")
    assert pipeline.score(mixed, mixed["letter"] == "a") == 1
    assert pipeline[-1].feature_names_in_[0] == "onehotencoder__letter_a"


def test_calibration():
    X, y = load_breast_cancer(return_X_y=True)
    calibrated = CalibratedClassifierCV(BranchesClassifier(thresholds=3, max_depth=3), cv=2)
    shares = calibrated.fit(X, y).predict_proba(X)
    assert shares.shape == (len(y), 2) and np.allclose(shares.sum(axis=1), 1)


def test_copies_are_the_same(iris, tmp_path):
    X, y = iris
    tree = BranchesClassifier(split_penalty=0.02).fit(X, y)
    joblib.dump(tree, tmp_path / "tree.joblib")
    copies = [
        pickle.loads(pickle.dumps(tree)),
        copy.copy(tree),
        copy.deepcopy(tree),
        joblib.load(tmp_path / "tree.joblib"),
    ]
    for other in copies:
        assert np.array_equal(other.predict_proba(X), tree.predict_proba(X))
        assert other.to_json() == tree.to_json() and other.model_ == tree.model_
    assert not hasattr(clone(tree), "tree_")
    assert clone(tree).get_params() == tree.get_params()


def test_arrays_of_any_layout(iris):
    X, y = iris[0].to_numpy(), iris[1].to_numpy()
    expected = BranchesClassifier().fit(X, y)
    frozen = X.copy()
    frozen.setflags(write=False)
    for same in (np.asfortranarray(X), frozen, np.repeat(X, 2, axis=0)[::2], X.tolist()):
        tree = BranchesClassifier().fit(same, y)
        assert tree.to_svg() == expected.to_svg()
        assert np.array_equal(tree.predict(same), expected.predict(X))
    short = BranchesClassifier().fit(X.astype(np.float32), y)
    assert short.objective_ == expected.objective_


def test_the_order_of_rows_does_not_matter(iris):
    X, y = iris
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = BranchesClassifier().fit(X.iloc[order], y.iloc[order])
    assert shuffled.to_svg() == BranchesClassifier().fit(X, y).to_svg()


def test_metadata_is_routed(iris):
    X, y = iris
    weights = np.where(y == 2, 5, 1)
    with sklearn.config_context(enable_metadata_routing=True):
        tree = BranchesClassifier(split_penalty=0.1)
        tree.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        search = GridSearchCV(tree, {"max_depth": [1]}, cv=2).fit(X, y, sample_weight=weights)
    direct = BranchesClassifier(split_penalty=0.1, max_depth=1).fit(X, y, sample_weight=weights)
    assert search.best_estimator_.to_svg() == direct.to_svg()
    assert search.best_estimator_.tree_.n_node_samples[0] == weights.sum()


def test_what_rows_pass(iris):
    X, y = iris
    tree = BranchesClassifier().fit(X, y)
    nodes = tree.apply(X)
    passed = tree.decision_path(X)
    assert passed.shape == (len(X), tree.tree_.node_count)
    assert np.array_equal(passed.sum(axis=1).A1 - 1, [tree.tree_.nodes[n].depth for n in nodes])
    assert np.all(passed[np.arange(len(X)), nodes] == 1) and np.all(passed[:, 0].toarray() == 1)
    assert np.array_equal(np.bincount(nodes, minlength=9)[nodes], tree.tree_.n_node_samples[nodes])
    assert tree.get_depth() == tree.tree_.max_depth
    assert tree.feature_importances_.sum() == pytest.approx(1)
    correct = (tree.predict(X) == y).mean()
    assert tree.objective_ == pytest.approx(
        correct - 0.01 * (tree.tree_.node_count - tree.get_n_leaves())
    )
