"""Runs of a rollout have the bits that each has by itself, on any number of threads."""

import os
import signal
import threading
import unittest

import numpy as np

import stiction


def starts(world: stiction.World, runs: int) -> np.ndarray:
    random = np.random.default_rng(1)
    states = np.repeat(world.state[None], runs, axis=0)
    free = world.masses > 0
    states[:, free, 7:10] += random.normal(0, 0.3, (runs, int(free.sum()), 3))
    return states


class Rollout(unittest.TestCase):
    def test_same_bits_as_single_runs(self) -> None:
        for scene, steps in (("stack", 40), ("ramp", 40), ("granular", 12)):
            world = stiction.World(scene)
            states = starts(world, 6)
            single = []
            for state in states:
                alone = stiction.World(scene)
                alone.state = state
                alone.run(steps)
                single.append(alone.state)
            for threads in (1, 4):
                ends = stiction.rollout(scene, states, steps=steps, threads=threads)
                self.assertTrue((ends == np.array(single)).all(), f"{scene} on {threads} threads")

    def test_controls_of_each_step(self) -> None:
        world = stiction.World("grasp")
        states = np.repeat(world.state[None], 3, axis=0)
        controls = np.linspace(150, 400, 3 * 30 * 2).reshape(3, 30, 2)
        ends = stiction.rollout(world, states, controls, 30, threads=2, every=10)
        self.assertEqual(ends.shape, (3, 3, *world.state.shape))
        alone = stiction.World("grasp")
        alone.state = states[1]
        for values in controls[1]:
            alone.control_values = values
            alone.step()
        self.assertTrue((ends[1, -1] == alone.state).all())
        constant = stiction.rollout(world, states, controls[:, 0], 30)
        self.assertFalse((constant[1] == ends[1, -1]).all())

    def test_the_world_stays_as_it_is_and_lends_its_settings(self) -> None:
        world = stiction.World("ramp")
        world.run(5)
        before = world.hash
        world.friction(mu=0.0)
        slides = stiction.rollout(world, [world.state], steps=100)
        holds = stiction.rollout("ramp", [world.state], steps=100)
        self.assertEqual(world.hash, before)
        self.assertGreater(np.abs(slides - holds).max(), 1e-3)

    def test_no_runs_and_no_steps(self) -> None:
        world = stiction.World("stack")
        start = world.state[None]
        self.assertEqual(stiction.rollout(world, start[:0], steps=5).shape, (0, *world.state.shape))
        self.assertTrue((stiction.rollout(world, start, steps=0) == start).all())

    def test_bad_input(self) -> None:
        world = stiction.World("stack")
        good = np.repeat(world.state[None], 2, axis=0)
        wrong = good.copy()
        wrong[1, 1, 0] = np.inf
        for call, message in (
            (lambda: stiction.rollout(world, good[0]), "expected runs x"),
            (lambda: stiction.rollout(world, wrong, steps=5), "not finite"),
            (lambda: stiction.rollout(world, good, np.zeros((3, 0)), 5), "controls of 3 runs; expected 2"),
            (lambda: stiction.rollout(world, good, np.zeros((2, 9)), 5), "a run has 9 controls"),
            (lambda: stiction.rollout(world, good, threads=0), "threads: must be in 1"),
            (lambda: stiction.rollout(world, good, steps=-1), "steps: must be at least 0"),
        ):
            with self.subTest(message), self.assertRaisesRegex(stiction.InputError, message):
                call()

    def test_control_c(self) -> None:
        world = stiction.World("pendulum")
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            stiction.rollout(world, [world.state] * 4, steps=10**8, threads=2)


if __name__ == "__main__":
    unittest.main()
