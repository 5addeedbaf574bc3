"""Contact problems as arrays: of steps, of files, of datasets; solved by every solver."""

import os
import signal
import tempfile
import threading
import unittest

import numpy as np

import stiction


def pressed() -> stiction.World:
    world = stiction.World("stack", parameters={"boxes": 3})
    world.run(5)
    return world


class OfSteps(unittest.TestCase):
    def test_matrices_and_problem_agree(self) -> None:
        world = pressed()
        problem, d = world.problem(), world.matrices()
        n = len(problem.mu)
        G = np.empty((3 * n, d["M"].shape[0]))
        G[0::3], G[1::3], G[2::3] = d["N"], d["S"], d["T"]
        np.testing.assert_allclose(problem.W.toarray(), G @ np.linalg.solve(d["M"], G.T), atol=1e-12)
        np.testing.assert_allclose(d["v_free"], d["v"] + d["h"] * np.linalg.solve(d["M"], d["f"]), atol=1e-12)
        self.assertEqual(problem.q.shape, (3 * n,))

    def test_rows_of_motors_are_there_though_the_cone_problem_is_not(self) -> None:
        world = stiction.World("motors")
        world.run(3)
        d = world.matrices()
        self.assertGreater(len(d["B"]), 0)
        self.assertEqual(d["B"].shape[1], d["M"].shape[0])
        with self.assertRaisesRegex(stiction.InputError, "motors, step 3: rows of motors"):
            world.problem()

    def test_control_c_ends_a_long_solve(self) -> None:
        world = stiction.World("brick_wall")  # smaller walls are given up before, as answers that get no better
        world.run(2)
        problem = world.problem()
        for solver in ("pgs", "prox_newton"):  # to a tolerance that no answer meets
            threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                problem.solve(solver, tolerance=1e-300, max_iterations=10**9)

    def test_every_solver_solves(self) -> None:
        problem = pressed().problem()
        for solver in stiction.cone_solvers:
            answer = problem.solve(solver, tolerance=1e-8)
            self.assertEqual(answer.status, "solved", solver)
            self.assertLessEqual(answer.residual, 1e-8, solver)
            np.testing.assert_allclose(problem.W @ answer.r + problem.q, answer.u, atol=1e-12)
            np.testing.assert_allclose(problem.residual(answer.r), (answer.natural, answer.scaled), atol=1e-15)
            self.assertGreater(max(problem.residual(0 * answer.r)), 1e-3)

    def test_sliding_contact_has_its_closed_form(self) -> None:
        # One contact, W = 2 I: r_N = 1/2 ends the approach, friction 0.3 r_N acts against u_T.
        problem = stiction.Problem.make(2 * np.eye(3), [-1, 3, 4], [0.3])
        for solver in ("prox_newton", "newton", "pgs", "interior_point", "split"):
            r = problem.solve(solver, tolerance=1e-10).r
            np.testing.assert_allclose(r, [0.5, -0.15 * 0.6, -0.15 * 0.8], atol=1e-8, err_msg=solver)

    def test_bad_input(self) -> None:
        problem = pressed().problem()
        for call, message in (
            (lambda: problem.solve("prox_newtn"), "did you mean 'prox_newton'"),
            (lambda: problem.solve(tolerance=0), "tolerance: must be > 0"),
            (lambda: problem.solve(guess=[1, 2]), "the guess has 2 numbers"),
            (lambda: problem.residual([1.0]), "r has 1 numbers"),
            (lambda: stiction.Problem.make(np.eye(4), [1], [1]), "three rows per contact"),
            (lambda: stiction.Problem.make(np.eye(3), [1], [1]).solve(), "q has 1 numbers"),
            (lambda: stiction.Problem.make(np.eye(6), [1, 2, 3], [1]).solve(), "W is not 3 x 3"),
            (lambda: stiction.Problem.make(np.eye(3), [1, 2, np.nan], [1]).solve(), "all finite"),
            (lambda: stiction.World("motors").step() or stiction.read_problem("/nothing.dat"), "no such file"),
        ):
            with self.subTest(message), self.assertRaisesRegex(stiction.InputError, message):
                call()


class OfFiles(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name: str) -> str:
        return os.path.join(self.folder.name, name)

    def test_problems_come_back(self) -> None:
        problem = pressed().problem()
        for name in ("a.dat", "a.hdf5"):
            stiction.write_problem(self.path(name), problem)
            back = stiction.read_problem(self.path(name))
            np.testing.assert_array_equal(back.W.toarray(), problem.W.toarray())
            np.testing.assert_array_equal(back.q, problem.q)
            np.testing.assert_array_equal(back.mu, problem.mu)
        with self.assertRaisesRegex(stiction.InputError, "expected a name that ends in"):
            stiction.write_problem(self.path("a.txt"), problem)

    def test_datasets_of_a_run(self) -> None:
        world = stiction.World("stack", parameters={"boxes": 3})
        with world.recording(self.path("stack.h5"), every=10):
            world.run(50)
        dataset = stiction.Dataset(self.path("stack.h5"))
        self.assertEqual(len(dataset), 5)
        frame = dataset[-1]
        self.assertEqual(frame.model, world.model)
        np.testing.assert_allclose(
            stiction.frame_problem(frame).W.toarray(), world.problem().W.toarray(), atol=1e-12)
        answer = frame.solve(warm=True)
        self.assertEqual(answer["status"], "solved")
        np.testing.assert_allclose(answer["impulses"], world.contacts["impulse"], atol=1e-9)
        cone = frame.solve("coulomb_cone", "newton")
        self.assertEqual(cone["name"], "coulomb_cone.newton")
        self.assertLess(max(cone["natural"], cone["scaled"]), 1e-7)
        A, b = frame.lcp(4)
        self.assertEqual(A.shape, (len(b), len(b)))
        with self.assertRaises(IndexError):
            dataset[5]

    def test_shipped_datasets(self) -> None:
        frame = stiction.Dataset("stick_slip")[0]
        self.assertEqual(frame.contact_table().shape[1], 10)
        self.assertEqual(stiction.frame_problem(frame).solve("newton").status, "solved")

    def test_a_dataset_that_cannot_be_written(self) -> None:
        with self.assertRaisesRegex(stiction.InputError, "nowhere"):
            with pressed().recording("/nowhere/a.h5"):
                self.fail("recorded")


if __name__ == "__main__":
    unittest.main()
