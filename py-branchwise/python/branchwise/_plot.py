"""The tree drawn by matplotlib: the same picture as `to_svg`, with the layout of the library."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from branchwise._estimator import BranchesClassifier
from branchwise._export import named

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The number of pixels of the picture per inch of the figure.
_PIXELS = 96
#: The size and the weight of letters in each style.
_LETTERS = {"name": (13, "bold"), "rows": (11, "normal"), "edge": (12, "normal")}


def plot_tree(
    classifier: BranchesClassifier,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    collapse: bool = False,
    fontsize: float | None = None,
    ax: Axes | None = None,
) -> list[Any]:
    """Draw the tree with matplotlib.

    Each box shows the question or the class, the number of rows, and a bar with the shares of the
    classes.

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
    fontsize : float, default=None
        The size of the largest letters in points; by default they fit their boxes.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; by default on a new figure of the right size.

    Returns
    -------
    artists : list
        The boxes, bars, lines and texts.
    """
    import matplotlib.pyplot as plt

    picture = json.loads(named(classifier, feature_names, class_names, collapse).picture())
    width, height = picture["width"], picture["height"]
    if ax is None:
        figure = plt.figure(figsize=(width / _PIXELS, height / _PIXELS))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    if fontsize is None:
        box = ax.get_window_extent()
        scale = min(box.width / width, box.height / height)
        fontsize = _LETTERS["name"][0] * scale * 72 / ax.figure.dpi
    pen = _Pen(ax, picture["light"], fontsize)
    return [artist for block in picture["blocks"] for artist in pen.block(block)]


class _Pen:
    """Draws the parts of a picture on the axes, in the picture's light colours."""

    def __init__(self, ax: Axes, theme: dict[str, Any], fontsize: float) -> None:
        self._ax = ax
        self._theme = theme
        self._fontsize = fontsize

    def block(self, block: dict[str, Any]) -> list[Any]:
        """Draw a node, and the edge that leads to it."""
        edge = block["edge"] or {"lines": [], "texts": []}
        tints = self._theme["tints"]
        fill, line = self._theme["split_fill"], self._theme["split_line"]
        if block["leaf"]:
            fill, line = tints[block["tint"]]["fill"], tints[block["tint"]]["line"]
        return [
            *[self._line(points) for points in edge["lines"]],
            *[self._text(text) for text in edge["texts"]],
            self._rectangle(block["area"], fill, line),
            *[self._rectangle(bar, tints[bar["tint"]]["line"], "none") for bar in block["bars"]],
            *[self._text(text) for text in block["texts"]],
        ]

    def _line(self, points: list[dict[str, float]]) -> Any:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        line = Path([(point["x"], point["y"]) for point in points])
        return self._ax.add_patch(PathPatch(line, fill=False, edgecolor=self._theme["line"]))

    def _rectangle(self, area: dict[str, float], fill: str, line: str) -> Any:
        from matplotlib.patches import Rectangle

        corner = (area["x"], area["y"])
        box = Rectangle(corner, area["width"], area["height"], facecolor=fill, edgecolor=line)
        return self._ax.add_patch(box)

    def _text(self, text: dict[str, Any]) -> Any:
        relative, weight = _LETTERS[text["style"]]
        size = self._fontsize * relative / _LETTERS["name"][0]
        style: dict[str, Any] = {"ha": "center", "va": "baseline", "size": size, "weight": weight}
        # A dollar sign is a dollar sign, not mathematics.
        return self._ax.text(text["x"], text["y"], text["text"], parse_math=False, **style)
