"""Long fits: limits, Ctrl-C, signals, threads, progress."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from branchwise import BranchesClassifier, BranchesClassifierCV

posix = pytest.mark.skipif(os.name == "nt", reason="signals of this kind are not on Windows")

TABLE = """
    import os, signal, sys, threading, time, warnings
    import numpy as np
    from branchwise import BranchesClassifier
    random = np.random.default_rng(0)
    X, y = random.integers(0, 2, (2000, 60)), random.integers(0, 2, 2000)
    tree = BranchesClassifier(split_penalty=0.0005)

    def interrupt(*delays):
        def send():
            for delay in delays:
                time.sleep(delay)
                global sent
                sent = time.monotonic()
                os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=send, daemon=True).start()
"""


def run(script: str, **options) -> subprocess.CompletedProcess:
    code = textwrap.dedent(TABLE) + textwrap.dedent(script)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options
    )


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ({"time_limit": 0.3}, "time"),
        ({"iteration_limit": 50}, "iterations"),
        ({"memory_limit": "3 MB", "engine": "paper"}, "memory"),
    ],
)
def test_limits_end_the_search_with_a_tree_and_its_gap(slow_table, limit, reason):
    tree = BranchesClassifier(split_penalty=0.0005, **limit)
    with pytest.warns(ConvergenceWarning, match=rf"stopped \({reason.rstrip('s')} limit\)"):
        tree.fit(*slow_table)
    assert (tree.is_optimal_, tree.stop_reason_) == (False, reason)
    assert tree.gap_ > 0 and tree.upper_bound_ == pytest.approx(tree.objective_ + tree.gap_)
    assert tree.trace_.shape[1] == 3
    assert tree.score(*slow_table) > 0.5


def test_time_limits_are_kept(slow_table):
    start = time.monotonic()
    with pytest.warns(ConvergenceWarning):
        BranchesClassifier(split_penalty=0.0005, time_limit=0.5).fit(*slow_table)
    assert time.monotonic() - start < 2.5


def test_a_time_limit_is_one_for_the_path_and_its_folds(slow_table):
    tree = BranchesClassifierCV(split_penalty=0.0005, folds=2, time_limit=0.6)
    start = time.monotonic()
    with pytest.warns(ConvergenceWarning, match="before two folds were tried"):
        tree.fit(*slow_table)
    assert time.monotonic() - start < 5
    assert tree.chosen_index_ == len(tree.path_) - 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"split_penalty": -0.1}, "at least 0 and less than 1"),
        ({"split_penalty": "much"}, "not a decimal number"),
        ({"price": "tree"}, "price: unknown variant"),
        ({"encoding": "two-hot"}, "encoding: unknown variant"),
        ({"engine": "slow"}, "engine: unknown variant"),
        ({"missing": "guess"}, "missing: unknown variant"),
        ({"max_depth": -1}, "max_depth is -1"),
        ({"min_samples_leaf": 0}, "min_samples_leaf"),
        ({"min_samples_leaf": 1.5}, "min_samples_leaf"),
        ({"max_leaf_nodes": 0}, "max_leaf_nodes"),
        ({"max_leaf_nodes": 3, "max_splits": 2}, "give one of the two"),
        ({"thresholds": 0}, "thresholds"),
        ({"max_categories": 1}, "max_categories"),
        ({"time_limit": float("nan")}, "time_limit"),
        ({"memory_limit": "much"}, "memory_limit: expected a size"),
        ({"memory_limit": -1}, "memory_limit"),
    ],
)
def test_wrong_parameters_are_refused_by_fit(parameters, message):
    tree = BranchesClassifier(**parameters)
    with pytest.raises(ValueError, match=message):
        tree.fit([[0], [1]], [0, 1])


@pytest.mark.parametrize(
    "parameters",
    [{"max_depth": 1.5}, {"time_limit": "1"}, {"memo_limit": 0.5}, {"split_penalty": None}],
)
def test_parameters_of_the_wrong_type_are_refused_by_fit(parameters):
    with pytest.raises(TypeError, match=next(iter(parameters))):
        BranchesClassifier(**parameters).fit([[0], [1]], [0, 1])


@posix
def test_ctrl_c_returns_the_best_tree():
    done = run("""
        interrupt(1.0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            tree.fit(X, y)
        took = time.monotonic() - sent
        print(took, tree.is_optimal_, tree.stop_reason_, tree.gap_ > 0, tree.score(X, y) > 0.5)
        print([warning.category.__name__ for warning in caught])
    """)
    took, *rest = done.stdout.split("\n")[0].split()
    assert rest == ["False", "interrupted", "True", "True"], done.stderr
    assert "ConvergenceWarning" in done.stdout
    assert float(took) < 0.2 * float(os.environ.get("BRANCHWISE_PATIENCE", "5"))


@posix
def test_the_second_ctrl_c_is_raised():
    # The last line takes its time, so that the second Ctrl-C comes before `fit` has returned.
    done = run("""
        import branchwise._estimator as module

        class Slow(module.LiveLine):
            def close(self, text):
                print("first")
                time.sleep(5)

        module.LiveLine = Slow
        tree.set_params(verbose=1)
        interrupt(1.0, 1.0)
        try:
            tree.fit(X, y)
        except KeyboardInterrupt:
            print("second")
    """)
    assert done.stdout.split() == ["first", "second"], done.stderr


@posix
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_inside_a_grid_search_ends_it(n_jobs):
    done = run(f"""
        from sklearn.model_selection import GridSearchCV
        search = GridSearchCV(tree, {{"split_penalty": [0.0005, 0.0004]}}, cv=2, n_jobs={n_jobs})
        interrupt(3.0)
        try:
            search.fit(X, y)
        except KeyboardInterrupt:
            print("raised", time.monotonic() - sent < 5)
        os._exit(0)
    """)
    assert "raised True" in done.stdout, done.stderr[-2000:]


@posix
def test_sigterm_ends_the_process_at_once():
    code = textwrap.dedent(TABLE) + 'print("go", flush=True)\ntree.fit(X, y)'
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "go\n"
    time.sleep(0.5)
    start = time.monotonic()
    process.terminate()
    assert process.wait(timeout=30) == -signal.SIGTERM
    assert time.monotonic() - start < 2


def test_other_threads_run_while_a_fit_does(slow_table):
    ticks = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.warns(ConvergenceWarning):
        BranchesClassifier(split_penalty=0.0005, time_limit=1).fit(*slow_table)
    stop.set()
    thread.join()
    assert len(ticks) > 20


def test_two_fits_at_once_give_the_same_trees():
    random = np.random.default_rng(3)
    X, y = random.integers(0, 3, (400, 8)), random.integers(0, 2, 400)
    alone = BranchesClassifier(encoding="multiway").fit(X, y)
    with ThreadPoolExecutor(2) as pool:
        fits = [pool.submit(BranchesClassifier(encoding="multiway").fit, X, y) for _ in range(4)]
        for fitted in fits:
            assert fitted.result().objective_ == alone.objective_
            assert fitted.result().to_svg() == alone.to_svg()


def test_threads_do_not_change_the_answer():
    random = np.random.default_rng(4)
    X, y = random.integers(0, 2, (300, 12)), random.integers(0, 2, 300)
    one = BranchesClassifier(split_penalty=0.005).fit(X, y)
    two = BranchesClassifier(split_penalty=0.005, n_jobs=2).fit(X, y)
    assert one.is_optimal_ and two.is_optimal_
    assert one.to_svg() == two.to_svg()


def test_verbose_tells_how_it_ended(capsys):
    BranchesClassifier(verbose=1).fit([[0], [1]] * 5, [0, 1] * 5)
    assert "Objective 0.990000, proven optimal" in capsys.readouterr().err


def test_callbacks_of_scikit_learn_are_told_and_can_stop(slow_table):
    pytest.importorskip("sklearn.callback", reason="scikit-learn has callbacks from 1.9 on")

    class Thrice:
        """Stops the search at its third look."""

        def __init__(self):
            self.looks, self.fits = 0, []

        def setup(self, estimator, context):
            self.fits.append("setup")

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context):
            if context.task_name == "fit":
                self.fits.append("end")
                return False
            self.looks += 1
            return self.looks == 3

        def teardown(self, estimator, context):
            self.fits.append("teardown")

    thrice = Thrice()
    tree = BranchesClassifier(split_penalty=0.0005).set_callbacks(thrice)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        tree.fit(*slow_table)
    assert thrice.looks == 3 and thrice.fits == ["setup", "end", "teardown"]


def test_a_warm_start_goes_on_from_the_earlier_tree(slow_table):
    tree = BranchesClassifier(split_penalty=0.0005, iteration_limit=300, warm_start=True)
    with pytest.warns(ConvergenceWarning):
        earlier = tree.fit(*slow_table).objective_
        tree.set_params(iteration_limit=1).fit(*slow_table)
        cold = BranchesClassifier(split_penalty=0.0005, iteration_limit=1).fit(*slow_table)
    assert tree.objective_ >= earlier > cold.objective_
    tree.fit([["a"], ["b"]] * 5, [0, 1] * 5)
    assert tree.score([["a"], ["b"]], [0, 1]) == 1
