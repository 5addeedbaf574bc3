// row_states.cpp - which rows act, from one step to the next.
#include "contact/island/row_states.h"

namespace stiction {

namespace {

// Guess bits of a contact: its normal row is free (presses); Newton's method answered for its
// island. Of a joint: two bits per row kind.
constexpr std::uint64_t kPresses = 1;
constexpr std::uint64_t kByNewton = 2;
constexpr int kLowerLimitShift = 0, kUpperLimitShift = 2, kMotorShift = 4, kFrictionShift = 6;

int joint_shift(const ContactProblem& problem, const RowSource& source) {
    if (source.kind == RowSource::Kind::kLimit) {
        return problem.limits[at(source.index)].upper ? kUpperLimitShift : kLowerLimitShift;
    }
    return problem.bounded[at(source.index)].friction ? kFrictionShift : kMotorShift;
}

int joint_of(const ContactProblem& problem, const RowSource& source) {
    return source.kind == RowSource::Kind::kLimit ? problem.limits[at(source.index)].joint
                                                  : problem.bounded[at(source.index)].joint;
}

}  // namespace

bool guess_presses(const ContactProblem& problem, std::uint64_t bits, const ContactRow& contact) {
    return bits == kNoGuess ? touching(problem, contact) : (bits & kPresses) != 0;
}

void guess_row_states(const IslandTask& task, std::span<const std::uint64_t> contacts,
                      std::span<const std::uint64_t> joints, IslandRows& rows) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        const RowSource& source = rows.source[r];
        switch (source.kind) {
            case RowSource::Kind::kNormal: {
                const bool presses = guess_presses(task.problem, contacts[at(source.index)],
                                                   task.problem.contacts[at(source.index)]);
                rows.state[r] = presses ? BoundState::kFree : BoundState::kLower;
                break;
            }
            case RowSource::Kind::kLimit:
            case RowSource::Kind::kBounded: {
                const int joint = joint_of(task.problem, source);
                const std::uint64_t bits = at(joint) < joints.size() ? joints[at(joint)] : kNoGuess;
                if (bits == kNoGuess) break;
                rows.state[r] =
                    static_cast<BoundState>((bits >> joint_shift(task.problem, source)) & 3U);
                break;
            }
            default:
                break;
        }
    }
}

void keep_row_states(const IslandTask& task, const IslandRows& rows) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        const RowSource& source = rows.source[r];
        if (source.kind == RowSource::Kind::kNormal) {
            std::uint64_t& bits = task.shared.next_contacts[at(source.index)];
            bits = (bits == kNoGuess ? 0 : bits & kByNewton) |
                   (rows.state[r] == BoundState::kFree ? kPresses : 0);
        } else if (source.kind == RowSource::Kind::kLimit ||
                   source.kind == RowSource::Kind::kBounded) {
            const int joint = joint_of(task.problem, source);
            if (at(joint) >= task.shared.next_joints.size()) continue;
            std::uint64_t& bits = task.shared.next_joints[at(joint)];
            if (bits == kNoGuess) bits = 0;
            const int shift = joint_shift(task.problem, source);
            bits &= ~(std::uint64_t{3} << shift);
            bits |= static_cast<std::uint64_t>(rows.state[r]) << shift;
        }
    }
}

bool needs_newton(const IslandTask& task) {
    bool any = false;
    for_each_contact(task, [&](int i) {
        const std::uint64_t bits = task.shared.guess.bits[at(i)];
        any = any || (bits != kNoGuess && (bits & kByNewton) != 0);
    });
    return any;
}

void keep_newton(const IslandTask& task) {
    for_each_contact(task, [&](int i) {
        std::uint64_t& bits = task.shared.next_contacts[at(i)];
        bits = (bits == kNoGuess ? 0 : bits) | kByNewton;
    });
}

void guess_impulses(const IslandTask& task, IslandRows& rows) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        const RowSource& source = rows.source[r];
        if (!is_of_contact(source)) continue;
        rows.c[r] = rows.rows[r].g.head<3>().dot(task.shared.guess.impulses[at(source.index)]);
    }
}

void keep_impulses(const IslandTask& task, const IslandRows& rows) {
    const auto guess = [&](std::size_t r) -> Vec3& {
        return task.shared.guess.impulses[at(rows.source[r].index)];
    };
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (is_of_contact(rows.source[r])) guess(r).setZero();
    }
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (is_of_contact(rows.source[r])) guess(r) += rows.c[r] * rows.rows[r].g.head<3>();
    }
}

}  // namespace stiction
