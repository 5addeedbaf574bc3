"""Every shipped scene ends in the state in which the program leaves it, to the bit; so do all runs of a rollout."""

import json
import os
import subprocess
import tempfile
import unittest

import stiction

STEPS = 60
EARLY = 15  # of each of the many runs of a rollout


def program(scene: str, *words: str) -> str:
    command = [os.environ["STICTION_PROGRAM"], "run", scene, "--steps", str(STEPS), "--json", "-", "--quiet", *words]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {answer.stderr}")
    return str(json.loads(answer.stdout)["state_hash"])


class SameBits(unittest.TestCase):
    def test_every_scene(self) -> None:
        self.assertGreater(len(stiction.scenes()), 20)
        for scene in stiction.scenes():
            with self.subTest(scene):
                world = stiction.World(scene)
                starts = [world.state] * 4
                world.run(EARLY)
                early = world.state
                world.run(STEPS - EARLY)
                self.assertEqual(world.hash, program(scene))
                for threads in (1, 4):
                    ends = stiction.rollout(scene, starts, steps=EARLY, threads=threads)
                    self.assertTrue((ends == early).all(), f"rollout on {threads} threads")

    def test_every_model(self) -> None:
        for model in stiction.models:
            with self.subTest(model):
                world = stiction.World("ramp", model=model, h=0.002)
                world.run(STEPS)
                self.assertEqual(world.hash, program("ramp", "--model", model, "--step", "0.002"))

    def test_recorded_motions(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "arm.h5")
            program("arm", "--trajectory", path, "--trajectory-every", "20")
            recorded = stiction.read_trajectory(path)
        world = stiction.World("arm")
        self.assertEqual((recorded.scene, recorded.bodies, recorded.joints), ("arm", world.bodies, world.joint_names))
        self.assertTrue((recorded.states[0] == world.state).all())
        world.run(STEPS)
        self.assertTrue((recorded.states[-1] == world.state).all())
        self.assertTrue((recorded.coordinates[-1] == world.joints).all())
        self.assertEqual(len(recorded.time), 1 + STEPS // 20)
        self.assertTrue((recorded.body(world.bodies[-1])[-1] == world.state[-1]).all())
        with self.assertRaisesRegex(stiction.InputError, "no body 'x'"):
            recorded.body("x")

    def test_parameters_seed_and_narrowphase(self) -> None:
        world = stiction.World("mixed_pile", parameters={"count": 20}, seed=7, narrowphase="bullet", threads=2)
        world.run(STEPS)
        self.assertEqual(world.hash, program("mixed_pile", "--set", "count=20", "--seed", "7", "--narrowphase", "bullet"))


if __name__ == "__main__":
    unittest.main()
