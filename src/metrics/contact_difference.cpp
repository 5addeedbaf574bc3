// contact_difference.cpp - goes through two sets pair by pair.
#include "metrics/contact_difference.h"

#include <cmath>
#include <tuple>

namespace stiction {

namespace {

auto pair_of(const Contact& c) { return std::tie(c.body_a, c.body_b, c.geom_a, c.geom_b); }

// The contacts of one pair of geoms.
class PairReader {
  public:
    explicit PairReader(const ContactSet& set) : contacts_(set.contacts) { find(); }
    [[nodiscard]] bool ended() const { return begin_ == contacts_.size(); }
    [[nodiscard]] const Contact& deepest() const { return contacts_[deepest_]; }
    void next() {
        begin_ = end_;
        find();
    }

  private:
    void find() {
        deepest_ = end_ = begin_;
        while (end_ < contacts_.size() && pair_of(contacts_[end_]) == pair_of(contacts_[begin_])) {
            if (contacts_[end_].phi < contacts_[deepest_].phi) deepest_ = end_;
            ++end_;
        }
    }

    const std::vector<Contact>& contacts_;
    std::size_t begin_ = 0, end_ = 0, deepest_ = 0;
};

double angle(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

}  // namespace

ContactDifference contact_difference(const ContactSet& x, const ContactSet& y) {
    ContactDifference difference;
    PairReader a(x), b(y);
    const auto pass = [&](PairReader& alone) {
        difference.unmatched += alone.deepest().phi < 0 ? 1 : 0;
        alone.next();
    };
    while (!a.ended() || !b.ended()) {
        if (b.ended() || (!a.ended() && pair_of(a.deepest()) < pair_of(b.deepest()))) {
            pass(a);
        } else if (a.ended() || pair_of(b.deepest()) < pair_of(a.deepest())) {
            pass(b);
        } else {
            const Contact &p = a.deepest(), &q = b.deepest();
            difference.gap = std::max(difference.gap, std::abs(p.phi - q.phi));
            difference.normal = std::max(difference.normal, angle(p.n, q.n));
            a.next();
            b.next();
        }
    }
    return difference;
}

}  // namespace stiction
