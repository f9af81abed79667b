"""The solvers by name. Each fits a table within the limits of a job and returns an `Outcome`."""

from collections.abc import Callable

from harness.job import Job, Outcome
from harness.solvers import branchwise, greedy, peers

SOLVERS: dict[str, Callable[[Job], Outcome]] = {
    "branchwise": branchwise.fit,
    "branchwise-paper": branchwise.fit_paper,
    "streed": peers.streed,
    "streed-plain": peers.streed_plain,
    "gosdt": peers.gosdt,
    "dl85": peers.dl85,
    "cart": greedy.cart,
    "cart-path": greedy.cart_path,
    "forest": greedy.forest,
    "boosted": greedy.boosted,
}
"""`cart` is scikit-learn's tree with ccp_alpha = λ, `cart-path` the best of its pruning path."""

MULTIWAY = {"branchwise", "branchwise-paper"}
"""Solvers that take columns with more than two values as they are."""

EXACT_PEERS = ("streed", "gosdt")
"""Solvers that maximise the same objective and prove that their tree is optimal."""
