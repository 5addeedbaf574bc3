"""stiction.sweep on the cores of this machine: the table of the program, its messages, and what Ctrl-C leaves."""

import _thread
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest
from unittest import mock

import numpy as np

import stiction

SWEEP = """version: 1
scene: stack
steps: 20
model: [no_slip, coulomb_cone]
parameters: {boxes: [1, 2, 3]}
keep: {contacts: contacts.max, hash: state_hash}
"""


class Sweep(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "stacks.yaml"
        self.file.write_text(SWEEP)

    def test_has_the_table_of_the_program(self) -> None:
        table = stiction.sweep(self.file, out=self.folder / "python", workers=2)
        program = [os.environ["STICTION_PROGRAM"], "sweep", str(self.file), "--out", str(self.folder / "program"), "--quiet"]
        subprocess.run(program, check=True)
        for name in ("table.csv", "table.h5"):
            self.assertEqual((self.folder / "python" / name).read_bytes(), (self.folder / "program" / name).read_bytes(), name)
        self.assertEqual(table["job"].tolist(), [1, 2, 3, 4, 5, 6])
        self.assertEqual(table["model"].tolist(), ["no_slip"] * 3 + ["coulomb_cone"] * 3)
        np.testing.assert_array_equal(table["contacts"], [4, 8, 12, 4, 8, 12])
        world = stiction.World("stack", model="coulomb_cone", parameters={"boxes": 2})
        world.run(20)
        self.assertEqual(table["hash"][4], world.hash)

    def test_messages_are_those_of_the_program(self) -> None:
        faults = {
            "version: 1\nscene: stack\nparameters: {boxxes: 2}\n": "parameters.boxxes: the scene has no parameter 'boxxes'; did you mean 'boxes'",
            "version: 1\nscene: stakc\n": "no scene 'stakc'.*did you mean 'stack'",
            "version: 1\nscene: stack\nmodel: [no_slip\n": "stacks.yaml:4:1: ",
        }
        for text, message in faults.items():
            self.file.write_text(text)
            with self.assertRaisesRegex(stiction.InputError, message):
                stiction.sweep(self.file, out=self.folder / "results")
        self.assertFalse((self.folder / "results").exists())
        with self.assertRaisesRegex(stiction.InputError, "nothing.yaml: no such file"):
            stiction.sweep(self.folder / "nothing.yaml")
        self.file.write_text(SWEEP)
        with self.assertRaisesRegex(stiction.InputError, "cannot make the folder '/proc/results'"):
            stiction.sweep(self.file, out="/proc/results")
        with self.assertRaisesRegex(stiction.InputError, "cannot start '/nowhere/stiction': No such file"):
            stiction.sweep(self.file, program="/nowhere/stiction")

    def test_without_a_program_it_says_so(self) -> None:
        with mock.patch("os.access", return_value=False), mock.patch("shutil.which", return_value=None):
            with self.assertRaisesRegex(stiction.InputError, "the program 'stiction' is neither beside the module nor on the path"):
                stiction.sweep(self.file)

    def test_goes_on_after_an_interruption(self) -> None:
        self.file.write_text(SWEEP.replace("steps: 20", "steps: 20\nseed: {from: 1, to: 400, count: 400}"))
        rows = self.folder / "results" / "rows"

        def interrupt() -> None:
            while not any(path.stat().st_size > 1000 for path in rows.glob("*.rows")):
                time.sleep(0.01)
            _thread.interrupt_main()

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            stiction.sweep(self.file, out=self.folder / "results", workers=1)
        kept = sum(path.read_text().count("\n") - 1 for path in rows.glob("*.rows"))
        self.assertGreater(kept, 0)
        table = stiction.sweep(self.file, out=self.folder / "results")
        self.assertEqual(len(table["job"]), 2400)
        lines = sum(path.read_text().count("\n") - 1 for path in rows.glob("*.rows"))
        self.assertEqual(lines, 2400)  # none ran twice

    def test_failed_runs_are_rows(self) -> None:
        scene = self.folder / "box.yaml"
        scene.write_text(
            "version: 1\nparameters: {m: 1}\ncontact: {model: no_slip}\nbodies:\n  - {name: box, mass: m, shape: {type: sphere, radius: 1}}\n"
        )
        self.file.write_text("version: 1\nscene: box.yaml\nsteps: 5\nparameters: {m: [0, 1]}\nkeep: {z: bodies.box.position.z}\n")
        table = stiction.sweep(self.file, out=self.folder / "results")
        self.assertEqual(table["status"].tolist(), ["failed", "done"])
        self.assertIn("must be > 0 kg", table["message"][0])
        self.assertTrue(np.isnan(table["z"][0]) and table["z"][1] < 0)


if __name__ == "__main__":
    unittest.main()
