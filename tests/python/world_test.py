"""A world: state, contacts, switches, snapshots, bad input, threads and Ctrl-C."""

import os
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import stiction


def stack(boxes: int = 3) -> stiction.World:
    return stiction.World("stack", parameters={"boxes": boxes})


class Stepping(unittest.TestCase):
    def test_one_by_one_and_at_once_are_the_same(self) -> None:
        one, many = stack(), stack()
        for _ in range(50):
            one.step()
        self.assertEqual(many.run(50), 50)
        self.assertEqual(one.hash, many.hash)
        self.assertEqual((one.steps, round(one.time, 9)), (50, 0.05))

    def test_reset_starts_over(self) -> None:
        world = stack()
        world.run(80)
        first = world.hash
        world.reset()
        self.assertEqual((world.steps, world.time), (0, 0.0))
        world.run(80)
        self.assertEqual(world.hash, first)

    def test_free_fall(self) -> None:
        # Symplectic Euler: after n steps v = -n h g, z has moved by -g h^2 n (n + 1) / 2.
        world = stack()
        state = world.state
        state[1:, 2] += 10
        world.state = state
        world.run(100)
        np.testing.assert_allclose(world.state[1:, 9], -100 * 1e-3 * 9.81, rtol=1e-12)
        np.testing.assert_allclose(state[1:, 2] - world.state[1:, 2], 9.81e-6 * 5050, rtol=1e-9)
        self.assertLess(np.abs(world.contacts["impulse"]).max(), 1e-12)  # boxes touch one another, and fall alike


class Contacts(unittest.TestCase):
    def test_forces_carry_the_weight(self) -> None:
        world = stack(2)
        world.run(20)
        contacts = world.contacts
        floor = contacts[(contacts["body_b"] == 0) | (contacts["body_a"] == 0)]
        weight = world.masses[1:].sum() * 9.81
        np.testing.assert_allclose(floor["force"].sum(axis=0), [0, 0, weight], atol=1e-6)
        np.testing.assert_allclose(np.linalg.norm(contacts["normal"], axis=1), 1, atol=1e-12)
        cross = np.cross(contacts["normal"], contacts["tangent_s"])
        np.testing.assert_allclose(cross, contacts["tangent_t"], atol=1e-12)
        self.assertEqual(world.report["contacts"], len(contacts))
        self.assertTrue((np.abs(contacts["gap"]) < 1e-6).all())

    def test_none_before_the_first_step(self) -> None:
        world = stack()
        self.assertEqual(len(world.contacts), 0)
        with self.assertRaisesRegex(stiction.InputError, "no step has led to this state"):
            world.problem()


class States(unittest.TestCase):
    def test_a_state_that_was_read_can_be_set(self) -> None:
        world = stack()
        world.run(30)
        state = world.state
        world.run(10)
        world.state = state
        self.assertTrue((world.state == state).all())

    def test_snapshots_go_on_with_the_same_bits(self) -> None:
        for scene in ("grasp", "chain", "granular", "quadruped"):
            world = stiction.World(scene)
            world.run(20)
            kept = world.snapshot()
            world.run(20)
            first = world.hash
            world.restore(kept)
            world.run(20)
            self.assertEqual(world.hash, first, scene)

    def test_copies_are_apart(self) -> None:
        world = stack()
        world.run(10)
        twin = world.copy()
        world.run(10)
        self.assertEqual(twin.steps, 10)
        twin.run(10)
        self.assertEqual(twin.hash, world.hash)

    def test_saved_states_are_the_programs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            world = stiction.World("chain")
            world.run(25)
            path = os.path.join(folder, "half.json")
            world.save_state(path)
            world.run(25)
            other = stiction.World("chain")
            other.load_state(path)
            other.run(25)
            self.assertEqual(other.hash, world.hash)
            with self.assertRaisesRegex(stiction.InputError, "chain"):
                stack().load_state(path)

    def test_states_that_make_no_sense_are_refused(self) -> None:
        world = stack()
        start = world.hash
        state = world.state
        for change, message in (
            ((1, 0, np.nan), "not finite"),
            ((1, 3, 2.0), "body 'box_0'.*unit length|quaternion is not of unit length"),
            ((0, 2, 1.0), "is static"),
        ):
            wrong = state.copy()
            wrong[change[0], change[1]] = change[2]
            with self.assertRaisesRegex(stiction.InputError, message):
                world.state = wrong
        with self.assertRaisesRegex(stiction.InputError, "2 x 13; expected 4 x 13"):
            world.state = state[:2]
        self.assertEqual(world.hash, start)


