"""The path of trees, and the classifier that chooses from it."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from branchwise import BranchesClassifier, BranchesClassifierCV, load_builtin


@pytest.mark.parametrize("name", ["monk1", "monk3", "balance-scale"])
def test_the_path_is_what_single_fits_find(name):
    table = load_builtin(name)
    X, y = table.data, table.target
    path = BranchesClassifier(split_penalty=0.01).path(X, y)
    assert path[0].until == 1
    assert all(above.from_ == below.until for above, below in pairwise(path))
    for point in path:
        assert point.from_ <= float(point.classifier.split_penalty) <= point.until
        fit = clone(point.classifier).fit(X, y)
        assert fit.is_optimal_ and point.classifier.is_optimal_
        assert fit.objective_ == point.classifier.objective_
        assert fit.get_n_leaves() == point.classifier.get_n_leaves()
        assert np.array_equal(fit.predict(X), point.classifier.predict(X))


def test_a_path_of_numbers_and_names():
    X, y = load_iris(return_X_y=True, as_frame=True)
    path = BranchesClassifier(split_penalty=0.005).path(X, y)
    largest = path[-1].classifier
    assert list(largest.feature_names_in_) == list(X.columns)
    assert largest.score(X, y) > 0.95
    assert pickle.loads(pickle.dumps(largest)).score(X, y) == largest.score(X, y)


def test_cross_validation_chooses():
    X, y = load_iris(return_X_y=True, as_frame=True)
    best = BranchesClassifierCV(split_penalty=0.003, rule="best").fit(X, y)
    careful = BranchesClassifierCV(split_penalty=0.003).fit(X, y)
    means = best.cv_results_["mean_test_score"]
    assert best.best_index_ == best.chosen_index_ == int(np.argmax(means))
    assert careful.chosen_index_ <= best.chosen_index_
    least = means.max() - best.cv_results_["standard_error_test_score"][best.best_index_]
    assert means[careful.chosen_index_] >= least
    assert (means[: careful.chosen_index_] < least).all()
    taken = careful.path_[careful.chosen_index_].classifier
    assert careful.split_penalty_ == taken.split_penalty
    assert np.array_equal(careful.predict(X), taken.predict(X))
    shuffled = np.random.default_rng(0).permutation(len(X))
    again = BranchesClassifierCV(split_penalty=0.003).fit(X.iloc[shuffled], y.iloc[shuffled])
    assert np.array_equal(again.cv_results_["mean_test_score"], careful.cv_results_["mean_test_score"])


def test_rules_and_folds_are_checked():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="rule is 'worst'"):
        BranchesClassifierCV(rule="worst").fit(X, y)
    with pytest.raises(ValueError, match="folds is 1"):
        BranchesClassifierCV(folds=1).fit(X, y)
    with pytest.raises(ValueError, match="n_samples=2"):
        BranchesClassifierCV().fit(X[49:51], y[49:51])


def test_a_page():
    robots = load_builtin("monk1")
    page = BranchesClassifier().fit(robots.data, robots.target).to_html(title="Robots & monks")
    assert page.startswith("<!DOCTYPE html>") and "Robots &amp; monks" in page
