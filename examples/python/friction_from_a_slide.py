"""The friction of a ramp from a recorded slide: simulated with many coefficients at a time, the best one by least squares."""

import os

import numpy as np
import numpy.typing as npt
import stiction

STEPS, EVERY = 400, 10
NOISE = 2e-4  # of the camera that recorded the slide [m]


def slide(mu: float) -> npt.NDArray[np.float64]:
    """Distance along the ramp at every tenth step."""
    world = stiction.World("ramp", parameters={"mu": mu})
    path = stiction.rollout(world, [world.state], steps=STEPS, every=EVERY)[0, :, world.bodies.index("cube"), :3]
    return np.asarray(np.linalg.norm(path - path[0], axis=1))


def main(folder: str = ".", true_mu: float = 0.237) -> float:
    import matplotlib.pyplot as plt

    recorded = slide(true_mu) + np.random.default_rng(4).normal(0, NOISE, STEPS // EVERY)
    lo, hi = 0.0, 0.36
    for _ in range(4):  # finer and finer around the best
        tried = np.linspace(lo, hi, 9)
        errors = [float(np.sum((slide(mu) - recorded) ** 2)) for mu in tried]
        best = int(np.argmin(errors))
        lo, hi = tried[max(best - 1, 0)], tried[min(best + 1, 8)]
    found = float(tried[best])
    print(f"friction {found:.4f}, true {true_mu}")

    time = np.arange(EVERY, STEPS + 1, EVERY) * 1e-3
    figure, axes = plt.subplots(figsize=(5, 3.2), layout="constrained")
    axes.plot(time, recorded, ".", label="recorded")
    for mu in (found, found - 0.05, found + 0.05):
        axes.plot(time, slide(mu), "-" if mu == found else ":", label=f"simulated, μ = {mu:.3f}")
    axes.set(xlabel="time [s]", ylabel="way along the ramp [m]")
    axes.legend()
    figure.savefig(os.path.join(folder, "python_slide.png"), dpi=110)
    return found


if __name__ == "__main__":
    main()
