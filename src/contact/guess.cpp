// guess.cpp - matches last step's contacts with this step's.
#include "contact/guess.h"

namespace stiction {

void match(const Guess& guess, const ContactProblem& problem,
           std::vector<std::uint64_t>& contacts) {
    contacts.assign(problem.contacts.size(), kNoGuess);
    std::size_t old = 0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactKey& wanted = problem.contacts[i].key;
        while (old < guess.keys.size() && guess.keys[old] < wanted) ++old;
        if (old < guess.keys.size() && guess.keys[old] == wanted) contacts[i] = guess.contacts[old];
    }
}

}  // namespace stiction
