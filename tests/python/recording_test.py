"""Files that a world writes of its steps are those of the program; steps are judged and solved again."""

import csv
import dataclasses
import json
import os
import subprocess
import tempfile
import unittest
from typing import Any

import numpy as np

import stiction

STEPS = 40


class Recording(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def program(self, scene: str, *words: str) -> None:
        command = [os.environ["STICTION_PROGRAM"], "run", scene, "--steps", str(STEPS), "--quiet", *words]
        subprocess.run(command, check=True)

    def table(self, name: str) -> list[dict[str, str]]:
        """Without its times, which differ from run to run."""
        times = ("forces", "collide", "assemble", "solve", "integrate", "stabilise", "record", "step_time")
        with open(self.path(name), newline="", encoding="utf-8") as file:
            return [{key: cell for key, cell in row.items() if key.removesuffix("[s]") not in times} for row in csv.DictReader(file)]

    def summary(self, name: str) -> dict[str, Any]:
        with open(self.path(name), encoding="utf-8") as file:
            content: dict[str, Any] = json.load(file)
        return {key: value for key, value in content.items() if key not in ("timing", "realtime_factor")}

    def test_files_are_those_of_the_program(self) -> None:
        for scene in ("ramp", "grasp", "arm"):
            with self.subTest(scene):
                files = ("--csv", self.path("a.csv"), "--json", self.path("a.json"), "--trajectory", self.path("a.h5"))
                self.program(scene, *files, "--trajectory-every", "7", "--quality")
                world = stiction.World(scene)
                with world.recording(
                    csv=self.path("b.csv"), summary=self.path("b.json"), trajectory=self.path("b.h5"), trajectory_every=7, quality=True
                ):
                    world.run(STEPS // 2)
                    for _ in range(STEPS - STEPS // 2):
                        world.step()
                self.assertEqual(len(self.table("a.csv")), STEPS)
                self.assertIn("coulomb_natural", self.table("a.csv")[0])
                self.assertEqual(self.table("a.csv"), self.table("b.csv"))
                self.assertEqual(self.summary("a.json"), self.summary("b.json"))
                a, b = (dataclasses.asdict(stiction.read_trajectory(self.path(name))) for name in ("a.h5", "b.h5"))
                self.assertEqual(len(a["time"]), 7)  # 0, 7, 14 ... 35, and the last
                for key in a:
                    np.testing.assert_array_equal(a[key], b[key], key)

    def test_it_changes_no_bits(self) -> None:
        plain, recorded = stiction.World("granular"), stiction.World("granular")
        plain.run(STEPS)
        recorded.run(10)
        with recorded.recording(self.path("pile.h5"), csv=self.path("pile.csv"), quality=True):
            recorded.run(10)
        recorded.run(STEPS - 20)
        self.assertEqual(recorded.hash, plain.hash)
        self.assertEqual([row["step"] for row in self.table("pile.csv")], [str(k) for k in range(11, 21)])
        self.assertEqual(len(stiction.Dataset(self.path("pile.h5"))), 10)

    def test_no_other_state_can_be_set_meanwhile(self) -> None:
        world = stiction.World("stack", parameters={"boxes": 2})
        kept = world.snapshot()
        with world.recording(csv=self.path("stack.csv")):
            world.run(5)
            for change in (world.reset, lambda: world.restore(kept), lambda: setattr(world, "state", world.state)):
                with self.assertRaisesRegex(stiction.InputError, "recording is under way, .*stack.csv"):
                    change()
            with self.assertRaisesRegex(stiction.InputError, "under way already: stack.csv"):
                world.record("", self.path("x.csv"), "", 1, False)
        self.assertEqual(len(self.table("stack.csv")), 5)
        world.reset()
        with self.assertRaisesRegex(stiction.InputError, "nothing is being recorded"):
            world.finish_recording()

    def test_what_was_recorded_before_an_error_is_kept(self) -> None:
        world = stiction.World("stack", parameters={"boxes": 2})
        with self.assertRaises(KeyError):
            with world.recording(self.path("stack.h5"), csv=self.path("stack.csv")):
                world.run(5)
                raise KeyError
        self.assertEqual(len(self.table("stack.csv")), 5)
        self.assertEqual(len(stiction.Dataset(self.path("stack.h5"))), 5)

    def test_bad_files(self) -> None:
        world = stiction.World("stack", parameters={"boxes": 2})
        for files, message in (
            ({"csv": "/nowhere/a.csv"}, "/nowhere"),
            ({"trajectory": self.path("a.txt")}, "a.txt"),
            ({"csv": self.path("same"), "summary": self.path("same")}, "two outputs have the same name"),
            ({"trajectory": self.path("a.h5"), "trajectory_every": 0}, "every 1 or more steps"),
            ({"csv": world.path}, "stack.yaml"),
            ({}, "no file was named"),
        ):
            with self.subTest(message), self.assertRaisesRegex(stiction.InputError, message):
                with world.recording(**files):  # type: ignore[arg-type]
                    pass
        self.assertFalse(world.is_recording)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_full_disk_ends_the_recording_not_the_world(self) -> None:
        world = stiction.World("stack", parameters={"boxes": 2})
        with self.assertRaisesRegex(stiction.OutputError, "/dev/full"):
            with world.recording(csv="/dev/full"):
                world.run(10**5)
        self.assertFalse(world.is_recording)
        steps = world.steps
        world.run(5)
        self.assertEqual(world.steps, steps + 5)


class Judging(unittest.TestCase):
    def test_the_last_step_is_solved_again(self) -> None:
        world = stiction.World("ramp", model="coulomb_cone")
        with self.assertRaisesRegex(stiction.InputError, "no step has led to this state"):
            world.frame()
        world.run(20)
        frame = world.frame()
        again = frame.solve("coulomb_cone", tolerance=1e-10)
        self.assertEqual(again["status"], "solved")
        np.testing.assert_allclose(again["impulses"], world.contacts["impulse"], atol=1e-9)
        self.assertEqual(frame.solve("coulomb_lcp", "lemke")["status"], "solved")
        self.assertEqual(again["quality"]["natural"], again["natural"])

    def test_quality(self) -> None:
        # A cube that slides down a ramp: all of its contacts that press slide, friction against the motion.
        world = stiction.World("ramp", model="coulomb_cone", parameters={"mu": 0.1})
        with self.assertRaisesRegex(stiction.InputError, "no step has led to this state"):
            world.quality()
        world.run(50)
        quality = world.quality()
        self.assertLess(quality["natural"], 1e-6)
        self.assertEqual((quality["sliding"], quality["misaligned"]), (quality["resting"], 0))
        self.assertGreater(quality["sliding"], 0)
        self.assertEqual(int(quality["contacts"]["slides"].sum()), quality["sliding"])
        problem = world.problem()
        answer = problem.solve("newton", tolerance=1e-12)
        judged = problem.quality(answer.r)
        self.assertAlmostEqual(judged["natural"], answer.natural, delta=1e-12)
        # Twice the friction leaves the cone by mu r_N at every contact that slides.
        wrong = answer.r.copy().reshape(-1, 3)
        wrong[:, 1:] *= 2
        outside = np.linalg.norm(problem.mu * wrong[:, 0])
        self.assertAlmostEqual(problem.quality(wrong.ravel())["cone"], outside, delta=1e-9)
        with self.assertRaisesRegex(stiction.InputError, "r has 3 numbers"):
            problem.quality([0, 0, 0])


if __name__ == "__main__":
    unittest.main()
