"""Models that do not aim for the optimum: scikit-learn's trees, forests and boosting."""

from fractions import Fraction

import numpy as np

from harness import tables, trees
from harness.job import Job, Outcome
from harness.solvers import counting
from harness.solvers.peers import Clock
from harness.trees import Leaf, Split, Tree


def cart(job: Job) -> Outcome:
    """scikit-learn's tree, pruned with ccp_alpha = λ."""
    from sklearn.tree import DecisionTreeClassifier

    features, labels = tables.read(job.table)
    solver = DecisionTreeClassifier(ccp_alpha=float(job.penalty), max_depth=job.max_depth, random_state=0)
    with Clock() as clock:
        solver.fit(features, labels)
    return counting.of_tree(job, sklearn_tree(solver), status="greedy", **clock.times())


def cart_path(job: Job) -> Outcome:
    """The tree of its pruning path with the best objective on the training table."""
    from sklearn.tree import DecisionTreeClassifier

    features, labels = tables.read(job.table)
    settings = {"max_depth": job.max_depth, "random_state": 0}
    best: tuple[Fraction, Tree] | None = None
    with Clock() as clock:
        path = DecisionTreeClassifier(**settings).cost_complexity_pruning_path(features, labels)
        for alpha in np.unique(np.maximum(path.ccp_alphas, 0)):
            tree = sklearn_tree(DecisionTreeClassifier(ccp_alpha=alpha, **settings).fit(features, labels))
            right = trees.correct(tree, features, labels)
            value = Fraction(right, len(labels)) - Fraction(job.penalty) * trees.splits(tree)
            if best is None or value > best[0]:
                best = value, tree
    return counting.of_tree(job, best[1], status="greedy", **clock.times())


def forest(job: Job) -> Outcome:
    """A random forest of 100 trees; `splits` counts those of all trees."""
    from sklearn.ensemble import RandomForestClassifier

    features, labels = tables.read(job.table)
    solver = RandomForestClassifier(max_depth=job.max_depth, random_state=0, n_jobs=1)
    with Clock() as clock:
        solver.fit(features, labels)
    inner = sum(int((tree.tree_.children_left >= 0).sum()) for tree in solver.estimators_)
    return counting.of_answers(job, solver.predict, inner, status="greedy", **clock.times())


def boosted(job: Job) -> Outcome:
    """Gradient boosting over histograms; `splits` counts those of all trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    features, labels = tables.read(job.table)
    solver = HistGradientBoostingClassifier(max_depth=job.max_depth, random_state=0)
    with Clock() as clock:
        solver.fit(features, labels)
    leaves = [tree.get_n_leaf_nodes() for stage in solver._predictors for tree in stage]
    return counting.of_answers(job, solver.predict, sum(leaves) - len(leaves), status="greedy", **clock.times())


def sklearn_tree(solver: object) -> Tree:
    """A fitted tree of scikit-learn on 0/1 columns, where every threshold is ½."""
    arrays, classes = solver.tree_, solver.classes_

    def node(number: int) -> Tree:
        if arrays.children_left[number] < 0:
            return Leaf(int(classes[int(np.argmax(arrays.value[number][0]))]))
        no, yes = arrays.children_left[number], arrays.children_right[number]
        return Split(int(arrays.feature[number]), node(int(no)), node(int(yes)))

    return node(0)
