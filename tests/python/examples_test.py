"""The examples of examples/python do what their pages say, and draw their pictures."""

import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest
from typing import Any

import numpy as np

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("python3-matplotlib is missing")
    sys.exit(77)


def run(name: str, folder: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, pathlib.Path("examples/python") / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, module.main(folder)


class Examples(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def drawn(self, name: str) -> None:
        self.assertGreater(os.path.getsize(os.path.join(self.folder, name)), 5000)

    def test_problem_of_a_step(self) -> None:
        _, residual = run("problem_of_a_step", self.folder)
        self.assertLess(max(residual["prox_newton"], residual["newton"]), 1e-6)
        self.assertGreater(residual["pgs"], residual["newton"])

    def test_friction_from_a_slide(self) -> None:
        # Noise of 0.2 mm at 40 times on a way of 0.09 m, which changes by 0.74 m per unit of friction.
        module, found = run("friction_from_a_slide", self.folder)
        self.assertAlmostEqual(found, 0.237, delta=1e-3)
        self.drawn("python_slide.png")

    def test_grasp_map(self) -> None:
        module, maps = run("grasp_map", self.folder)
        needed = 9.81 / (2 * module.COEFFICIENTS)
        holds = module.FORCES[:, None] > 1.02 * needed
        falls = module.FORCES[:, None] < 0.98 * needed
        for model in ("coulomb_lcp", "max_dissipation", "friction_box", "coulomb_cone"):
            self.assertLess(maps[model][holds].max(), 1e-2, model)
            self.assertGreater(maps[model][falls].min(), 1e-3, model)
        self.assertLess(maps["no_slip"].max(), 1e-6)
        np.testing.assert_allclose(maps["viscous"], 0.981, atol=1e-6)
        self.drawn("python_grasp_map.png")

    def test_four_solvers(self) -> None:
        _, answers = run("four_solvers", self.folder)
        self.assertEqual({len(rows) for rows in answers.values()}, {10})
        median = {solver: np.median([row["natural"] for row in rows]) for solver, rows in answers.items()}
        self.assertLess(median["newton"], 1e-8)
        work = {solver: sum(row["iterations"] for row in rows) for solver, rows in answers.items()}
        self.assertGreater(work["pgs"], 10 * work["newton"])  # sweeps are slow on an arch
        self.assertGreater(median["pgs_sm"], 1e-3)  # another law: a box
        self.drawn("python_four_solvers.png")


if __name__ == "__main__":
    unittest.main()
