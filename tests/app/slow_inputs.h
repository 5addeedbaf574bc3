// slow_inputs.h - a scene whose first step, and a stored problem whose solve, take longer than any
// test waits.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace stiction::test {

// Boxes that overlap their neighbours, solved with dense matrices.
inline const std::string kSlowScene =
    "version: 1\ncontact: {model: no_slip, solver: ppm}\nbodies:\n"
    "  - {name: ground, kind: static, shape: {type: plane}}\n"
    "  - name: box_{i}_{j}_{k}\n    repeat: [7, 7, 7]\n"
    "    position: [0.3*i, 0.3*j, 0.3*k]\n    mass: 1\n"
    "    shape: {type: box, size: [0.5, 0.5, 0.5]}\n";

// W = B B' of a sixth of its rank, and q outside of its range: there is no solution, and a solver
// that is asked for 1e-300 works until its iterations end.
inline std::string slow_problem() {
    constexpr int n = 900, rank = n / 6;
    std::vector<double> b(n * rank);
    double x = 0.5;  // the logistic map: numbers like random ones, the same everywhere
    for (double& value : b) {
        x = 3.99 * x * (1 - x);
        value = std::round(100 * (x - 0.5)) / 100;
    }
    std::string text = "3 " + std::to_string(n / 3) + " 0 " + std::to_string(n) + " " +
                       std::to_string(n) + " " + std::to_string(n) + " " + std::to_string(n) + "\n";
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double w = 0;
            for (int k = 0; k < rank; ++k)
                w += b[static_cast<std::size_t>(i * rank + k)] *
                     b[static_cast<std::size_t>(j * rank + k)];
            text += std::to_string(w) + (j + 1 < n ? " " : "\n");
        }
    }
    for (int i = 0; i < n; ++i) text += i % 3 == 0 ? "-1 " : "0.5 ";
    for (int i = 0; i < n / 3; ++i) text += " 0.7";
    return text + "\n";
}

}  // namespace stiction::test
