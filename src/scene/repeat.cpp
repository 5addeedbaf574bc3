// repeat.cpp - rows and grids of repeated entries, with seeded jitter.
#include "scene/repeat.h"

#include <array>

#include "core/random.h"

namespace stiction {
namespace {

struct Repeat {
    std::size_t axes = 0;  // 1: a row, 2 or 3: a grid; 0: no repetition
    std::array<std::int64_t, 3> count = {1, 1, 1};
    Vec3 spacing = Vec3::Zero();  // [m]: of a row its step, of a grid the distance along each axis
    bool centred = false;
    Vec3 jitter = Vec3::Zero();  // [m], each coordinate uniform in +-
    double jitter_angle = 0;     // [rad], each component of the rotation vector uniform in +-
};

void read_count(const Node& node, Repeat& repeat) {
    if (!node.is_list()) {
        repeat.axes = 1;
        repeat.count[0] = node.integer(0, kMaxCopies);
        return;
    }
    repeat.axes = node.size();
    if (repeat.axes < 1 || repeat.axes > 3)
        node.fail("expected a count, or a list of 1 to 3 counts");
    std::int64_t total = 1;
    for (std::size_t a = 0; a < repeat.axes; ++a) {
        repeat.count[a] = node[a].integer(0, kMaxCopies);
        total *= repeat.count[a];
        if (total > kMaxCopies) {
            node.fail("more than " + std::to_string(kMaxCopies) + " copies of one entry");
        }
    }
}

Vec3 read_jitter(const Node& node) {
    if (node.is_list()) return node.vector(at_least_zero("m"));
    return Vec3::Constant(node.number(at_least_zero("m")));
}

Repeat read_repeat(const Node& entry, bool placed) {
    Repeat repeat;
    const auto node = entry.find("repeat");
    if (!node) return repeat;
    if (!node->is_map()) {
        read_count(*node, repeat);
        return repeat;
    }
    if (!placed) {
        node->only({"count"});
        read_count(node->at("count"), repeat);
        return repeat;
    }
    node->only({"count", "spacing", "centred", "jitter"});
    read_count(node->at("count"), repeat);
    repeat.spacing = node->vector("spacing", Vec3::Zero());
    if (const auto centred = node->find("centred")) repeat.centred = centred->boolean();
    if (const auto jitter = node->find("jitter")) {
        jitter->only({"position", "angle"});
        if (const auto position = jitter->find("position")) repeat.jitter = read_jitter(*position);
        repeat.jitter_angle = jitter->number("angle", 0, at_least_zero("rad"));
    }
    return repeat;
}

Vec3 offset_of(const Repeat& repeat, const std::array<std::int64_t, 3>& at) {
    Vec3 index = Vec3::Zero();
    for (std::size_t a = 0; a < 3; ++a) {
        const double middle = repeat.centred ? 0.5 * static_cast<double>(repeat.count[a] - 1) : 0.0;
        index[static_cast<Eigen::Index>(a)] = static_cast<double>(at[a]) - middle;
    }
    if (repeat.axes == 1) return index.x() * repeat.spacing;
    return index.cwiseProduct(repeat.spacing);
}

void add_jitter(const Repeat& repeat, Random& random, Copy& copy) {
    Vec3 turn;
    for (Eigen::Index a = 0; a < 3; ++a) copy.offset[a] += random.uniform(-1, 1) * repeat.jitter[a];
    for (Eigen::Index a = 0; a < 3; ++a) turn[a] = random.uniform(-1, 1) * repeat.jitter_angle;
    if (turn.norm() > 0) copy.turn = Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
}

}  // namespace

void for_each_copy(const Node& entry, bool placed, std::uint64_t seed,
                   const std::function<void(const Copy&)>& visit) {
    entry.expect_map();
    const Repeat repeat = read_repeat(entry, placed);
    if (repeat.axes == 0) {
        visit({entry, "", Vec3::Zero(), Quat::Identity()});
        return;
    }
    const auto [ni, nj, nk] = repeat.count;
    Random random(seed);
    Scope scope{&entry.scope(), {{"i", 0}, {"j", 0}, {"k", 0}, {"index", 0}, {"n", 0}}};
    scope.values[4].second = static_cast<double>(ni * nj * nk);
    const Node inner = entry.in(scope);
    double index = 0;
    for (std::int64_t i = 0; i < ni; ++i) {
        for (std::int64_t j = 0; j < nj; ++j) {
            for (std::int64_t k = 0; k < nk; ++k) {
                const std::array<std::int64_t, 3> at = {i, j, k};
                std::string suffix;
                for (std::size_t a = 0; a < repeat.axes; ++a) suffix += "_" + std::to_string(at[a]);
                for (std::size_t a = 0; a < 3; ++a) {
                    scope.values[a].second = static_cast<double>(at[a]);
                }
                scope.values[3].second = index++;
                Copy copy{inner, suffix, offset_of(repeat, at), Quat::Identity()};
                add_jitter(repeat, random, copy);
                visit(copy);
            }
        }
    }
}

std::string copy_name(const Copy& copy) {
    const auto name = copy.entry.find("name");
    if (!name) return "";
    if (name->text().find('{') != std::string::npos) return name->name();
    return name->name() + copy.suffix;
}

}  // namespace stiction
