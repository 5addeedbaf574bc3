// panel_peers.cpp - scenes side by side: what each of them is, how it fares, and where two part.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "live/peers.h"
#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/panels.h"
#include "view/step_light.h"

namespace stiction {

namespace {

constexpr std::array<int, 5> kParts = {1, 2, 4, 8, 16};
constexpr std::array<std::string_view, 5> kPartNames = {"h", "h/2", "h/4", "h/8", "h/16"};
constexpr std::array<const char*, 3> kDoes = {"open", "sticks", "slides"};

// Returns whether it changed.
bool peer_choices(Desk& desk, std::size_t i, PeerSettings& peer) {
    bool changed = false;
    const std::string id = "peer/" + std::to_string(i + 1);
    std::size_t model = peer.contact.index();
    if (choose(desk.log, (id + "/model").c_str(), "model", kContactModelNames, model)) {
        peer.contact = make_contact_model(kContactModelNames[model], desk.session.wanted().contact);
        changed = true;
    }
    const auto solvers = solver_names(peer.contact);
    auto solver = static_cast<std::size_t>(
        std::find(solvers.begin(), solvers.end(), solver_name(peer.contact)) - solvers.begin());
    if (choose(desk.log, (id + "/solver").c_str(), "solver", solvers, solver)) {
        set_solver(peer.contact, solvers[solver]);
        changed = true;
    }
    constexpr std::array<std::string_view, kNarrowphaseNames.size() + 1> kNames = {
        "the scene's", kNarrowphaseNames[0], kNarrowphaseNames[1]};
    std::size_t narrowphase =
        peer.narrowphase ? static_cast<std::size_t>(*peer.narrowphase) + 1 : 0;
    if (choose(desk.log, (id + "/narrowphase").c_str(), "narrowphase", kNames, narrowphase)) {
        peer.narrowphase.reset();
        if (narrowphase > 0) peer.narrowphase = static_cast<NarrowphaseKind>(narrowphase - 1);
        changed = true;
    }
    auto part = static_cast<std::size_t>(std::find(kParts.begin(), kParts.end(), peer.parts) -
                                         kParts.begin());
    if (choose(desk.log, (id + "/step").c_str(), "step", kPartNames, part)) {
        peer.parts = kParts[part];
        changed = true;
    }
    return changed;
}

const Parting* first_parting(const Snapshot& now) {
    const auto first =
        std::min_element(now.partings.begin(), now.partings.end(),
                         [](const Parting& a, const Parting& b) { return a.step < b.step; });
    return first == now.partings.end() ? nullptr : &*first;
}

std::string body_name(const Desk& desk, int body) {
    return "'" + desk.session.scene().model.bodies[at(body)].name + "'";
}

// "'cube' on 'ramp': 1 sticks, 2 slides"
std::string parting_text(const Desk& desk, const Parting& parting) {
    if (parting.other == kNone) return body_name(desk, parting.body) + ", no contact";
    return body_name(desk, parting.body) + " on " + body_name(desk, parting.other) + ": " +
           std::to_string(parting.a + 1) + " " + kDoes[static_cast<std::size_t>(parting.does[0])] +
           ", " + std::to_string(parting.b + 1) + " " +
           kDoes[static_cast<std::size_t>(parting.does[1])];
}

void go_to_step(Desk& desk, const Parting& parting) {
    desk.session.seek(parting.step);
    desk.selection = {};
    desk.selection.body = parting.body;
    desk.anchor.let_go();
    if (parting.other == kNone) return;
    desk.anchor.want(parting.body, parting.other, parting.point);
    desk.layout.keep = false;
    desk.camera.target = parting.point;
}

void list_partings(Desk& desk) {
    const Snapshot& now = desk.session.now();
    if (now.peers.empty()) return;
    if (now.partings.empty()) {
        grey_text("All move alike so far (to 1 mm/s).");
        return;
    }
    const Parting* first = first_parting(now);
    if (button(desk.log, "parting", "Go to where two part first")) go_to_step(desk, *first);
    hint(("The step after which two of them moved differently by more than 1 mm/s (" +
          key_text(Action::kParting) + ").")
             .c_str());
    for (std::size_t k = 0; k < now.partings.size(); ++k) {
        const Parting& parting = now.partings[k];
        char text[80];
        std::snprintf(text, sizeof text, "%zu and %zu: step %lld, t %.4g s", parting.a + 1,
                      parting.b + 1, static_cast<long long>(parting.step), parting.t);
        ImGui::PushID(static_cast<int>(k));
        if (ImGui::Selectable(text, &parting == first)) {
            go_to_step(desk, parting);
            ImGui::PopID();
            return;
        }
        ImGui::PopID();
        grey_text(parting_text(desk, parting));
    }
}

}  // namespace

std::string peer_name(const Session& session, std::size_t picture) {
    const Snapshot& now = session.now();
    std::string text = std::to_string(picture + 1) + "  ";
    const ContactModel& contact =
        picture == 0 ? now.settings.contact : now.peers[picture - 1].settings.contact;
    text += std::string(name(contact));
    if (solver_name(contact) != "auto") text += ", " + std::string(solver_name(contact));
    if (picture == 0) return text;
    const PeerSettings& peer = now.peers[picture - 1].settings;
    if (peer.narrowphase) text += ", " + std::string(name(*peer.narrowphase));
    if (peer.parts > 1) text += ", h/" + std::to_string(peer.parts);
    return text;
}

namespace {

// As many parts in a line as fit, at most three lines.
std::vector<std::string> in_lines(const std::vector<std::string>& parts, float width) {
    constexpr std::size_t kMostLines = 3;
    std::vector<std::string> lines;
    for (const std::string& part : parts) {
        const std::string longer = lines.empty() ? part : lines.back() + "   " + part;
        if (lines.empty() || ImGui::CalcTextSize(longer.c_str()).x > width) {
            if (lines.size() == kMostLines) break;
            lines.push_back(part);
        } else {
            lines.back() = longer;
        }
    }
    return lines;
}

}  // namespace

float peer_title(Desk& desk, std::size_t picture, const Rectangle& cell) {
    const Snapshot& now = desk.session.now();
    const bool own = picture == 0;
    const GhostView* peer = own ? nullptr : &now.peers[picture - 1].ghost;
    const StepRecord& record = own ? now.record : peer->record;
    const bool stepped = own ? now.stepped : record.step > 0;
    const StepLight shown = !stepped                         ? StepLight::kNotMeasured
                            : !own && !peer->failure.empty() ? StepLight::kUnsolved
                                                             : light_of(record);
    const Colour& colour = palette::kLights[static_cast<std::size_t>(shown)];
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const float letter = ImGui::GetFontSize();
    const ImVec2 low{cell.left + 0.3F * letter, cell.top + 0.3F * letter};
    const std::size_t contacts = own ? now.contacts.size() : now.peers[picture - 1].contacts.size();
    std::vector<std::string> parts = {peer_name(desk.session, picture), std::string(name(shown)),
                                      with_unit(record.step_seconds, "s"),
                                      std::to_string(contacts) + " contacts"};
    if (!own) parts.push_back(with_unit(peer->distance_max, "m") + " apart");
    if (!own && !peer->failure.empty())
        parts.insert(parts.begin() + 1, "stopped: " + peer->failure);
    const float most = cell.width() - 0.6F * letter;
    float width = 0, y = low.y + 0.25F * letter;
    const std::vector<std::string> lines = in_lines(parts, most - 2.2F * letter);
    for (const std::string& line : lines)
        width = std::max(width, ImGui::CalcTextSize(line.c_str()).x + 2.2F * letter);
    width = std::min(width, most);
    const float height = (1.2F * static_cast<float>(lines.size()) + 0.3F) * letter;
    list.PushClipRect({cell.left, cell.top}, {low.x + width, cell.bottom}, true);
    list.AddRectFilled(low, {low.x + width, low.y + height}, IM_COL32(30, 33, 38, 220),
                       0.3F * letter);
    list.AddCircleFilled({low.x + 0.8F * letter, low.y + 0.75F * letter}, 0.38F * letter,
                         packed(colour));
    for (const std::string& line : lines) {
        list.AddText({low.x + 1.5F * letter, y}, IM_COL32_WHITE, line.c_str());
        y += 1.2F * letter;
    }
    list.PopClipRect();
    const unsigned edge = IM_COL32(30, 33, 38, 255);
    list.AddRect({cell.left, cell.top}, {cell.right, cell.bottom}, edge);
    const std::string id = "picture/" + std::to_string(picture);
    desk.log.place(id, {cell.left, cell.top, cell.right, cell.bottom});
    desk.log.place("title/" + std::to_string(picture),
                   {low.x, low.y, low.x + width, low.y + height});
    return height + 0.6F * letter;
}

void go_to_parting(Desk& desk) {
    if (const Parting* first = first_parting(desk.session.now())) go_to_step(desk, *first);
}

void peers_panel(Desk& desk) {
    std::vector<PeerSettings> peers = desk.session.peers();
    if (button(desk.log, "add view", "Add a view", peers.size() < kMostPeers))
        desk.session.add_peer();
    hint(("The same scene beside this one under another model, by the same clock and camera (" +
          key_text(Action::kAddPeer) + ").")
             .c_str());
    ImGui::SameLine();
    if (button(desk.log, "one view", "One view", !peers.empty())) desk.session.set_peers({});
    hint(("Key " + key_text(Action::kNoPeers)).c_str());
    if (peers.empty()) return;
    ImGui::SameLine();
    if (button(desk.log, "views again", "From here")) desk.session.set_peers(peers);
    hint("All of them start again from the present state of the first.");
    bool changed = false;
    for (std::size_t i = 0; i < peers.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const std::string title = "View " + std::to_string(i + 2);
        const bool open = ImGui::TreeNode(title.c_str());
        desk.log.mark("peer/" + std::to_string(i + 1));
        ImGui::SameLine(6.5F * ImGui::GetFontSize());
        ImGui::TextDisabled("%s", std::string(name(peers[i].contact)).c_str());
        if (open) {
            changed = peer_choices(desk, i, peers[i]) || changed;
            const bool gone = ImGui::SmallButton("without this view");
            ImGui::TreePop();
            if (gone) {
                peers.erase(peers.begin() + static_cast<std::ptrdiff_t>(i));
                ImGui::PopID();
                desk.session.set_peers(peers);
                return;
            }
        }
        ImGui::PopID();
    }
    if (changed) desk.session.set_peers(peers);
    list_partings(desk);
}

}  // namespace stiction
