// undo.cpp - a list of edits and a place in it.
#include "view/undo.h"

#include <algorithm>
#include <utility>

namespace stiction {

namespace {

constexpr double kMoment = 1;  // [s]
constexpr std::size_t kMostEdits = 200;

std::string edit_name(const LiveSettings& a, const LiveSettings& b) {
    const auto change = [](const std::string& what, std::string_view from, std::string_view to) {
        return what + " " + std::string(from) + " to " + std::string(to);
    };
    if (a.contact.index() != b.contact.index())
        return change("model", name(a.contact), name(b.contact));
    if (solver_name(a.contact) != solver_name(b.contact))
        return change("solver", solver_name(a.contact), solver_name(b.contact));
    if (a.step.narrowphase != b.step.narrowphase)
        return change("narrowphase", name(a.step.narrowphase), name(b.step.narrowphase));
    return "settings";
}

}  // namespace

void Undo::push(Edit edit) {
    edits_.resize(at_);
    edits_.push_back(std::move(edit));
    if (edits_.size() > kMostEdits) edits_.erase(edits_.begin());
    at_ = edits_.size();
}

void Undo::settings(const LiveSettings& before, const LiveSettings& after, double now) {
    const std::string name = edit_name(before, after);
    Edit* last = at_ > 0 && ahead() == 0 ? &edits_.back() : nullptr;
    if (name == "settings" && last != nullptr && last->name == name && now - last->at < kMoment) {
        last->settings_after = after;
        last->at = now;
        return;
    }
    push({name, before, after, 0, 0, 0, now});
}

void Undo::control(std::size_t control, const std::string& name, double before, double after,
                   double now) {
    Edit* last = at_ > 0 && ahead() == 0 ? &edits_.back() : nullptr;
    if (last != nullptr && !last->settings_before && last->control == control &&
        now - last->at < kMoment) {
        last->after = after;
        last->at = now;
        return;
    }
    push({name, {}, {}, control, before, after, now});
}

void Undo::clear() {
    edits_.clear();
    at_ = 0;
}

std::optional<Edit> Undo::back() {
    if (at_ == 0) return std::nullopt;
    return edits_[--at_];
}

std::optional<Edit> Undo::again() {
    if (ahead() == 0) return std::nullopt;
    return edits_[at_++];
}

}  // namespace stiction
