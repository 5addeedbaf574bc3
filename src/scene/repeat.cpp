// repeat.cpp - rows and grids of repeated entries, with seeded jitter.
#include "scene/repeat.h"

#include <array>
#include <vector>

#include "core/random.h"

namespace stiction {
namespace {

using Indices = std::array<std::int64_t, 3>;
constexpr std::array<const char*, 3> kIndexNames = {"i", "j", "k"};

// Where a copy stands, and how many there are along each axis through it.
struct Cell {
    Indices at = {0, 0, 0};
    Indices count = {1, 1, 1};
};

struct Repeat {
    std::size_t axes = 0;  // 1: a row, 2 or 3: a grid; 0: no repetition
    std::vector<Cell> cells;
    Vec3 spacing = Vec3::Zero();  // [m]: of a row its step, of a grid the distance along each axis
    bool centred = false;
    Vec3 jitter = Vec3::Zero();  // [m], each coordinate uniform in +-
    double jitter_angle = 0;     // [rad], each component of the rotation vector uniform in +-
};

// Every cell becomes as many as the count of this axis says, which may use the indices before.
std::vector<Cell> along_axis(const std::vector<Cell>& cells, std::size_t axis, const Node& count,
                             const Node& whole) {
    Scope scope{&count.scope(), {}};
    for (std::size_t a = 0; a < axis; ++a) scope.values.emplace_back(kIndexNames[a], 0);
    const Node inner = count.in(scope);
    std::vector<Cell> result;
    for (const Cell& cell : cells) {
        for (std::size_t a = 0; a < axis; ++a)
            scope.values[a].second = static_cast<double>(cell.at[a]);
        Cell next = cell;
        next.count[axis] = inner.integer(0, kMaxCopies);
        if (result.size() + static_cast<std::size_t>(next.count[axis]) > kMaxCopies) {
            whole.fail("more than " + std::to_string(kMaxCopies) + " copies of one entry");
        }
        for (std::int64_t i = 0; i < next.count[axis]; ++i) {
            next.at[axis] = i;
            result.push_back(next);
        }
    }
    return result;
}

void read_count(const Node& node, Repeat& repeat) {
    repeat.cells = {Cell{}};
    repeat.axes = node.is_list() ? node.size() : 1;
    if (repeat.axes < 1 || repeat.axes > 3)
        node.fail("expected a count, or a list of 1 to 3 counts");
    for (std::size_t a = 0; a < repeat.axes; ++a) {
        repeat.cells = along_axis(repeat.cells, a, node.is_list() ? node[a] : node, node);
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

Vec3 offset_of(const Repeat& repeat, const Cell& cell) {
    Vec3 index = Vec3::Zero();
    for (std::size_t a = 0; a < 3; ++a) {
        const double middle = repeat.centred ? 0.5 * static_cast<double>(cell.count[a] - 1) : 0.0;
        index[static_cast<Eigen::Index>(a)] = static_cast<double>(cell.at[a]) - middle;
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
    Random random(seed);
    Scope scope{&entry.scope(), {{"i", 0}, {"j", 0}, {"k", 0}, {"index", 0}, {"n", 0}}};
    scope.values[4].second = static_cast<double>(repeat.cells.size());
    const Node inner = entry.in(scope);
    double index = 0;
    for (const Cell& cell : repeat.cells) {
        std::string suffix;
        for (std::size_t a = 0; a < repeat.axes; ++a) suffix += "_" + std::to_string(cell.at[a]);
        for (std::size_t a = 0; a < 3; ++a) {
            scope.values[a].second = static_cast<double>(cell.at[a]);
        }
        scope.values[3].second = index++;
        Copy copy{inner, suffix, offset_of(repeat, cell), Quat::Identity()};
        add_jitter(repeat, random, copy);
        visit(copy);
    }
}

void for_each_part(const Node& part, const std::function<void(const Node&)>& visit) {
    part.expect_map();
    const Repeat repeat = read_repeat(part, false);
    if (repeat.axes == 0) {
        visit(part);
        return;
    }
    Scope scope{&part.scope(), {}};
    for (std::size_t a = 0; a < repeat.axes; ++a) scope.values.emplace_back(kIndexNames[a], 0);
    const Node inner = part.in(scope);
    for (const Cell& cell : repeat.cells) {
        for (std::size_t a = 0; a < repeat.axes; ++a)
            scope.values[a].second = static_cast<double>(cell.at[a]);
        visit(inner);
    }
}

std::string copy_name(const Copy& copy) {
    const auto name = copy.entry.find("name");
    if (!name) return "";
    if (name->text().find('{') != std::string::npos) return name->name();
    return name->name() + copy.suffix;
}

}  // namespace stiction
