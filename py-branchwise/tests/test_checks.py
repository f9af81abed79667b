"""Scikit-learn's own checks, all of them, with none expected to fail."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from branchwise import BranchesClassifier, BranchesClassifierCV

ESTIMATORS = [
    BranchesClassifier(),
    BranchesClassifier(split_penalty=0.001, max_depth=3, thresholds=3, class_weight="balanced"),
    BranchesClassifier(missing="refuse", max_leaf_nodes=8),
    BranchesClassifierCV(split_penalty=0.05, folds=3, thresholds=3),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_no_check_is_left_out(request: pytest.FixtureRequest):
    passed = sum(1 for _ in estimator_checks_generator(BranchesClassifier()))
    print(f"\n{passed} checks of scikit-learn for each of {len(ESTIMATORS)} classifiers")
    assert passed > 50
