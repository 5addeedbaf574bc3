// one_problem.cpp - solves one contact problem: a body of 1 kg that presses with 1 N s and slides over a floor.
#include <stiction/core/error.h>
#include <stiction/solve/cone/solve_named.h>

#include <cstdio>

int main(int argc, char** argv) {
    stiction::ConeProblem problem;  // u = W r + q: normal, tangent 1, tangent 2
    problem.W = stiction::make_block_matrix(Eigen::MatrixXd(Eigen::Matrix3d::Identity()));
    problem.q = Eigen::Vector3d(-1, 3, 4);  // [m/s]
    problem.mu = Eigen::VectorXd::Constant(1, 0.3);
    try {
        const stiction::ConeResult answer =
            stiction::solve_named(argc > 1 ? argv[1] : "prox_newton", problem);
        std::printf("%s after %d iterations, residual %.1g\n", name(answer.status).data(),
                    answer.iterations, answer.residual);
        std::printf("impulse %.6f %.6f %.6f N s\n", answer.r[0], answer.r[1], answer.r[2]);
    } catch (const stiction::InputError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
    return 0;
}
