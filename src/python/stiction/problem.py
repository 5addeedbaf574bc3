"""Coulomb cone problems: u = W r + q, three numbers (normal, two tangents) per contact."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Iterable, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _stiction

Floats = npt.NDArray[np.float64]
cone_solvers: tuple[str, ...] = _stiction.cone_solvers


@dataclasses.dataclass(frozen=True)
class Answer:
    """Impulses, velocities and how good they are: both residuals of the Coulomb law are 0 at a solution."""

    r: Floats
    u: Floats
    status: str
    iterations: int
    natural: float
    scaled: float
    seconds: float
    solver: str

    @property
    def residual(self) -> float:
        return max(self.natural, self.scaled)


@dataclasses.dataclass(frozen=True)
class Problem:
    """W (scipy.sparse.bsr_matrix of 3 x 3 blocks), q, mu.

    A sphere of 1 kg that presses with 1 N s and slides on a floor with friction 0.5:

    >>> import numpy
    >>> problem = Problem.make(numpy.eye(3), [-1, 2, 0], [0.5])
    >>> problem.solve("prox_newton").r.round(6)
    array([ 1. , -0.5,  0. ])
    """

    W: Any
    q: Floats
    mu: Floats

    @staticmethod
    def make(W: Any, q: npt.ArrayLike, mu: npt.ArrayLike) -> Problem:
        """From a dense or sparse matrix."""
        import scipy.sparse

        matrix = W if scipy.sparse.issparse(W) else np.asarray(W, dtype=float)
        if matrix.ndim != 2 or matrix.shape[0] % 3 or matrix.shape[1] % 3:
            raise _stiction.InputError("problem: W must be square, with three rows per contact")
        blocks = scipy.sparse.bsr_matrix(matrix, blocksize=(3, 3), dtype=float)
        blocks.sum_duplicates()
        return Problem(blocks, np.asarray(q, dtype=float), np.asarray(mu, dtype=float))

    @staticmethod
    def from_arrays(
        indptr: npt.NDArray[np.int32], indices: npt.NDArray[np.int32], blocks: Floats, q: Floats, mu: Floats
    ) -> Problem:
        """From rows of 3 x 3 blocks."""
        import scipy.sparse

        n = 3 * len(mu)
        return Problem(scipy.sparse.bsr_matrix((blocks, indices, indptr), shape=(n, n)), q, mu)

    def _arrays(self) -> tuple[list[int], list[int], Floats, Floats, Floats]:
        return self.W.indptr.tolist(), self.W.indices.tolist(), self.W.data, self.q, self.mu

    def solve(
        self,
        solver: str = "prox_newton",
        *,
        tolerance: float = 1e-8,
        max_iterations: int = 0,
        time_budget: float = 0,
        guess: Optional[npt.ArrayLike] = None,
    ) -> Answer:
        """By one of `cone_solvers`. A tolerance is on both residuals; 0 iterations: the solver's own limit."""
        start = np.zeros(0) if guess is None else np.asarray(guess, dtype=float)
        answer = _stiction.solve(*self._arrays(), solver, tolerance, max_iterations, time_budget, start)
        return Answer(solver=solver, **answer)

    def residual(self, r: npt.ArrayLike) -> tuple[float, float]:
        """Natural and scaled residual of any impulses."""
        return _stiction.residual(*self._arrays(), np.asarray(r, dtype=float))

    def quality(self, r: npt.ArrayLike) -> dict[str, Any]:
        """All measures of any impulses (docs/output-formats.md, --quality): norms over the contacts, and those of each under `contacts`.

        >>> problem = Problem.make(np.eye(3), [-1, 2, 0], [0.5])
        >>> round(problem.quality([1, -0.8, 0])["cone"], 6)  # friction outside its cone [N s]
        0.3
        """
        return dict(_stiction.quality(*self._arrays(), np.asarray(r, dtype=float)))


def frame_problem(frame: _stiction.Frame) -> Problem:
    """The problem of a frame of a dataset.

    >>> frame = _stiction.Dataset("stick_slip")[0]  # one that ships
    >>> frame_problem(frame).solve("newton").status
    'solved'
    """
    return Problem.from_arrays(*frame.cone_arrays())


def read_problem(path: Union[str, "os.PathLike[str]"]) -> Problem:
    """A stored problem: .dat text or FCLIB HDF5, told by the content."""
    return Problem.from_arrays(*_stiction.read_problem(os.fspath(path)))


def write_problem(path: Union[str, "os.PathLike[str]"], problem: Problem) -> None:
    """As .dat text or FCLIB (.h5, .hdf5), by the name's suffix."""
    _stiction.write_problem(os.fspath(path), *problem._arrays())


def compare(problem: Problem, solvers: Iterable[str] = cone_solvers, **settings: Any) -> str:
    """A table of solvers, residuals and times.

    >>> problem = Problem.make(np.eye(3), [-1, 2, 0], [0.5])
    >>> print(compare(problem, ["pgs"]).split()[:4])
    ['solver', 'status', 'iterations', 'natural']
    """
    lines = [f"{'solver':<18} {'status':<16} {'iterations':>10} {'natural':>9} {'scaled':>9} {'ms':>9}"]
    for solver in solvers:
        a = problem.solve(solver, **settings)
        lines.append(
            f"{solver:<18} {a.status:<16} {a.iterations:>10} {a.natural:>9.1e} {a.scaled:>9.1e} {1e3 * a.seconds:>9.3f}"
        )
    return "\n".join(lines)