class Switches(unittest.TestCase):
    def test_every_model_and_solver(self) -> None:
        world = stack(2)
        for model in stiction.models:
            world.set_model(model)
            self.assertEqual(world.model, model)
            world.run(10)
            self.assertEqual(world.report["status"], "solved", model)

    def test_a_switch_is_what_the_program_does_from_there(self) -> None:
        world = stiction.World("ramp")
        world.run(50)
        world.set_model("coulomb_lcp", solver="lemke")
        other = stiction.World("ramp", model="coulomb_lcp", solver="lemke")
        other.state = world.state
        other.time = world.time
        world.state = world.state  # drops warm starts, as setting it in the other did
        world.run(50)
        other.run(50)
        self.assertEqual(world.hash, other.hash)

    def test_friction_holds_or_not(self) -> None:
        world = stiction.World("ramp")
        slides, holds = world.copy(), world.copy()
        slides.friction(mu=0.0)
        holds.friction(mu=5.0)
        slides.run(200)
        holds.run(200)
        speed = [np.linalg.norm(w.state[:, 7:10], axis=1).max() for w in (slides, holds)]
        self.assertGreater(speed[0], 0.1)
        self.assertLess(speed[1], 1e-6)

    def test_controls_act(self) -> None:
        world = stiction.World("grasp")
        world.run(20)
        press = world.contacts["impulse"][:, 0].sum()
        world.control({"gripper_left: force": 300.0, "gripper_right: force": 300.0})
        world.run(20)
        self.assertGreater(world.contacts["impulse"][:, 0].sum(), 1.2 * press)
        with self.assertRaisesRegex(stiction.InputError, "no control 'grip'"):
            world.control({"grip": 1.0})
        with self.assertRaisesRegex(stiction.InputError, "must be finite"):
            world.control({"gripper_left: force": float("nan")})

    def test_settings(self) -> None:
        world = stack()
        world.set(h=0.002, narrowphase="bullet", threads=2)
        world.run(10)
        self.assertAlmostEqual(world.time, 0.02)
        self.assertEqual(world.settings["narrowphase"], "bullet")


class BadInput(unittest.TestCase):
    def test_messages_are_the_programs(self) -> None:
        world = stack()
        for call, message in (
            (lambda: stiction.World("grapse"), "no scene 'grapse'.*did you mean 'grasp'"),
            (lambda: stiction.World("stack", parameters={"boxs": 3}), "did you mean 'boxes'"),
            (lambda: stiction.World("stack", model="no_slp"), "did you mean 'no_slip'"),
            (lambda: stiction.World("stack", solver="ppn"), "unknown solver of"),
            (lambda: stiction.World("stack", narrowphase="bulet"), "did you mean 'bullet'"),
            (lambda: stiction.World("stack", threads=0), "threads: must be in 1"),
            (lambda: stiction.World("stack", h=-1), "step size: must be > 0"),
            (lambda: world.set_model("coulomb_lcp", sidez=8), "unknown key 'sidez'; did you mean 'sides'"),
            (lambda: world.set(h=5), "step:1:.*h: .*"),
            (lambda: world.set(g=5), "unknown key 'g'"),
            (lambda: world.friction(mu=-1), "mu_c: must be a number >= 0"),
            (lambda: world.run(-1), "steps: must be at least 0"),
            (lambda: stiction.World("stack", seed=-1), "seed -1: expected a whole number"),
            (lambda: setattr(world, "time", float("nan")), "not finite"),
            (lambda: stiction.World.from_text("version: 1"), "contact.model is missing"),
            (lambda: stiction.World("/nowhere.yaml"), "no such file"),
        ):
            with self.subTest(message), self.assertRaisesRegex(stiction.InputError, message):
                call()
        self.assertTrue(issubclass(stiction.InputError, ValueError))


class Interpreter(unittest.TestCase):
    def test_control_c_ends_a_long_run_between_steps(self) -> None:
        world = stiction.World("pendulum")
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            world.run(10**9)
        taken = world.steps
        self.assertGreater(taken, 0)
        same = stiction.World("pendulum")
        same.run(taken)
        self.assertEqual(same.hash, world.hash)

    def test_other_threads_run_meanwhile_and_cannot_touch_the_world(self) -> None:
        world = stiction.World("granular")
        runner = threading.Thread(target=world.run, args=(200,))
        runner.start()
        refused = counted = 0
        while runner.is_alive():
            counted += 1
            try:
                world.state
            except RuntimeError as error:
                refused += "another thread" in str(error)
            time.sleep(1e-4)
        runner.join()
        self.assertGreater(counted, 10)
        self.assertGreater(refused, 0)
        self.assertEqual(world.steps, 200)


if __name__ == "__main__":
    unittest.main()
