"""Recorded motions, as `stiction run --trajectory` writes them."""

from __future__ import annotations

import dataclasses
import os
from typing import Union

import numpy as np
import numpy.typing as npt

from . import _stiction


@dataclasses.dataclass(frozen=True)
class Trajectory:
    """States at a series of times."""

    scene: str
    model: str
    bodies: list[str]
    joints: list[str]
    time: npt.NDArray[np.float64]  # samples [s]
    states: npt.NDArray[np.float64]  # samples x bodies x 13, as World.state
    coordinates: npt.NDArray[np.float64]  # samples x joints x 2: position, rate

    def body(self, name: str) -> npt.NDArray[np.float64]:
        """The states of one body, samples x 13."""
        if name not in self.bodies:
            raise _stiction.InputError(f"no body '{name}'; there are: {', '.join(self.bodies)}")
        return self.states[:, self.bodies.index(name)]


def read_trajectory(path: Union[str, "os.PathLike[str]"]) -> Trajectory:
    """From .csv, .h5 or .hdf5."""
    return Trajectory(**_stiction.read_trajectory(os.fspath(path)))
