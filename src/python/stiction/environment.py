"""reset and step in the manner of Gymnasium, on which nothing here depends."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import _stiction
from .world import World, control_places

Floats = npt.NDArray[np.float64]


class Environment:
    """A world with actions (controls by name), observations and rewards.

    >>> env = Environment("stack", parameters={"boxes": 2}, steps=10, horizon=3)
    >>> observation, info = env.reset()
    >>> for _ in range(3):
    ...     observation, reward, terminated, truncated, info = env.step([])
    >>> terminated, truncated, info["steps"]
    (False, True, 30)

    A run that fails ends as terminated, with the reason under `failure` of its info.
    """

    def __init__(
        self,
        scene: str,
        *,
        controls: Sequence[str] = (),
        observe: Optional[Callable[[World], Floats]] = None,
        reward: Optional[Callable[[World], float]] = None,
        done: Optional[Callable[[World], bool]] = None,
        steps: int = 10,
        horizon: int = 1000,
        **options: Any,
    ) -> None:
        self._scene, self._options = scene, options
        self._observe = observe or (lambda world: world.state.ravel())
        self._reward = reward or (lambda world: 0.0)
        self._done = done or (lambda world: False)
        self._steps, self._horizon, self._taken = steps, horizon, 0
        self.world = World(scene, **options)
        self._controls = control_places(self.world, controls)
        ranges = [self.world.controls[i][2:] for i in self._controls]
        self.action_low = np.array([low for low, _ in ranges])
        self.action_high = np.array([high for _, high in ranges])

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> tuple[Floats, dict[str, Any]]:
        """To the scene's start; with a seed, of the scene's random numbers, or options (as of World) the scene is read again."""
        if seed is not None or options:
            self._options = {**self._options, **(options or {}), **({} if seed is None else {"seed": seed})}
            self.world = World(self._scene, **self._options)
        else:
            self.world.reset()
        self._taken = 0
        return self._observe(self.world), self._info()

    def step(self, action: npt.ArrayLike) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """observation, reward, terminated, truncated, info."""
        values = np.asarray(action, dtype=float).ravel()
        if len(values) != len(self._controls):
            raise _stiction.InputError(f"action: got {len(values)} numbers; expected {len(self._controls)}")
        if self._controls:
            now = self.world.control_values
            now[self._controls] = values
            self.world.control_values = now
        failure = ""
        try:
            self.world.run(self._steps)
        except _stiction.StepError as error:
            failure = str(error)
        self._taken += 1
        info = self._info()
        if failure:
            info["failure"] = failure
        terminated = bool(failure) or bool(self._done(self.world))
        truncated = not terminated and self._taken >= self._horizon
        return self._observe(self.world), float(self._reward(self.world)), terminated, truncated, info

    def _info(self) -> dict[str, Any]:
        return {"time": self.world.time, "steps": self.world.steps, **self.world.report}
