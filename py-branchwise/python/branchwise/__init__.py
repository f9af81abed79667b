"""Optimal sparse decision trees, as a scikit-learn classifier.

:class:`BranchesClassifier` finds the decision tree that maximises accuracy − λ · splits, and proves
that no other tree is better.

>>> from branchwise import BranchesClassifier, export_text
>>> weather = [["sunny", "calm"], ["sunny", "windy"], ["rainy", "calm"], ["rainy", "windy"]]
>>> tree = BranchesClassifier().fit(weather, ["out", "out", "out", "in"])
>>> tree.is_optimal_, tree.objective_
(True, 0.98)
>>> print(export_text(tree, feature_names=["sky", "air"]))
sky?                4 rows
├── rainy: air?     2 rows
│   ├── calm → out  1 row   100.0 %
│   └── windy → in  1 row   100.0 %
└── sunny → out     2 rows  100.0 %
"""

from branchwise._builtin import load_builtin
from branchwise._estimator import BranchesClassifier, PathPoint
from branchwise._export import export_graphviz, export_text
from branchwise._plot import plot_tree
from branchwise._tree import Tree
from branchwise._validated import BranchesClassifierCV

__all__ = [
    "BranchesClassifier",
    "BranchesClassifierCV",
    "PathPoint",
    "Tree",
    "export_graphviz",
    "export_text",
    "load_builtin",
    "plot_tree",
]
