"""What the documents show is what happens."""

import runpy

import pytest
from conftest import ROOT


@pytest.mark.parametrize("document", ["README.md", "py-branchwise/README.md"])
def test_snippets_run(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    snippets = [part.split("```")[0] for part in text.split("```python\n")[1:]]
    assert snippets
    for snippet in snippets:
        exec(compile(snippet, document, "exec"), {})


def test_the_tutorial_runs(capsys):
    runpy.run_path(str(ROOT / "py-branchwise/examples/tutorial.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert "proven optimal: True" in said and "λ chosen" in said
