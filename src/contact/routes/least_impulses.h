// least_impulses.h - of all impulses that solve an island, the least ones.
//
// Contacts hold a body by more rows than it has velocities, and impulses that change nothing,
// G'd = 0, may be added as long as every law still holds. Sweeps and Newton steps leave whatever
// part of them their start and their order bring about. Wanted are
//
//   min |r + d|^2   over   d,   W d = 0,   d = 0 where r is at a bound of its law and does not rest
//
// where a block strictly inside its law sticks, so that it may have any impulse there. With F those
// rows and W_FF = G M^-1 G' + compliance on them,
//
//   d <- d - (e w + W_FF)^-1 W_FF d,     from d = -r_F,   e = 1e-7, w the mean weight
//
// whose limit has W_FF d = 0, and r_F + d lies in the range of W_FF, which is what least means: one
// factorisation over the bodies (body_operator.h), a solve per iteration. r moves along d as far as
// the laws allow; blocks that arrive at their bounds stay there, and the others go on.
//
// Bodies at rest keep these impulses as their next guess. So this is done only where impulses
// differ from the guess, and where rows are more than velocities: unique impulses cost nothing.
// Islands with joints or motors, and piles that are never factored, are left alone.
#pragma once

#include "contact/island/island_task.h"
#include "contact/routes/newton.h"

namespace stiction {

struct LeastImpulses {
    VecX r, d, u;
    std::vector<Mat3> A, B;
    std::vector<char> open;
};

// Of the triples, which hold an answer under the law, and of the solution. An answer that is not
// solved, or would be less so, stays as it is.
void lessen_impulses(const IslandTask& task, const ContactLaw& law, IslandResult& result);

}  // namespace stiction
