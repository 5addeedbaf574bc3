"""Pictures of a world are those that the program draws, to the pixel."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import stiction

try:
    from matplotlib.image import imread
except ImportError:
    print("python3-matplotlib is missing")
    sys.exit(77)


def read(path: pathlib.Path) -> np.ndarray:
    return np.rint(255 * imread(path)[:, :, :3]).astype(np.uint8)


class Pictures(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_the_programs_picture(self) -> None:
        for scene, steps in (("grasp", 20), ("ramp", 0), ("arm", 10)):
            path = self.folder / f"{scene}.png"
            words = ["run", scene, "--steps", str(steps), "--png", str(path), "--size", "320x200", "--quiet"]
            subprocess.run([os.environ["STICTION_PROGRAM"], *words], check=True)
            world = stiction.World(scene)
            world.run(steps)
            before = world.hash
            image = world.image(320, 200, self.folder / "own.png")
            self.assertEqual((image.shape, image.dtype), ((200, 320, 3), np.uint8))
            self.assertGreater(image.std(), 5, scene)
            self.assertTrue((image == read(path)).all(), scene)
            self.assertTrue((image == read(self.folder / "own.png")).all(), scene)
            self.assertEqual(world.hash, before)

    def test_it_shows_the_present_state(self) -> None:
        world = stiction.World("ramp", parameters={"mu": 0})
        first = world.image(160, 100)
        self.assertTrue((first == world.image(160, 100)).all())
        world.run(300)
        self.assertFalse((first == world.image(160, 100)).all())

    def test_what_cannot_be_drawn(self) -> None:
        world = stiction.World("ramp")
        with self.assertRaisesRegex(stiction.InputError, "size: expected 64 to 7680 pixels each way"):
            world.image(10, 100)
        with self.assertRaisesRegex((stiction.InputError, stiction.OutputError), "cannot write '/proc/x.png'"):
            world.image(100, 100, "/proc/x.png")


if __name__ == "__main__":
    unittest.main()
