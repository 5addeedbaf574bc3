// panel_compare.cpp - a second contact model or narrowphase on the same scene as a ghost, in step
// with it.
#include <imgui.h>

#include <algorithm>
#include <array>

#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

void ghost_rows(Desk& desk, const GhostView& ghost) {
    const Snapshot& now = desk.session.now();
    const Model& model = desk.session.scene().model;
    row("apart", "%s at most, %s rms", with_unit(ghost.distance_max, "m").c_str(),
        with_unit(ghost.distance_rms, "m").c_str());
    if (ghost.furthest != kNone)
        row("furthest", "%s", model.bodies[at(ghost.furthest)].name.c_str());
    const auto time_of = [](const StepRecord& record) { return record.step_seconds; };
    row("step", "%s, ghost %s", with_unit(time_of(now.record), "s").c_str(),
        with_unit(time_of(ghost.record), "s").c_str());
    const auto collide = [](const StepRecord& record) {
        return record.seconds[static_cast<std::size_t>(Stage::kCollide)];
    };
    row("collide", "%s, ghost %s", with_unit(collide(now.record), "s").c_str(),
        with_unit(collide(ghost.record), "s").c_str());
    row("contacts", "%d, ghost %d", now.record.contacts, ghost.record.contacts);
    if (ghost.contacts) {
        row("gaps", "%s off", with_unit(ghost.contacts->gap, "m").c_str());
        row("normals", "%s off", with_unit(ghost.contacts->normal, "rad").c_str());
        row("unseen", "%d pairs by one of the two", ghost.contacts->unmatched);
    }
    if (!ghost.failure.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, packed(palette::kOrange));
        wrapped_text(ghost.failure);
        ImGui::PopStyleColor();
    }
}

// Of the ghost, which starts again with it: the difference is that of the contact set.
void choose_narrowphase(Desk& desk) {
    constexpr std::array<std::string_view, kNarrowphaseNames.size() + 1> kNames = {
        "the scene's", kNarrowphaseNames[0], kNarrowphaseNames[1]};
    const std::optional<NarrowphaseKind> narrowphase = desk.session.ghost_narrowphase();
    std::size_t index = narrowphase ? static_cast<std::size_t>(*narrowphase) + 1 : 0;
    if (!choose(desk.log, "ghost narrowphase", "ghost narrowphase", kNames, index)) return;
    desk.session.set_ghost(
        desk.session.ghost(),
        index == 0 ? std::nullopt : std::optional(static_cast<NarrowphaseKind>(index - 1)));
}

}  // namespace

void compare_panel(Desk& desk) {
    if (!section(desk.log, "section/compare", "Compare", false)) return;
    if (desk.session.is_replay()) {
        grey_text("A recorded run: nothing is simulated.");
        return;
    }
    peers_panel(desk);
    ImGui::Separator();
    std::array<std::string_view, kContactModelNames.size() + 1> names{};
    names[0] = "off";
    std::copy(kContactModelNames.begin(), kContactModelNames.end(), names.begin() + 1);
    const std::optional<ContactModel>& ghost = desk.session.ghost();
    std::size_t index = ghost ? ghost->index() + 1 : 0;
    if (choose(desk.log, "ghost", "ghost model", names, index)) {
        desk.session.set_ghost(index == 0 ? std::nullopt
                                          : std::optional(make_contact_model(
                                                names[index], desk.session.wanted().contact)),
                               desk.session.ghost_narrowphase());
    }
    hint(("The same scene under a second model, from here on (" + key_text(Action::kGhost) + ").")
             .c_str());
    if (!ghost) return;
    choose_narrowphase(desk);
    if (button(desk.log, "ghost again", "Start again from here"))
        desk.session.set_ghost(ghost, desk.session.ghost_narrowphase());
    if (desk.session.now().ghost) {
        ghost_rows(desk, *desk.session.now().ghost);
        desk.session.ghost_plots().draw();
    }
}

}  // namespace stiction
