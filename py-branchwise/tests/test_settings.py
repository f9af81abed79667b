"""No setting is lost between Python, the library and model files."""

import json

import numpy as np
import pytest

from branchwise import BranchesClassifier, BranchesClassifierCV, _core, load_builtin
from branchwise._settings import settings_of

UNUSUAL = {
    "split_penalty": "0.02",
    "price": "leaf",
    "max_depth": 3,
    "min_samples_leaf": 0.02,
    "max_leaf_nodes": 6,
    "encoding": "one-hot",
    "thresholds": "all",
    "max_categories": 3,
    "missing": "drop",
    "class_weight": {"x won": 2.0, "x did not win": 0.5},
    "costs": [[0.0, 1.0], [2.5, 0.0]],
    "first_column": 4,
    "time_limit": 60.0,
    "iteration_limit": 100_000,
    "memory_limit": 2**30,
    "memo_limit": 2**20,
    "n_jobs": 2,
    "engine": "paper",
}
#: Parameters that are no settings of the library.
ONLY_PYTHON = {"categorical_features", "warm_start", "verbose"}


def names(settings):
    """All settings; those of groups with the name of the group."""
    for name, value in settings.items():
        if name in ("constraints", "limits"):
            yield from (f"{name}.{inner}" for inner in value)
        else:
            yield name


def test_every_setting_is_handed_over():
    classifier = BranchesClassifier()
    classifier.classes_ = np.array(["no", "yes"])
    given = json.loads(settings_of(classifier, ["no", "yes"]))
    known = json.loads(_core.default_settings())
    assert set(names(given)) == set(names(known))


@pytest.mark.parametrize(
    "changed", [{}, {"max_leaf_nodes": None, "max_splits": 2, "min_samples_leaf": 9}]
)
def test_every_parameter_comes_back_from_a_model(changed):
    wanted = {"max_splits": None, **UNUSUAL, **changed}
    assert set(wanted) | ONLY_PYTHON == set(BranchesClassifier().get_params())
    tiles = load_builtin("tic-tac-toe")
    fitted = BranchesClassifier(**wanted).fit(tiles.data, tiles.target)
    again = BranchesClassifier.from_json(fitted.to_json()).get_params()
    # The number of threads changes no answer, and a model does not depend on it.
    wanted["n_jobs"] = None
    assert {name: again[name] for name in wanted} == wanted


def test_cross_validation_takes_every_parameter():
    plain, validated = BranchesClassifier().get_params(), BranchesClassifierCV().get_params()
    assert validated == {**plain, "folds": 5, "rule": "one-standard-error", "random_state": 0}


def test_a_share_of_rows_is_rounded_exactly():
    X, y = np.arange(100), np.arange(100) < 7
    tree = BranchesClassifier(0, min_samples_leaf=0.07, thresholds="all").fit(X.reshape(-1, 1), y)
    assert min(tree.tree_.n_node_samples) == 7
