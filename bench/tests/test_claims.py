"""The documents say what the records say, and link to files that exist."""

import re
from pathlib import Path

import pytest

from harness import claims, environment
from harness.job import Record

PAGES = claims.documents()


def name(path: Path) -> str:
    """A page as it is called in the repository."""
    return str(path.relative_to(environment.ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_to_records_lead_to_files(page: Path) -> None:
    for date, file in claims.LINK.findall(page.read_text()):
        assert (environment.BENCH / "runs" / date / file).exists(), f"runs/{date}/{file}"
    for target in re.findall(r"\]\(([^)#:]*\bbench/[^)#]*)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_documents_are_what_the_records_say(page: Path) -> None:
    text = page.read_text()
    assert claims.written(page, text, claims.Runs()) == text, "run bench/readme.py"


def test_sections_have_their_places() -> None:
    pages = [page for page in PAGES if claims.START in page.read_text()]
    assert [name(page) for page in pages] == ["README.md", "DESIGN.md"]


def made(folder: Path, name: str, records: list[Record]) -> None:
    """Records of a day."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text("# title\n\n`command`\n\na machine\n\n")
    (folder / f"{name}.jsonl").write_text("".join(record.line() + "\n" for record in records))


def record(solver: str, instance: str, seconds: float, penalty: str = "0.01", **rest: object) -> Record:
    """A proof on a hundred rows, unless `rest` says otherwise."""
    options = rest.pop("options", {})
    job = {"solver": solver, "instance": instance, "table": "x.txt", "penalty": penalty, "time_limit": 60.0}
    fields = {"status": "optimal", "rows": 100, "correct": 90, "splits": 2, "search_seconds": seconds, **rest}
    return Record(job={**job, "options": options}, seconds=seconds, cpu_seconds=seconds, peak_mb=7.0, **fields)


def test_links_lead_to_the_newest_folder_that_has_the_file(tmp_path: Path) -> None:
    for date, file in (("2026-01-01", "a.md"), ("2026-01-02", "a.md"), ("2026-01-01", "b.md")):
        (tmp_path / date).mkdir(exist_ok=True)
        (tmp_path / date / file).touch()
    text = "[a](bench/runs/2026-01-01/a.md), [b](../bench/runs/2025-01-01/b.md), `runs/2025-01-01/c.md`."
    expected = "[a](bench/runs/2026-01-02/a.md), [b](../bench/runs/2026-01-01/b.md), `runs/2025-01-01/c.md`."
    assert claims.written(Path("x.md"), text, claims.Runs(tmp_path)) == expected


def test_the_readme_tells_all_that_is_recorded(tmp_path: Path) -> None:
    day = tmp_path / "2026-01-01"
    ours, theirs = record("branchwise", "lymph", 0.5), record("streed", "lymph", 50.0)
    made(day, "paper", [ours, record("branchwise-paper", "lymph", 60.0, status="stopped"), theirs])
    alone = claims.how_fast(claims.Runs(tmp_path))
    assert "all 1 proven optimal in 0.5 s" in alone and "| 1 | 1 | – | 100; slower on none of 1 |" in alone
    assert "Two threads" not in alone and "a machine" in alone
    noisy = record("branchwise", "coins-500x40-s1", 60.0, "0.005", status="stopped", upper_bound=0.9)
    made(day, "hard", [record("branchwise", "lymph", 3.21, "0.001"), noisy])
    made(day, "threads", [record("branchwise", "lymph", 3.0 / n, options={"threads": n}) for n in (1, 2)])
    small = record("branchwise", "lymph", 4.0, options={"memo_limit": 1 << 20})
    bound = {"status": "stopped", "upper_bound": 0.95}
    tight = record("branchwise", "coins-1000x60-s1", 30.0, "0.002", options={"memory_limit": 8 << 20}, **bound)
    made(day, "limits", [ours, small, tight])
    made(day, "wide", [record("branchwise", "wide-100000x500", 60.0, **bound)])
    text = claims.how_fast(claims.Runs(tmp_path))
    for words in (
        "all 1 tables of the paper at λ = 0.001 are proven, the slowest (lymph) in 3.2 s",
        "0 of 1 noisy tables at λ = 0.005 are proven, and where there is no proof the gap is at most 0.010",
        "2.0 times as fast as one",
        "lymph has the same tree in 4 s instead of 0.5 s",
        "of 0.896 with the bound 0.950 in 8 MiB",
        "100,000 rows of 500 columns are read, and searched for 60 s, in 7 MB",
        "[figures](bench/runs/2026-01-01/wide.md)",
    ):
        assert words in text, words


def test_the_same_tree_is_only_claimed_where_it_is_the_same(tmp_path: Path) -> None:
    day = tmp_path / "2026-01-01"
    made(day, "paper", [record("branchwise", "lymph", 0.5), record("streed", "lymph", 50.0)])
    pair = [record("branchwise", "lymph", 1.0, tree=str(n), options={"threads": n}) for n in (1, 2)]
    made(day, "threads", pair)
    memo = [record("branchwise", "lymph", 1.0, tree="a")]
    memo += [record("branchwise", "lymph", 4.0, tree="b", options={"memo_limit": 1 << 20})]
    made(day, "limits", memo)
    assert "the same tree" not in claims.how_fast(claims.Runs(tmp_path))


def test_a_peer_that_is_faster_is_named(tmp_path: Path) -> None:
    made(tmp_path / "2026-01-01", "paper", [record("branchwise", "lymph", 2.0), record("streed", "lymph", 1.0)])
    assert "0.5; slower on 1 of 1, by up to 2.0 times" in claims.how_fast(claims.Runs(tmp_path))


def test_leaves_are_told_without_the_other_limits(tmp_path: Path) -> None:
    assert "limits --full" in claims.few_leaves(claims.Runs(tmp_path))
    runs = [record("branchwise", "balance", 1.0), record("branchwise", "lymph", 2.0, options={"memo_limit": 5})]
    runs += [record("branchwise", "lymph", 1.0), record("branchwise", "lymph", 3.0, options={"max_leaves": 8})]
    made(tmp_path / "2026-01-01", "limits", runs)
    text = claims.few_leaves(claims.Runs(tmp_path))
    assert "| lymph | 0.01 | 1.00 / 2 | 3.00 / 2 |  |" in text and "balance" not in text
