"""What an experiment shows: a page of tables, figures and notes, declared by what each reads from the records.

A page is a list of parts. Each part turns records into blocks of markdown, between which there is an empty line.
A part may be a plain string, or a function from records to a string.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from harness import markdown, plots
from harness.job import Record

Found = dict[str, list[Any]]
"""What was measured, by the name of the sweep; `Record`s for all experiments that run jobs."""

Key = Callable[[Any], Hashable]


class Blocks(Protocol):
    """A part of a page that is more than a note."""

    def blocks(self, found: Found, out: Path) -> list[str]:
        """Its markdown; figures are drawn into the folder `out`."""


Part = str | Callable[[list[Any]], str] | Blocks


def everything(found: Found) -> list[Any]:
    """All that was measured, in the order in which it was."""
    return [one for sweep in found.values() for one in sweep]


def grouped(records: Iterable[Any], key: Key) -> dict[Any, list[Any]]:
    """Records by key, in the order of their first appearance."""
    groups: dict[Any, list[Any]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups


def by(key: Key) -> Callable[[Iterable[Any]], dict[Any, list[Any]]]:
    """Splits records by a key."""
    return lambda records: grouped(records, key)


def blocks(parts: Iterable[Part], found: Found, out: Path) -> list[str]:
    """The markdown of all parts; an empty note is left out."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif callable(part):
            texts += [text] if (text := part(everything(found))) else []
        else:
            texts += part.blocks(found, out)
    return texts


@dataclass(frozen=True)
class Column:
    """A column of a table: what it shows of the records of a row."""

    title: str
    cell: Callable[[list[Any]], object]


@dataclass(frozen=True)
class Table:
    """A table with a row for all records that have the same key, or for each record if there is no key."""

    columns: Sequence[Column] | Callable[[list[Any]], Sequence[Column]]
    row: Key = id
    where: Callable[[Any], object] = lambda _: True
    """Which records it shows."""

    def text(self, records: Iterable[Any]) -> str:
        """The table in markdown."""
        records = [record for record in records if self.where(record)]
        columns = self.columns(records) if callable(self.columns) else self.columns
        rows = [[column.cell(row) for column in columns] for row in grouped(records, self.row).values()]
        return markdown.table([column.title for column in columns], rows)

    def blocks(self, found: Found, _out: Path) -> list[str]:
        """The table."""
        return [self.text(everything(found))]


@dataclass(frozen=True)
class Figure:
    """A figure in a file of its own, and the link to it."""

    text: str
    file: str
    """May contain `{instance}`."""
    draw: Callable[[list[Any], Path], None]
    where: Callable[[list[Any]], object] = lambda _: True
    """Whether there is something to draw."""

    def blocks(self, found: Found, out: Path) -> list[str]:
        """The link, once the figure is drawn."""
        records = everything(found)
        if not self.where(records):
            return []
        file = self.file.format(instance=records[0].instance)
        self.draw(records, out / file)
        return [f"![{self.text}]({file})\n"]


def lines(series: Key, points: Callable[[list[Any]], Iterable[plots.Point]], axes: plots.Axes) -> Callable:
    """Draws a curve for each series, through the points that its records give."""
    return lambda records, path: plots.lines(
        {name: points(group) for name, group in grouped(records, series).items()}, path, axes
    )


def panels(split: Callable[[list[Any]], dict], curves: Callable[[list[Any]], dict], axes: plots.Axes) -> Callable:
    """Draws a panel for each group of records, with the curves that the group gives."""
    return lambda records, path: plots.panels(
        {name: curves(group) for name, group in split(records).items()}, path, axes
    )


@dataclass(frozen=True)
class Section:
    """Parts under a heading; left out if there are no records for it."""

    title: str
    parts: Sequence[Part]
    sweep: str
    """The sweep that it shows."""

    def blocks(self, found: Found, out: Path) -> list[str]:
        """The heading and the parts."""
        if not found.get(self.sweep):
            return []
        return [f"## {self.title}\n", *blocks(self.parts, {self.sweep: found[self.sweep]}, out)]


@dataclass(frozen=True)
class ForEach:
    """The same parts for each group of records, under a heading that is the name of the group."""

    split: Callable[[list[Any]], dict]
    parts: Sequence[Part]

    def blocks(self, found: Found, out: Path) -> list[str]:
        """Heading and parts, group by group."""
        texts = []
        for name, group in self.split(everything(found)).items():
            texts += [f"## {name}\n", *blocks(self.parts, {"": group}, out)]
        return texts


@dataclass(frozen=True)
class SameTree:
    """Runs that must come to the same tree, if they prove theirs; those with the key None are not compared."""

    key: Key
    note: Callable[[list[list[Record]]], str]
    """What is said of the groups of runs if they agree."""

    def differences(self, records: Iterable[Record]) -> list[str]:
        """A sentence for each group of runs that does not agree."""
        return [word for group in self._groups(records) for word in markdown.differences(group)]

    def blocks(self, found: Found, _out: Path) -> list[str]:
        """What differs, or the note."""
        records = everything(found)
        wrong = self.differences(records)
        return ["".join(f"**Different**: {word}\n\n" for word in wrong) or self.note(self._groups(records))]

    def _groups(self, records: Iterable[Record]) -> list[list[Record]]:
        return list(grouped((r for r in records if self.key(r) is not None), self.key).values())
