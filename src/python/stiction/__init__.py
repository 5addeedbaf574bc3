"""Rigid bodies in contact: scenes, contact models, solvers.

>>> import stiction
>>> world = stiction.World("stack", parameters={"boxes": 3})
>>> world.run(100)
100
>>> world.contacts["force"][:, 2].sum().round(3)  # every box is carried by the one below
58.86
"""

from ._stiction import (
    Dataset,
    Frame,
    InputError,
    OutputError,
    Snapshot,
    StepError,
    __version__,
    is_dataset,
    problems_folder,
    scenes_folder,
)
from .environment import Environment
from .problem import Answer, Problem, compare, cone_solvers, frame_problem, read_problem, write_problem
from .sweeps import SweepError, read_table, sweep
from .trajectory import Trajectory, read_trajectory
from .world import World, models, rollout, scenes

__all__ = [
    "Answer",
    "Dataset",
    "Environment",
    "Frame",
    "InputError",
    "OutputError",
    "Problem",
    "Snapshot",
    "StepError",
    "SweepError",
    "Trajectory",
    "World",
    "__version__",
    "compare",
    "cone_solvers",
    "frame_problem",
    "is_dataset",
    "models",
    "problems_folder",
    "read_problem",
    "read_table",
    "read_trajectory",
    "rollout",
    "scenes",
    "scenes_folder",
    "sweep",
    "write_problem",
]
