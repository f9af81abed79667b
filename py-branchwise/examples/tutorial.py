"""A tutorial: an optimal tree on a built-in table.

Run it with ``python tutorial.py``. Every claim in it is checked while it runs.
"""

# %% The table
# All 958 ends of a game of tic-tac-toe; the class is whether x has won. Columns are text, and stay
# so: there is nothing to encode.

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from branchwise import BranchesClassifier, export_text, load_builtin

game = load_builtin("tic-tac-toe")
X, y = game.data, game.target
print(f"{len(y)} rows, columns {', '.join(game.feature_names)}")

# %% Fit
# λ = 0.01: a split must bring one percent of accuracy to be worth reading.

tree = BranchesClassifier(split_penalty=0.01).fit(X, y)
print(f"objective {tree.objective_:.4f}, proven optimal: {tree.is_optimal_}")
assert tree.is_optimal_ and tree.gap_ == 0

# %% Look
# The tree speaks of the columns and values of the table. `plot_tree` draws the same with
# matplotlib, and in a notebook the classifier shows its own picture.

print(export_text(tree, feature_names=game.feature_names))

# %% Compare with a greedy tree
# A greedy tree with yes/no splits, as scikit-learn grows it, and pruned as well as its own pruning
# can, measured by the same objective. Ours with the same yes/no splits is at least as good, always.


def objective(pipeline, n_splits):
    """Accuracy less λ for each split."""
    return pipeline.score(X, y) - 0.01 * n_splits


best_greedy = -np.inf
one_hot = OneHotEncoder(sparse_output=False)
path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(one_hot.fit_transform(X), y)
for alpha in path.ccp_alphas:
    greedy = make_pipeline(
        OneHotEncoder(sparse_output=False),
        DecisionTreeClassifier(ccp_alpha=max(alpha, 0), random_state=0),
    ).fit(X, y)
    best_greedy = max(best_greedy, objective(greedy, greedy[-1].get_n_leaves() - 1))
yes_no = BranchesClassifier(split_penalty=0.01, encoding="one-hot").fit(X, y)
print(f"greedy {best_greedy:.4f}, optimal {yes_no.objective_:.4f}")
assert yes_no.is_optimal_ and yes_no.objective_ >= best_greedy

# %% Vary λ
# A smaller λ buys accuracy with splits. Each tree is the best of its price.

for split_penalty in (0.1, 0.05, 0.02, 0.01):
    tree = BranchesClassifier(split_penalty=split_penalty).fit(X, y)
    n_splits = tree.tree_.node_count - tree.get_n_leaves()
    print(f"λ = {split_penalty}: {n_splits} splits, accuracy {tree.score(X, y):.4f}")

# %% Choose λ
# On rows that the tree has not seen.

folds = StratifiedKFold(3, shuffle=True, random_state=0)
yes_no = BranchesClassifier(encoding="one-hot")
search = GridSearchCV(yes_no, {"split_penalty": [0.05, 0.02, 0.01]}, cv=folds)
search.fit(X, y)
print(f"λ chosen: {search.best_params_['split_penalty']}")

# %% Read the gap
# A search that is stopped early (by a limit, or by Ctrl-C) gives its best tree, and how much better
# another one could be at most.

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", ConvergenceWarning)
    hurried = BranchesClassifier(split_penalty=0.001, iteration_limit=100).fit(X, y)
print(caught[0].message)
assert not hurried.is_optimal_ and hurried.gap_ > 0
assert hurried.objective_ + hurried.gap_ == hurried.upper_bound_

# %% Keep it
# The model is a file that the program `branchwise` reads and writes as well.

again = BranchesClassifier.from_json(tree.to_json())
assert np.array_equal(again.predict(X), tree.predict(X))
