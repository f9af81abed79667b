"""Scikit-learn's callbacks, where its version has them (from 1.9 on)."""

from __future__ import annotations

from typing import Any

__all__ = ["CallbackSupportMixin", "Told", "with_callbacks"]

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Earlier versions of scikit-learn have no callbacks."""

    def with_callbacks(method: Any) -> Any:
        """The method itself, as there are no callbacks."""
        return method


class Told:
    """The callbacks of a fit.

    The fit is their task; its subtasks are the intervals between two progress reports of the search,
    whose number is not known in advance. A callback that asks to stop at the end of a subtask ends the
    search.

    Parameters
    ----------
    estimator : estimator
        The estimator that is fitted.
    X, y : table and classes
        What it is fitted to.
    """

    def __init__(self, estimator: Any, X: Any, y: Any) -> None:
        self._estimator = estimator
        self._data = {"X": X, "y": y}
        self._context: Any = None
        if hasattr(estimator, "_init_callback_context"):
            self._context = estimator._init_callback_context(max_subtasks=None)
            self._context.call_on_fit_task_begin(estimator=estimator, **self._data)
        has_parent = hasattr(estimator, "_parent_callback_ctx")
        self.is_heard = has_parent or bool(getattr(estimator, "_skl_callbacks", []))

    def look(self) -> bool:
        """Report that the search goes on; returns whether it should stop."""
        part = self._context.subcontext(task_name="search")
        part.call_on_fit_task_begin(estimator=self._estimator)
        return bool(part.call_on_fit_task_end(estimator=self._estimator))

    def end(self) -> None:
        """Report that the fit has ended."""
        if self._context is not None:
            self._context.call_on_fit_task_end(estimator=self._estimator, **self._data)
