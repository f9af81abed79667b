"""The tree drawn by matplotlib: the picture of `to_svg`, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from branchwise._estimator import BranchesClassifier
from branchwise._export import named

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: So many pixels of the picture are an inch of a figure of its own.
_PIXELS = 96
#: The size of letters by what they are for, and their weight.
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

    A box holds the question or the class, the number of rows, and a bar with the classes' shares.

    Parameters
    ----------
    classifier : BranchesClassifier
        A fitted classifier.
    feature_names : sequence of str, default=None
        What to call the columns, instead of their own names.
    class_names : sequence of str, default=None
        What to call the classes, in the order of ``classes_``.
    collapse : bool, default=False
        Share equal sibling subtrees.
    fontsize : float, default=None
        The size of the largest letters, in points; without it they fit their boxes.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; without it, on a figure of the right size.

    Returns
    -------
    artists : list
        The boxes, bars, lines and texts.
    """
    import matplotlib.pyplot as plt

    picture = named(classifier, feature_names, class_names, collapse).svg()
    root = ElementTree.fromstring(picture)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
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
    colours = _colours(picture)
    artists = []
    for piece in root.iter():
        drawn = _draw(ax, piece, colours, fontsize)
        if drawn is not None:
            artists.append(drawn)
    return artists


def _draw(ax: Axes, piece: Any, colours: dict[str, dict[str, str]], fontsize: float) -> Any:
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    kind = piece.tag.rpartition("}")[2]
    role = piece.attrib.get("class", "")
    colour = colours.get(role, {})
    if kind == "path":
        numbers = re.findall(r"([ML])([\d.]+) ([\d.]+)", piece.attrib["d"])
        points = [(float(x), float(y)) for _, x, y in numbers]
        codes = [Path.MOVETO if letter == "M" else Path.LINETO for letter, _, _ in numbers]
        line = PathPatch(Path(points, codes), fill=False, edgecolor=colour["stroke"])
        return ax.add_patch(line)
    if kind == "rect" and role != "paper":
        x, y, width, height = (float(piece.attrib[key]) for key in ("x", "y", "width", "height"))
        edge = colour.get("stroke", "none")
        return ax.add_patch(Rectangle((x, y), width, height, facecolor=colour["fill"], edgecolor=edge))
    if kind == "text":
        relative, weight = _LETTERS[role]
        size = fontsize * relative / _LETTERS["name"][0]
        x, y = float(piece.attrib["x"]), float(piece.attrib["y"])
        style: dict[str, Any] = {"ha": "center", "va": "baseline", "size": size, "weight": weight}
        # A dollar sign is a dollar sign, not mathematics.
        return ax.text(x, y, piece.text or "", parse_math=False, **style)
    return None


def _colours(picture: str) -> dict[str, dict[str, str]]:
    """Filling and line of each class of the picture's style, by day."""
    style = picture[picture.index("<style>") : picture.index("@media")]
    rules = re.findall(r"\.branchwise \.(\w+)\{([^}]*)\}", style)
    return {
        name: dict(part.split(":", 1) for part in rule.split(";") if ":" in part)
        for name, rule in rules
    }
