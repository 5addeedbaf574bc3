"""Sweeps over parameters from Python: on the cores of this machine, or on a Dask cluster."""

from __future__ import annotations

import csv
import importlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import uuid
from typing import Any, Callable, Iterator, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _stiction, _sweep_worker

Path = Union[str, "os.PathLike[str]"]
Table = dict[str, npt.NDArray[Any]]
Progress = Callable[[int, int], None]


class SweepError(RuntimeError):
    """Jobs of a sweep have no result. Those that have one are kept: the same call goes on with the rest."""


def read_table(path: Path) -> Table:
    """The table of a sweep as arrays by column. Empty cells of numbers are nan.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "table.csv"
    ...     _ = path.write_text("job,mu,status,message,z\\n1,0.1,done,,0.5\\n2,0.2,failed,why,\\n")
    ...     table = read_table(path)
    >>> table["job"].tolist(), table["status"].tolist(), table["z"].tolist()
    ([1, 2], ['done', 'failed'], [0.5, nan])
    """
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return {name: _column(name, [row[i] for row in rows]) for i, name in enumerate(names)}


_number = re.compile(r"[-+]?(nan|inf|[0-9.]+(e[-+]?[0-9]+)?)", re.IGNORECASE)
_hash = re.compile(r"[0-9a-f]{16}")


def _column(name: str, cells: list[str]) -> npt.NDArray[Any]:
    if name == "job":
        return np.array(cells, dtype=np.int64)
    given = [cell for cell in cells if cell]
    hashes = bool(given) and all(_hash.fullmatch(cell) for cell in given)
    if name in ("status", "message") or hashes or not all(_number.fullmatch(cell) for cell in given):
        return np.array(cells, dtype=str)
    return np.array([float(cell) if cell else np.nan for cell in cells])


def find_program() -> str:
    """The program of this build or prefix where there is one, otherwise `stiction` on the path."""
    here = pathlib.Path(_stiction.__file__).resolve().parent
    # BUILD/python/stiction and BUILD/bin; PREFIX/lib/python3/dist-packages/stiction and PREFIX/bin.
    for up in (2, 4):
        if len(here.parents) > up - 1:
            beside = here.parents[up - 1] / "bin" / "stiction"
            if os.access(beside, os.X_OK) and beside.is_file():
                return str(beside)
    found = shutil.which("stiction")
    if found is None:
        raise _stiction.InputError("the program 'stiction' is neither beside the module nor on the path; give program=")
    return found


