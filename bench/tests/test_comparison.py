"""The tables that compare the instructions of two programs."""

import shutil

import pytest

from harness import callgrind, comparison, families, paper
from harness.comparison import Count, Pair


def pair(after: dict[str, int], answer: tuple[object, ...] = (0.9, 3, 10)) -> Pair:
    """A case with 1,000 instructions before."""
    before = Count({"search": 600, "read": 400}, 1000, (0.9, 3, 10))
    return Pair("lymph", "fast", before, Count(after, sum(after.values()), answer))


def test_totals_have_a_ratio_and_tell_whether_the_answer_is_the_same() -> None:
    same, other = pair({"search": 500, "read": 400}), pair({"search": 1600, "read": 400}, (0.8, 3, 10))
    assert comparison.totals([same, other], ["a", "b"]).splitlines() == [
        "| case | engine | a | b | ratio | same answer |",
        "|---|---|---|---|---|---|",
        "| lymph | fast | 1,000 | 900 | 0.9000 | yes |",
        "| lymph | fast | 1,000 | 2,000 | 2.0000 | **no** |",
    ]


def test_functions_are_listed_by_how_much_they_changed() -> None:
    table = comparison.changed_functions([pair({"search": 610, "merge": 300, "read": 400})], 2)
    assert table.splitlines()[2:] == ["| lymph | fast | `merge` | +300 |", "| lymph | fast | `search` | +10 |"]


def test_cases_have_names_of_their_own_and_known_tables() -> None:
    assert len(set(comparison.NAMES)) == len(comparison.CASES)
    assert {case.instance for case in comparison.CASES} <= {None, *paper.BY_NAME, *families.BY_NAME}


def test_callgrinds_listing_is_read() -> None:
    listing = "1,234,567 (100.0%)  PROGRAM TOTALS\n  1,000 (12.3%)  ???:a::b::h0123456789abcdef [/x/y]\n  34  ???:c\n"
    assert callgrind.parse(listing) == {callgrind.TOTAL: 1_234_567, "a::b": 1000, "c": 34}


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_a_program_that_fails_is_not_counted() -> None:
    with pytest.raises(RuntimeError, match="callgrind"):
        callgrind.count(["false"])
