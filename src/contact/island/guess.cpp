// guess.cpp - matches last step's contacts with this step's.
#include "contact/island/guess.h"

namespace stiction {

void match(const Guess& guess, const ContactProblem& problem, std::vector<std::uint64_t>& contacts,
           std::vector<Vec3>& impulses) {
    contacts.assign(problem.contacts.size(), kNoGuess);
    impulses.assign(problem.contacts.size(), Vec3::Zero());
    std::size_t old = 0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactKey& wanted = problem.contacts[i].key;
        while (old < guess.keys.size() && guess.keys[old] < wanted) ++old;
        if (old == guess.keys.size() || !(guess.keys[old] == wanted)) continue;
        contacts[i] = guess.contacts[old];
        if (old < guess.impulses.size()) impulses[i] = guess.impulses[old];
    }
}

}  // namespace stiction
