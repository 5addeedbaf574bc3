// touches.cpp - compares sorted pairs.
#include "live/touches.h"

#include <algorithm>

#include "record/trajectory_sample.h"
#include "step/simulation.h"

namespace stiction {

Touches::Change Touches::look(const Simulation& sim) {
    now_.clear();
    const std::vector<Contact>& contacts = sim.frame.contacts.contacts;
    for (std::size_t i = 0; i < contacts.size() && i < sim.frame.solution.c_n.size(); ++i) {
        if (sim.frame.solution.c_n[i] > 0)
            now_.emplace_back(std::minmax(contacts[i].body_a, contacts[i].body_b));
    }
    return compare();
}

Touches::Change Touches::look(const TrajectorySample& sample) {
    now_.clear();
    for (const ContactForce& contact : sample.contacts) {
        if (contact.force.dot(contact.normal) > 0)
            now_.emplace_back(std::minmax(contact.body_a, contact.body_b));
    }
    return compare();
}

Touches::Change Touches::compare() {
    std::sort(now_.begin(), now_.end());
    now_.erase(std::unique(now_.begin(), now_.end()), now_.end());
    Change change;
    if (known_) {
        auto a = before_.begin();
        auto b = now_.begin();
        while (a != before_.end() || b != now_.end()) {
            if (b == now_.end() || (a != before_.end() && *a < *b)) {
                ++change.lost;
                ++a;
            } else if (a == before_.end() || *b < *a) {
                ++change.made;
                ++b;
            } else {
                ++a;
                ++b;
            }
        }
    }
    known_ = true;
    std::swap(before_, now_);
    return change;
}

void Touches::clear() { known_ = false; }

}  // namespace stiction
