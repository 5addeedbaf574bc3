"""A scene that is stepped, and many of them at a time."""

from __future__ import annotations

import contextlib
import operator
import os
import pathlib
import tempfile
import textwrap
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _stiction
from .problem import Problem

Value = Union[str, int, float, bool]
Path = Union[str, "os.PathLike[str]"]

models = ("viscous", "no_slip", "coulomb_lcp", "max_dissipation", "friction_box", "coulomb_cone")


def scenes() -> list[str]:
    """Names of the scenes that ship.

    >>> "grasp" in scenes()
    True
    """
    return sorted(path.stem for path in pathlib.Path(_stiction.scenes_folder()).glob("*.yaml"))


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, float) else str(value)


def _yaml(values: Mapping[str, Value]) -> str:
    return "{" + ", ".join(f"{key}: {_text(value)}" for key, value in values.items()) + "}"


def control_places(world: _stiction.World, names: Sequence[str]) -> list[int]:
    """Where controls are among those of a world."""
    known = [name for name, _, _, _ in world.controls]
    for name in names:
        if name not in known:
            raise _stiction.InputError(f"no control '{name}'; there are: {', '.join(known) or 'none'}")
    return [known.index(name) for name in names]


class World(_stiction.World):
    """A scene: the path of a YAML file or the name of a shipped one, with what the command line of the program may change.

    >>> world = World("ramp", parameters={"angel": 0.3}, model="coulomb_lcp")
    Traceback (most recent call last):
    ...
    stiction.InputError: --set angel: the scene has no parameter 'angel'; did you mean 'angle'?

    Bodies are rows of `state`: position [m], quaternion w x y z, velocity [m/s], spin [rad/s], in world axes. Arrays are
    copies; assign to set.

    >>> world = World("ramp")
    >>> state = world.state
    >>> state.shape == (len(world.bodies), 13)
    True
    >>> world.state = state
    """

    def __init__(
        self,
        scene: Path,
        *,
        parameters: Optional[Mapping[str, Value]] = None,
        seed: Optional[int] = None,
        model: str = "",
        solver: str = "",
        narrowphase: str = "",
        h: Optional[float] = None,
        threads: int = 1,
    ) -> None:
        if seed is not None and not 0 <= operator.index(seed) < 2**64:
            raise _stiction.InputError(f"seed {seed}: expected a whole number from 0 to {2**64 - 1}")
        texts = {key: _text(value) for key, value in (parameters or {}).items()}
        super().__init__(os.fspath(scene), texts, seed, model, solver, narrowphase, h, threads)

    @classmethod
    def from_text(cls, text: str, **options: Any) -> World:
        '''A scene written in place; files that it names are sought by their full path.

        >>> world = World.from_text("""
        ...   version: 1
        ...   contact: {model: no_slip}
        ...   bodies:
        ...     - {name: ball, mass: 1, shape: {type: sphere, radius: 0.1}}
        ... """)
        >>> world.run(10), round(float(world.state[0, 9]), 4)
        (10, -0.0981)
        '''
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scene.yaml"
            path.write_text(textwrap.dedent(text))
            return cls(path, **options)

    def __repr__(self) -> str:
        return f"<stiction.World {self.name}, {len(self.bodies)} bodies, model {self.model}, t = {self.time:g} s>"

    def copy(self) -> World:
        """A world with the same scene, settings, state and warm starts."""
        twin = World.__new__(World)
        _stiction.World.__init__(twin, self)
        return twin

    def run_for(self, seconds: float) -> int:
        """Takes the steps of this time; gives their number.

        >>> World("stack", parameters={"boxes": 2}).run_for(0.05)
        50
        """
        return self.run(round(seconds / float(self.settings["h"])))

    def set_model(self, model: str = "", **settings: Value) -> None:
        """Another contact model from the next step on, or other settings of the present one: the keys of a scene's `contact`.

        >>> world = World("stack", parameters={"boxes": 2})
        >>> world.set_model("coulomb_lcp", solver="lemke", sides=8)
        >>> world.model, world.solver
        ('coulomb_lcp', 'lemke')
        >>> world.set_model("coulomb_lpc")
        Traceback (most recent call last):
        ...
        stiction.InputError: contact:1:9: model: unknown model 'coulomb_lpc'; did you mean 'coulomb_lcp'?
        """
        chosen = {"model": model} if model and (model != self.model or not settings) else {}
        self.set_contact(_yaml({**chosen, **settings}))

    def set(self, *, narrowphase: str = "", threads: int = 0, **settings: Value) -> None:
        """Other settings of the step from the next one on: the keys of a scene's `step`.

        >>> world = World("stack", parameters={"boxes": 2})
        >>> world.set(h=0.002, stabilisation="baumgarte")
        >>> world.settings["h"], world.settings["stabilisation"]
        (0.002, 'baumgarte')
        """
        if narrowphase:
            self.set_narrowphase(narrowphase)
        if threads:
            self.set_threads(threads)
        if settings:
            self.set_step(_yaml(settings))

    def friction(
        self, mu: Optional[float] = None, viscous: Optional[float] = None, restitution: Optional[float] = None
    ) -> None:
        """Coefficients of all pairs of materials from the next step on; None: the scene's."""
        self.set_friction(mu, viscous, restitution)

    def control(self, values: Mapping[str, float]) -> None:
        """Sets controls by name, from the next step on; `controls` lists them with unit and range.

        >>> world = World("grasp")
        >>> [name for name, unit, low, high in world.controls]
        ['gripper_left: force', 'gripper_right: force']
        >>> world.control({"gripper_left: force": 250.0})
        """
        places = control_places(self, list(values))
        now = self.control_values
        now[places] = list(values.values())
        self.control_values = now

    def problem(self) -> Problem:
        """The contact problem of the last step, u = W r + q, with joints taken out.

        >>> world = World("stack", parameters={"boxes": 2})
        >>> world.step()
        >>> problem = world.problem()
        >>> problem.W.shape, problem.q.shape, problem.mu.shape
        ((24, 24), (24,), (8,))
        """
        return Problem.from_arrays(*self.cone_arrays())

    def image(self, width: int = 1280, height: int = 720, path: Path = "") -> npt.NDArray[np.uint8]:
        """A picture as `stiction run --png` draws it, without a display: height x width x 3. With a path also as a PNG file.

        >>> World("stack", parameters={"boxes": 2}).image(320, 200).shape
        (200, 320, 3)
        """
        return self.draw(width, height, os.fspath(path))

    def frame(self) -> _stiction.Frame:
        """The contact problem of the last step as a dataset has it, to be solved again by any model and solver.

        >>> world = World("stack", parameters={"boxes": 2})
        >>> world.step()
        >>> [world.frame().solve(model)["status"] for model in ("coulomb_lcp", "coulomb_cone")]
        ['solved', 'solved']
        """
        return _stiction.step_frame(self)

    @contextlib.contextmanager
    def recording(
        self,
        dataset: Path = "",
        every: int = 1,
        *,
        csv: Path = "",
        trajectory: Path = "",
        trajectory_every: int = 1,
        summary: Path = "",
        quality: bool = False,
    ) -> Iterator[None]:
        """Writes files of the steps taken inside, as `stiction run` does: contact problems (--h5), a table of steps (--csv), the
        motion (--trajectory), a summary (--json). With `quality` table and summary judge every answer.

        >>> import stiction
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "motion.h5")
        ...     world = World("stack", parameters={"boxes": 2})
        ...     with world.recording(trajectory=path, trajectory_every=10):
        ...         _ = world.run(50)
        ...     stiction.read_trajectory(path).states.shape
        (6, 3, 13)
        """
        files = (os.fspath(csv), os.fspath(trajectory), os.fspath(summary))
        if not (dataset or any(files)):
            raise _stiction.InputError("recording: no file was named")
        with contextlib.ExitStack() as ends:
            if dataset:
                self.record_dataset(os.fspath(dataset), every)
                ends.callback(self.finish_dataset)
            if any(files):
                self.record(*files, trajectory_every, quality)
                ends.callback(self._end_recording)
            yield

    def _end_recording(self) -> None:
        if self.is_recording:  # a file that could not be written has ended it
            self.finish_recording()


def rollout(
    scene: Union[World, Path],
    states: npt.ArrayLike,
    controls: Optional[npt.ArrayLike] = None,
    steps: int = 1,
    threads: int = 1,
    every: int = 0,
) -> npt.NDArray[np.float64]:
    """The same scene from many states, on threads: every run has the bits that it has by itself.

    `states` is runs x bodies x 13, `controls` runs x controls or runs x steps x controls. Gives runs x bodies x 13, the last
    states; with `every`, runs x kept x bodies x 13. A run starts at the time of the scene's start, without warm starts, with
    the settings of the world where one is given.

    >>> world = World("stack", parameters={"boxes": 2})
    >>> ends = rollout(world, [world.state] * 3, steps=10, threads=2)
    >>> ends.shape, bool((ends[0] == ends[2]).all())
    ((3, 3, 13), True)
    """
    world = scene if isinstance(scene, World) else World(scene)
    array = np.asarray(states, dtype=float)
    given = None if controls is None else np.asarray(controls, dtype=float)
    kept = _stiction.rollout(world, array, given, steps, every, threads)
    return kept if every else kept[:, -1] if steps and len(array) else array.copy()