def _call(words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """The program's answer; its refusals are exceptions, and Ctrl-C ends it in its own way: what is done is kept."""
    try:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise _stiction.InputError(f"cannot start '{words[0]}': {error.strerror}") from None
    try:
        out, err = process.communicate()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    if process.returncode == 2:
        raise _stiction.InputError(err.strip().removeprefix("error: "))
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def _missing_jobs(program: str, file: str, out: str) -> dict[int, str]:
    """Jobs that have no result in `out` yet: their ids by their numbers."""
    listed = _call([program, "sweep", file, "--out", out, "--dry-run"])
    if listed.returncode != 0:
        raise SweepError(listed.stderr.strip().removeprefix("error: "))
    lines = listed.stdout.splitlines()[:-1]  # the last one counts them
    words = [line.split(maxsplit=2) for line in lines if not line.endswith(" (there)")]
    return {int(number): identity for number, identity, *_ in words}


def _blocks(jobs: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Jobs in a row, at most `most` of them, as pairs of first and last."""
    first: Optional[int] = None
    for i, job in enumerate(jobs):
        first = job if first is None else first
        if i + 1 == len(jobs) or jobs[i + 1] != job + 1 or job + 1 - first >= most:
            yield first, job
            first = None


class _Cluster:
    """The blocks of a sweep as tasks of a cluster. Rows are kept as they come."""

    def __init__(self, client: Any, program: str, file: str, rows: pathlib.Path, retries: int) -> None:
        self._client, self._program, self._file, self._rows, self._retries = client, program, file, rows, retries
        self._dask = importlib.import_module("distributed")
        # By value: workers need the program, not this package.
        importlib.import_module("cloudpickle").register_pickle_by_value(_sweep_worker)
        self._refused: set[str] = set()  # workers that can run none of it
        self._reasons: dict[str, set[str]] = {}  # why blocks failed, on which workers

    def run(self, jobs: dict[int, str], block: int, progress: Optional[Progress]) -> int:
        """Gives how many jobs have no row after all."""
        waiting = {self._submit(first, last): (first, last, 0) for first, last in _blocks(sorted(jobs), block)}
        tasks = self._dask.as_completed(list(waiting))
        done = lost = 0
        try:
            for task in tasks:
                first, last, tries = waiting.pop(task)
                missing = self._take(task, {n: jobs[n] for n in range(first, last + 1)})
                done += last - first + 1 - len(missing)
                if missing and (tries >= self._retries or not self._able()):
                    lost += len(missing)
                    continue
                for again in _blocks(missing, block):
                    task = self._submit(*again)
                    waiting[task] = (*again, tries + 1)
                    tasks.add(task)
                if progress:
                    progress(done, len(jobs))
        finally:
            self._client.cancel(list(waiting))
        return lost

    def _submit(self, first: int, last: int) -> Any:
        where = {"workers": self._able(), "allow_other_workers": True} if self._refused else {}
        return self._client.submit(
            _sweep_worker.run_block, self._program, self._file, first, last, pure=False, key=f"sweep-{first}-{uuid.uuid4().hex}", **where
        )

    def _able(self) -> list[str]:
        return [worker for worker in self._client.scheduler_info()["workers"] if worker not in self._refused]

    def _take(self, task: Any, jobs: dict[int, str]) -> list[int]:
        """Keeps the rows of a task that has ended; gives the jobs that it has no row of."""
        if task.status != "finished":  # its workers died too often, or cannot read what was sent
            error = task.exception() if task.status == "error" else f"the task was {task.status}"
            self._blame(f"{type(error).__name__}: {error}" if isinstance(error, Exception) else str(error))
            return sorted(jobs)
        worker, rows, message, refused = task.result()
        missing = [number for number, identity in jobs.items() if identity.encode() not in rows]
        if len(missing) < len(jobs):
            self._keep(rows)
        if not missing:
            return []
        if not message:
            message, refused = "the program there is another build, or files of the sweep differ from those here", True
        if refused:
            self._refused.add(worker)
        self._blame(message.removeprefix("error: "), worker if refused else "")
        return missing

    def _blame(self, reason: str, worker: str = "") -> None:
        self._reasons.setdefault(reason, set()).update({worker} - {""})

    def reasons(self) -> list[str]:
        """Why jobs are missing, each reason once."""
        texts = []
        for reason, workers in self._reasons.items():
            first, *others = sorted(workers) or [""]
            where = f"worker {first}" + (f" and {len(others)} more" if others else "") + ": " if first else ""
            texts.append(where + reason)
        return texts

    def _keep(self, rows: bytes) -> None:
        """Whole files alone bear the name that the program reads."""
        path = self._rows / f"dask-{uuid.uuid4().hex}.rows"
        part = path.with_suffix(".part")
        part.write_bytes(rows)
        part.rename(path)


def _run_on_cluster(client: Any, words: tuple[str, str, str], block: int, retries: int, progress: Optional[Progress]) -> list[str]:
    program, file, out = words
    jobs = _missing_jobs(program, file, out)
    rows = pathlib.Path(out) / "rows"
    try:
        rows.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _stiction.InputError(f"cannot make the folder '{rows}': {error.strerror}") from None
    cluster = _Cluster(client, program, file, rows, retries)
    return cluster.reasons() if cluster.run(jobs, block, progress) else []


def sweep(
    file: Path,
    client: Any = None,
    *,
    out: Optional[Path] = None,
    program: Optional[Path] = None,
    workers: int = 0,
    block: int = 25,
    retries: int = 20,
    progress: Optional[Progress] = None,
) -> Table:
    """Runs what is missing of a sweep (`stiction sweep FILE`) and gives its table, with the same bytes wherever it ran.

    Without `client` on the cores of this machine (`workers` of them). With the client of a Dask cluster in blocks of `block`
    jobs as its tasks; workers need the program and the files of the sweep under the same paths, and send their rows back. A
    worker that dies costs its block, which others run again, at most `retries` times. One that lacks a file is passed over;
    where no other is left, SweepError says what it lacks. `progress(done, all)` is called after every block.

    Results are in the folder `out` (NAME.sweep here where it is not given); bad files are InputError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "masses.yaml"
    ...     _ = path.write_text("version: 1\\nscene: stack\\nsteps: 5\\nparameters: {boxes: [1, 2, 3]}\\nkeep: [contacts.max]\\n")
    ...     table = sweep(path, out=pathlib.Path(folder) / "results")
    >>> table["boxes"].tolist(), table["contacts.max"].tolist()
    ([1.0, 2.0, 3.0], [4.0, 8.0, 12.0])
    """
    if block < 1:
        raise _stiction.InputError(f"block {block}: expected at least 1 job")
    chosen = find_program() if program is None else os.fspath(program)
    name = os.fspath(file)
    folder = os.fspath(out) if out is not None else pathlib.Path(name).stem + ".sweep"
    reasons: list[str] = []
    words = [chosen, "sweep", name, "--out", folder, "--quiet"]
    if client is not None:
        if os.path.exists(name):
            name = words[2] = os.path.abspath(name)
        reasons = _run_on_cluster(client, (chosen, name, folder), block, retries, progress)
        words.append("--table")
    elif workers:
        words += ["--workers", str(workers)]
    made = _call(words)
    if made.returncode != 0:
        raise SweepError("; ".join([made.stderr.strip().removeprefix("error: "), *reasons]))
    return read_table(os.path.join(folder, "table.csv"))
