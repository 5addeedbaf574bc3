"""From a scene to the contact problem of a step, three solvers and their residuals."""

import stiction


def main(folder: str = ".") -> dict[str, float]:
    world = stiction.World("arch", model="coulomb_cone")
    world.run(50)
    problem = world.problem()  # u = W r + q
    print(f"W {problem.W.shape}, {problem.W.nnz} numbers; q {problem.q.shape}; mu {problem.mu.shape}")
    solvers = ("prox_newton", "newton", "pgs")
    print(stiction.compare(problem, solvers, tolerance=1e-6))
    return {solver: problem.solve(solver, tolerance=1e-6).residual for solver in solvers}


if __name__ == "__main__":
    main()
