// safety.h - the net under every answer: one that did not converge, or that cannot be what it says,
// is compared with the safe one, contact without friction, and the better of the two is committed.
//
// Better is, in this order: finite; no more kinetic energy than a law can give; nothing thrown from
// under a body that is far heavier; gaps that do not close but for a little; impulses that are not larger than what the motion needs by orders of
// magnitude; gaps that close less. The bound on energy, for every law of this folder solved exactly:
//
//   1/2 v+'M v+  <=  1/2 v_free'M v_free + A,      A = - c_n.bias + c_j.bJ - c_l.bL + c_b.bB - c.G u0
//
// A is what rows were asked to add: zero in islands that are passive, where biases are >= 0, joints
// and motors want no motion and no body has a prescribed one. In these v = 0 obeys all rows; in
// others they may contradict one another (routes/least_squares.h), be it but for a wedge without
// width that would be thrown at any speed. So A beyond what ten times the speeds asked for would give
// the links is believed only where the rows do not contradict one another.
#pragma once

#include "contact/island/island_task.h"

namespace stiction {

// What counts of an answer in task.solution.
struct AnswerQuality {
    bool finite = false;  // and no noise: the rounding of its impulses is not all there is
    double energy = 0;    // kinetic, over the most that the law can give [-]; at least 1
    double approach = 0;  // fastest with which a gap closes that should not [m/s]
    bool closes = false;  // faster than a small part of the speeds
    bool thrown = false;  // a light body is, from under one that weighs 1e6 times as much
    bool absurd = false;  // the largest impulse is, beside most_needed()
};
// A: energy that the rows of these links were asked to add [J].
[[nodiscard]] double asked_energy(const ContactProblem& problem, std::span<const int> links,
                                  const ContactSolution& solution);
[[nodiscard]] bool is_passive(const IslandTask& task);
// Whether a free body weighs so much more than another, 1e6 times, that residuals, which add up what
// both feel, say little of either.
[[nodiscard]] bool is_lopsided(const IslandTask& task);
// Whether an answer may be what it says, solved: no energy from nowhere, no row broken by more than a
// tolerance explains, no absurd impulse. `is_lawful` allows any A, is_credible that of short levers.
// Motors that could do more reach their speed under every law but that of maximal dissipation, where
// they share in what is least.
enum class Drives : bool { kReachTheirSpeed, kShare };
[[nodiscard]] bool is_credible(const IslandTask& task, Drives drives);
[[nodiscard]] bool is_lawful(const IslandTask& task, Drives drives);
// Of contacts, limits and joints alone, for routes whose residual cannot tell: it adds up what heavy
// and light bodies feel.
[[nodiscard]] bool breaks_no_row(const IslandTask& task);
// By how much the answer breaks a row at most, of the fastest speed that was free or asked for [-];
// and whether that is clear.
[[nodiscard]] double violation(const IslandTask& task);
[[nodiscard]] bool is_contradiction(const IslandTask& task);
[[nodiscard]] AnswerQuality quality_of(const IslandTask& task);
// Whether an answer that is not solved may be noise though its energy and gaps look well: in
// lopsided islands. The light one feels the difference of impulses
// that are larger than its own momentum by that ratio, so rounding alone gives it a speed of eps
// times the ratio of what is free; nothing of it shows beside the energy of the heavy one.
[[nodiscard]] bool is_doubtful(const IslandTask& task, const IslandResult& result);
// Whether the friction of every link, added up over its contacts, is at most what Coulomb's law lets
// its normal impulses have.
[[nodiscard]] bool holds_by_friction(const IslandTask& task);
[[nodiscard]] bool is_better(const AnswerQuality& a, const AnswerQuality& b);
// Nothing to worry about: no energy from nowhere, no absurd impulses, and gaps close by a small part
// of the speeds; of what a budget cut short, which the caller asked for, the gaps may close.
[[nodiscard]] bool is_sound(const AnswerQuality& quality, bool cut_short);

// More than any contact of the island has to transmit: all of its momentum, that of the forces of
// the step, what its rows and prescribed motion ask for beyond rest and what its motors may do [N s].
[[nodiscard]] double most_needed(const IslandTask& task);
// Whether prescribed motion or a motor without limit may push harder than that.
[[nodiscard]] bool is_pushed(const IslandTask& task);

void keep_answer(const IslandTask& task, KeptAnswer& kept);
void put_back(const IslandTask& task, const KeptAnswer& kept);

}  // namespace stiction
