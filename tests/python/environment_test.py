"""reset and step in the manner of Gymnasium."""

import unittest

import numpy as np

import stiction


class Environment(unittest.TestCase):
    def test_a_stronger_grip_holds(self) -> None:
        names = ["gripper_left: force", "gripper_right: force"]
        env = stiction.Environment(
            "grasp", controls=names, model="coulomb_cone", steps=20, horizon=5,
            observe=lambda w: w.state[:, 2], reward=lambda w: -float(np.abs(w.state[:, 7:10]).max()))
        self.assertEqual(env.action_low.shape, (2,))
        first, info = env.reset()
        self.assertEqual(info["steps"], 0)
        rewards = []
        for _ in range(5):
            observation, reward, terminated, truncated, info = env.step([300, 300])
            rewards.append(reward)
        self.assertFalse(terminated)
        self.assertTrue(truncated)
        self.assertEqual((info["steps"], info["status"]), (100, "solved"))
        again, _ = env.reset()
        np.testing.assert_array_equal(first, again)
        self.assertEqual(rewards, [env.step([300, 300])[1] for _ in range(5)])

    def test_seeds(self) -> None:
        env = stiction.Environment("granular")
        a, _ = env.reset(seed=1)
        b, _ = env.reset(seed=2)
        c, _ = env.reset(seed=1)
        np.testing.assert_array_equal(a, c)
        self.assertGreater(np.abs(a - b).max(), 0)

    def test_bad_input(self) -> None:
        with self.assertRaisesRegex(stiction.InputError, "no control 'grip'"):
            stiction.Environment("grasp", controls=["grip"])
        with self.assertRaisesRegex(stiction.InputError, "got 2 numbers; expected 0"):
            stiction.Environment("stack").step([1, 2])


if __name__ == "__main__":
    unittest.main()
