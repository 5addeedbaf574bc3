// step_quality.cpp - gathers the arrays of contact_quality.h from a step's problem and solution.
#include "metrics/step_quality.h"

#include "problem/link_motion.h"

namespace stiction {

void measure_quality(const ContactProblem& problem, const ContactSolution& solution,
                     const QualityThresholds& thresholds, StepQualityWorkspace& workspace,
                     ContactQuality& quality) {
    const auto nc = static_cast<Eigen::Index>(problem.contacts.size());
    for (VecX* x : {&workspace.mu, &workspace.weight, &workspace.phi, &workspace.bias}) {
        x->resize(nc);
    }
    for (VecX* x : {&workspace.r, &workspace.u, &workspace.q}) x->resize(3 * nc);
    int link = kNone;  // contacts of a link follow one another
    Vec6 v_link = Vec6::Zero();
    Vec6 v_free_link = Vec6::Zero();
    Mat6 D = Mat6::Zero();
    for (Eigen::Index i = 0; i < nc; ++i) {
        const auto a = at(i);
        const ContactRow& row = problem.contacts[a];
        if (row.link != link) {
            link = row.link;
            const Link& pair = problem.system.links[at(link)];
            v_link = link_velocity(problem.system, pair, solution.v);
            v_free_link = link_velocity(problem.system, pair, problem.v_free);
            D = delassus_block(problem.system, pair, pair);
        }
        workspace.mu[i] = row.mu_c;
        workspace.phi[i] = row.phi;
        workspace.bias[i] = row.bias;
        workspace.r.segment<3>(3 * i) << solution.c_n[a], solution.c_s[a], solution.c_t[a];
        workspace.u.segment<3>(3 * i) << row.n.dot(v_link) + row.bias, row.s.dot(v_link),
            row.t.dot(v_link);
        workspace.q.segment<3>(3 * i) << row.n.dot(v_free_link) + row.bias, row.s.dot(v_free_link),
            row.t.dot(v_free_link);
        workspace.weight[i] =
            (row.n.dot(D * row.n) + row.s.dot(D * row.s) + row.t.dot(D * row.t)) / 3;
    }
    QualityInput input;
    input.mu = view(workspace.mu);
    input.r = view(workspace.r);
    input.u = view(workspace.u);
    input.q = view(workspace.q);
    input.weight = view(workspace.weight);
    input.phi = view(workspace.phi);
    input.bias = view(workspace.bias);
    input.h = problem.h;
    measure_quality(input, thresholds, quality);
}

}  // namespace stiction
