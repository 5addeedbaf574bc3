// safety.h - the net under every answer: one that did not converge is compared with the safe one,
// contact without friction, and the better of the two is committed.
//
// Better is, in this order: finite; no more kinetic energy than v_free has, where nothing but the
// impulses could have added any (biases >= 0, joints and motors that want no motion, no prescribed
// one); gaps that close less.
#pragma once

#include "contact/island/island_task.h"

namespace stiction {

// What counts of an answer in task.solution.
struct AnswerQuality {
    bool finite = false;
    double energy = 0;    // kinetic, over that of v_free [-]; 1 where more is allowed
    double approach = 0;  // fastest with which a gap closes that should not [m/s]
};
[[nodiscard]] AnswerQuality quality_of(const IslandTask& task);
[[nodiscard]] bool is_better(const AnswerQuality& a, const AnswerQuality& b);
// Nothing to worry about: no energy from nowhere, and gaps close by a small part of the speeds; of
// what a budget cut short, which the caller asked for, the gaps may close.
[[nodiscard]] bool is_sound(const IslandTask& task, const AnswerQuality& quality, bool cut_short);

void keep_answer(const IslandTask& task, KeptAnswer& kept);
void put_back(const IslandTask& task, const KeptAnswer& kept);

}  // namespace stiction
