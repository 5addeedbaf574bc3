"""Which grips hold: two grippers and two boxes over friction and force, under six contact models."""

import os

import numpy as np
import numpy.typing as npt
import stiction

STEPS = 100
COEFFICIENTS = np.linspace(0.05, 0.6, 12)
FORCES = np.linspace(10, 120, 12)  # per box [N]


def sinking(model: str, mu: float, force: float) -> float:
    """How fast the lowest box falls after STEPS steps [m/s]; 0.98 m/s is free fall."""
    world = stiction.World("grasp", model=model, parameters={"mu": mu, "force_per_box": force})
    world.run(STEPS)
    return float(-world.state[:, 9].min())


def main(folder: str = ".") -> dict[str, npt.NDArray[np.float64]]:
    import matplotlib.pyplot as plt

    maps = {model: np.array([[sinking(model, mu, f) for mu in COEFFICIENTS] for f in FORCES]) for model in stiction.models}
    figure, axes = plt.subplots(2, 3, figsize=(9, 5.2), sharex=True, sharey=True, layout="constrained")
    line = np.linspace(COEFFICIENTS[0], COEFFICIENTS[-1], 200)
    for axis, (model, speed) in zip(axes.flat, maps.items()):
        picture = axis.pcolormesh(COEFFICIENTS, FORCES, speed, vmin=0, vmax=1, shading="nearest")
        # Coulomb: two faces carry 2 mu F, where F is twice the force per box; the boxes weigh 2 m g.
        axis.plot(line, 9.81 / (2 * line), "w--")
        axis.set(title=model, xlim=COEFFICIENTS[[0, -1]], ylim=FORCES[[0, -1]])
    figure.supxlabel("friction coefficient")
    figure.supylabel("force per box [N]")
    figure.colorbar(picture, ax=axes, label=f"speed of the fall after {STEPS} steps [m/s]")
    figure.savefig(os.path.join(folder, "python_grasp_map.png"), dpi=110)
    for model, speed in maps.items():
        print(f"{model:<16} {int((speed < 1e-3).sum()):>4} of {speed.size} grips hold")
    return maps


if __name__ == "__main__":
    main()
