"""The tree as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sklearn.utils.validation import check_is_fitted

from branchwise import _core
from branchwise._estimator import BranchesClassifier


def export_text(
    classifier: BranchesClassifier,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    collapse: bool = False,
) -> str:
    """The tree as text with lines.

    Parameters
    ----------
    classifier : BranchesClassifier
        A fitted classifier.
    feature_names : sequence of str, default=None
        Names to show instead of those of the columns.
    class_names : sequence of str, default=None
        Names to show instead of those of the classes, in the order of ``classes_``.
    collapse : bool, default=False
        Merge equal sibling subtrees.

    Returns
    -------
    text : str
        A line for each node.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from branchwise import BranchesClassifier, export_text
    >>> iris = load_iris(as_frame=True)
    >>> tree = BranchesClassifier(max_depth=1, thresholds="all").fit(iris.data, iris.target)
    >>> print(export_text(tree, class_names=iris.target_names))
    petal length (cm) ≤ 2?  150 rows
    ├── yes → setosa         50 rows  100.0 %
    └── no → versicolor     100 rows   50.0 %
    """
    return named(classifier, feature_names, class_names, collapse).text()


def export_graphviz(
    classifier: BranchesClassifier,
    out_file: str | Path | None = None,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    collapse: bool = False,
) -> str | None:
    """The tree in the DOT language of Graphviz.

    Parameters
    ----------
    classifier : BranchesClassifier
        A fitted classifier.
    out_file : path, default=None
        The file to write; with None the text is returned.
    feature_names : sequence of str, default=None
        Names to show instead of those of the columns.
    class_names : sequence of str, default=None
        Names to show instead of those of the classes, in the order of ``classes_``.
    collapse : bool, default=False
        Merge equal sibling subtrees.

    Returns
    -------
    dot : str or None
        The text, unless it was written to a file.
    """
    dot = named(classifier, feature_names, class_names, collapse).dot()
    if out_file is None:
        return dot
    Path(out_file).write_text(dot, encoding="utf-8")
    return None


def named(
    classifier: BranchesClassifier,
    feature_names: Sequence[str] | None,
    class_names: Sequence[str] | None,
    collapse: bool,
) -> _core.Model:
    """The model with the user's names for columns and classes."""
    check_is_fitted(classifier)
    model: _core.Model = classifier.model_
    if feature_names is not None:
        model = model.with_column_names([str(name) for name in feature_names])
    if class_names is not None:
        if len(class_names) != len(classifier.classes_):
            raise ValueError(
                f"class_names has {len(class_names)} names for {len(classifier.classes_)} classes"
            )
        places = classifier.tree_.order
        names = dict(zip(places, map(str, class_names), strict=True))
        model = model.with_class_names([names[place] for place in range(len(names))])
    return model.collapse() if collapse else model
