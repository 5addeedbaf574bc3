"""Four solvers on the contact problems of a dataset: accuracy against time, frame by frame."""

import os
from typing import Any

import numpy as np
import stiction

SOLVERS = (("coulomb_cone", "pgs"), ("friction_box", "pgs_sm"), ("coulomb_cone", "newton"), ("coulomb_cone", "split"))


def main(folder: str = ".") -> dict[str, list[Any]]:
    import matplotlib.pyplot as plt

    path = os.path.join(folder, "arch.h5")
    world = stiction.World("arch", model="coulomb_cone")
    with world.recording(path, every=10):
        world.run(100)
    dataset = stiction.Dataset(path)
    answers: dict[str, list[Any]] = {solver: [] for _, solver in SOLVERS}
    for frame in (dataset[k] for k in range(len(dataset))):
        for model, solver in SOLVERS:
            answers[solver].append(frame.solve(model, solver, tolerance=1e-8))
    figure, axes = plt.subplots(figsize=(5.5, 3.4), layout="constrained")
    print(f"{'solver':<8} {'solved':>8} {'iterations':>10} {'Coulomb residual':>16} {'ms':>8}")
    for solver, rows in answers.items():
        worst = [max(row["natural"], row["scaled"], 1e-17) for row in rows]
        milliseconds = [1e3 * row["seconds"] for row in rows]
        solved = sum(row["status"] == "solved" for row in rows)
        print(f"{solver:<8} {solved:>3} of {len(rows)} {np.mean([row['iterations'] for row in rows]):>10.1f} "
              f"{np.median(worst):>16.1e} {np.median(milliseconds):>8.3f}")
        axes.loglog(milliseconds, worst, "o", label=solver, alpha=0.7)
    axes.set(xlabel="time of the solve [ms]", ylabel="Coulomb residual")
    axes.legend()
    figure.savefig(os.path.join(folder, "python_four_solvers.png"), dpi=110)
    return answers


if __name__ == "__main__":
    main()
