"""What leaves Python: text, pictures, other languages, and the program's own file."""

import json
import pickle
import subprocess
from xml.etree import ElementTree

import duckdb
import matplotlib
import numpy as np
import onnxruntime
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from branchwise import BranchesClassifier, export_graphviz, export_text, plot_tree

matplotlib.use("agg")


@pytest.fixture(scope="module")
def clinic() -> tuple[pd.DataFrame, pd.Series]:
    random = np.random.default_rng(5)
    n = 400
    frame = pd.DataFrame(
        {
            "wait": random.integers(0, 60, n),
            "distance": np.round(random.exponential(5, n), 2),
            "town": random.choice(["Ashford", "Brook", "Cliff"], n),
            "reminder": random.choice(["yes", "no"], n),
            "booked": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 200, n), "D"),
        }
    )
    frame.loc[::19, "distance"] = np.nan
    frame.loc[::31, "town"] = None
    missed = (frame["wait"] > 20) & (frame["reminder"] == "no") | (frame["distance"] > 12)
    return frame, missed.map({True: "missed", False: "came"})


@pytest.fixture(scope="module")
def tree(clinic) -> BranchesClassifier:
    return BranchesClassifier().fit(*clinic)


def test_text_and_graphviz(tree, tmp_path):
    text = export_text(tree)
    assert "reminder?" in text and text.count("→") == tree.get_n_leaves()
    renamed = export_text(tree, feature_names=list("abcde"), class_names=["C", "M"])
    assert "d?" in renamed and "→ C" in renamed
    with pytest.raises(ValueError, match="1 name given for 5 columns"):
        export_text(tree, feature_names=["a"])
    with pytest.raises(ValueError, match="class_names has 1 names for 2 classes"):
        export_text(tree, class_names=["a"])
    dot = export_graphviz(tree)
    assert dot.startswith("digraph")
    assert export_graphviz(tree, tmp_path / "tree.dot") is None
    assert (tmp_path / "tree.dot").read_text(encoding="utf-8") == dot


def test_svg_and_the_notebook(tree):
    root = ElementTree.fromstring(tree.to_svg())
    assert root.tag.endswith("svg")
    page = tree._repr_mimebundle_()["text/html"]
    assert "sk-container" in page and tree.to_svg() in page
    assert 'class="branchwise"' not in BranchesClassifier()._repr_mimebundle_()["text/html"]


def test_plot_tree_draws_every_node(tree):
    import matplotlib.pyplot as plt

    artists = plot_tree(tree)
    texts = [artist.get_text() for artist in artists if hasattr(artist, "get_text")]
    assert "400 rows" in texts and texts.count("yes") + texts.count("no") >= 2
    assert sum("%" in text for text in texts) == tree.get_n_leaves()
    figure, ax = plt.subplots()
    plot_tree(tree, ax=ax, fontsize=6, class_names=["C$1$", "M"])
    assert "C$1$" in [text.get_text() for text in ax.texts]
    figure.canvas.draw()
    plt.close("all")


def test_sql_answers_alike(tree, clinic):
    frame, _ = clinic
    connection = duckdb.connect()
    connection.register("patients", frame)
    answers = connection.execute(tree.to_sql("patients")).df()
    assert list(answers.iloc[:, -1]) == list(tree.predict(frame))


def test_python_answers_alike(tree, clinic):
    frame, _ = clinic
    module: dict = {}
    exec(tree.to_python(), module)
    assert "fn predict" in tree.to_rust()
    rows = frame.astype(object).where(frame.notna(), None)
    rows["booked"] = frame["booked"].dt.strftime("%Y-%m-%d")
    answers = [module["predict"](row) for row in rows.to_dict("records")]
    assert answers == list(tree.predict(frame))


def test_onnx_answers_alike():
    X, y = load_iris(return_X_y=True, as_frame=True)
    tree = BranchesClassifier(split_penalty=0.02).fit(X, y)
    session = onnxruntime.InferenceSession(tree.to_onnx())
    fed = {name: X[[name]].to_numpy() for name in X.columns}
    wanted = {
        given.name: fed[given.name].astype(
            {"tensor(double)": np.float64, "tensor(float)": np.float32}.get(given.type, object)
        )
        for given in session.get_inputs()
    }
    labels = session.run(None, wanted)[0]
    assert [str(label) for label in np.ravel(labels)] == [str(label) for label in tree.predict(X)]


def test_json_is_the_programs_file(tree, clinic, program, tmp_path):
    frame, y = clinic
    table = tmp_path / "patients.csv"
    frame.assign(outcome=y).to_csv(table, index=False)
    (tmp_path / "python.json").write_text(tree.to_json(), encoding="utf-8")

    def run(*words) -> str:
        command = [program, *map(str, words)]
        done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
        return done.stdout

    # Fitted in Python, applied by the program.
    assert run("predict", tmp_path / "python.json", table).split() == list(tree.predict(frame))
    # Fitted by the program, applied in Python.
    run("fit", table, "--out", tmp_path / "program.json", "--quiet")
    loaded = BranchesClassifier.from_json((tmp_path / "program.json").read_text(encoding="utf-8"))
    assert loaded.objective_ == tree.objective_ and loaded.is_optimal_
    assert list(loaded.predict(frame)) == run("predict", tmp_path / "program.json", table).split()
    assert np.array_equal(loaded.predict_proba(frame), tree.predict_proba(frame))


@pytest.mark.parametrize("labels", [[0, 1, 10], [0.5, 1.0, 2.5], [False, True, True], ["b", "a", "c"]])
def test_a_model_comes_back_from_its_file(labels):
    y = (
        np.array([str(label) for label in labels], dtype=object)
        if isinstance(labels[0], float)
        else labels
    )
    tree = BranchesClassifier(split_penalty="0.001", max_depth=3).fit([[0], [1], [2]], y)
    loaded = BranchesClassifier.from_json(tree.to_json())
    assert np.array_equal(loaded.classes_, np.unique(labels))
    assert loaded.get_params()["max_depth"] == 3 and loaded.get_params()["split_penalty"] == "0.001"
    assert np.array_equal(loaded.predict([[0], [1], [2]]), labels)
    assert json.loads(loaded.to_json()) == json.loads(tree.to_json())
    again = pickle.loads(pickle.dumps(loaded))
    assert np.array_equal(again.predict([[0], [1], [2]]), labels)
    with pytest.raises(ValueError, match="not a branchwise model"):
        BranchesClassifier.from_json("{}")
