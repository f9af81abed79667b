"""A job, which is one solver on one table with λ and limits, and the record of its result."""

import json
from dataclasses import asdict, dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Job:
    """One solver on one table. `options` are those of the solver itself, such as a minimum support."""

    solver: str
    instance: str
    table: str
    penalty: str
    max_depth: int | None = None
    time_limit: float = 60.0
    memory_limit: int = 8 << 30
    core: int | None = None
    test: str | None = None
    """A table of held-out rows, on which accuracy is measured too."""
    options: dict[str, object] = field(default_factory=dict)

    def key(self) -> str:
        """Equal for jobs whose records can replace each other: all fields but files, core and memory limit."""
        fields = asdict(self)
        for left_out in ("table", "test", "core", "memory_limit"):
            del fields[left_out]
        return json.dumps(fields, sort_keys=True)


@dataclass(kw_only=True)
class Outcome:
    """The result of a solver. The harness counts splits and correct answers; times are wall-clock seconds.

    `status`: `optimal` (the solver reports a proof), `stopped` (by the time limit), `greedy` (no proof is
    intended), `memory`, `killed` (it ignored the time limit), `failed`.
    """

    status: str
    rows: int = 0
    distinct_rows: int | None = None
    """The number of rows with different features, as branchwise reports it."""
    correct: int | None = None
    splits: int | None = None
    depth: int | None = None
    test_rows: int | None = None
    test_correct: int | None = None
    seconds: float | None = None
    """Around the call of `fit`; for branchwise, encoding and search by its own clock."""
    search_seconds: float | None = None
    """The search alone, as the solver reports it."""
    process_seconds: float | None = None
    """The whole process: start, reading, fitting. For branchwise only."""
    cpu_seconds: float | None = None
    """Processor time of the call of `fit`; for branchwise, of the whole process."""
    peak_mb: float | None = None
    """Peak memory of the process; for all but branchwise it includes Python."""
    search_mb: float | None = None
    """Peak memory of the encoded table and the search, as branchwise reports it."""
    upper_bound: float | None = None
    iterations: int | None = None
    expansions: int | None = None
    """Of branchwise; with the engine `fast`, those beyond `iterations` built the tree after the proof."""
    evaluations: int | None = None
    complexity_bound: float | None = None
    tree: str | None = None
    """A fingerprint of branchwise's tree, equal for equal trees."""
    trace: list[list[float | None]] | None = None
    """Seconds, objective and proven bound, as the solver reported them during the search."""


@dataclass(kw_only=True)
class Record(Outcome):
    """An outcome together with its job and the conditions of the run."""

    job: dict[str, object]
    message: str = ""
    load: float | None = None
    """The machine's load average of the last minute when the run began."""
    times: list[float] = field(default_factory=list)
    """`seconds` of each repetition; `seconds` itself is the shortest."""

    @property
    def solver(self) -> str:
        """The name of the solver."""
        return str(self.job["solver"])

    @property
    def instance(self) -> str:
        """The name of the instance."""
        return str(self.job["instance"])

    def option(self, name: str) -> object:
        """One of the solver's own options, if the job has it."""
        return self.job.get("options", {}).get(name)

    @property
    def proven(self) -> bool:
        """Whether the solver reports that its tree is optimal."""
        return self.status == "optimal"

    @property
    def accuracy(self) -> float | None:
        """The share of rows that are classified correctly."""
        return None if self.correct is None else self.correct / self.rows

    @property
    def test_accuracy(self) -> float | None:
        """The accuracy on the held-out table."""
        return None if self.test_correct is None else self.test_correct / self.test_rows

    def own_time(self, clock: str) -> float | None:
        """`seconds` or `search_seconds`, without the time that other processes took of the core."""
        wall = getattr(self, clock)
        if wall is None or not self.seconds or self.cpu_seconds is None:
            return wall
        return wall * min(1.0, self.cpu_seconds / self.seconds)

    def objective(self) -> Fraction | None:
        """accuracy − λ · splits, exactly."""
        if self.correct is None or self.splits is None:
            return None
        return Fraction(self.correct, self.rows) - Fraction(str(self.job["penalty"])) * self.splits

    def key(self) -> str:
        """The key of the job that was run."""
        return Job(**self.job).key()

    def line(self) -> str:
        """One line of JSON, without empty fields."""
        fields = _filled(asdict(self))
        fields["job"] = _filled(self.job)
        if self.trace:
            fields["trace"] = [[None if x is None else float(f"{x:.6g}") for x in step] for step in self.trace]
        return json.dumps(fields, ensure_ascii=False)

    @staticmethod
    def parse(line: str) -> "Record":
        """Reads what `line` wrote."""
        return Record(**json.loads(line))


def _filled(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}
