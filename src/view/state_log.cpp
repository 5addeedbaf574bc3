// state_log.cpp - one line of JSON per change.
#include "view/state_log.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "live/frame_index.h"
#include "view/step_light.h"
#include "view/subject.h"

namespace stiction {

namespace {

using Json = nlohmann::json;

constexpr double kEvery = 0.03;  // [s]: tests wait for lines

Json notices_of(const Session& session) {
    Json list = Json::array();
    for (const Notice& notice : session.notices()) list.push_back(notice.text);
    return list;
}

Json widgets_of(const WidgetLog& log) {
    Json widgets = Json::object();
    for (const auto& [name, place] : log.places()) widgets[name] = place;
    return widgets;
}

// Values that the sliders ask for, of the first ones.
Json controls_of(const Snapshot& now) {
    constexpr std::size_t kMaxControls = 100;  // lines stay short; tests look at the first
    Json controls = Json::object();
    for (std::size_t i = 0; i < std::min(kMaxControls, now.controls.size()); ++i)
        controls[now.controls[i].name] = now.controls[i].value;
    return controls;
}

Json list_of(const Rectangle& r) { return {r.left, r.top, r.right, r.bottom}; }

Json plan_of(const ScreenPlan& plan) {
    Json json = Json::object();
    const auto add = [&json](const char* key, const Rectangle& r) {
        if (!r.empty()) json[key] = list_of(r);
    };
    add("left", plan.left);
    add("right", plan.right);
    add("left_tab", plan.left_tab);
    add("right_tab", plan.right_tab);
    add("view", plan.view);
    add("timeline", plan.timeline);
    add("graphs", plan.graphs);
    add("gallery", plan.gallery);
    add("notices", plan.notices);
    add("overlay", plan.overlay);
    add("legend", plan.legend);
    return json;
}

Json touches_of(const StepTrack& track) {
    int made = 0, lost = 0;
    for (const StepMark& mark : track.marks()) {
        made += mark.made;
        lost += mark.lost;
    }
    return {made, lost};
}

// Names of the lines of every graph, and how many values are known of each.
Json graphs_of(const Session& session) {
    Json graphs = Json::array();
    for (const Graph& graph : session.graphs().list()) {
        Json lines = Json::object();
        for (const Quantity& q : graph.lines) {
            const std::size_t column = session.graphs().column_of(q);
            int known = 0;
            for (const Graphs::Row& row : session.graphs().rows())
                known += std::isfinite(row.values[column]) ? 1 : 0;
            lines[quantity_text(q, session.scene().model)] = known;
        }
        graphs.push_back(std::move(lines));
    }
    return graphs;
}

Json peers_of(const Snapshot& now) {
    Json peers = Json::array();
    for (const PeerView& peer : now.peers)
        peers.push_back({{"model", peer.ghost.record.model},
                         {"t", peer.ghost.state.time},
                         {"apart", peer.ghost.distance_max},
                         {"contacts", peer.contacts.size()},
                         {"light", name(light_of(peer.ghost.record))}});
    return peers;
}

// What does not change with every step.
Json situation(const Desk& desk) {
    const Session& session = desk.session;
    const Snapshot& now = session.now();
    Json json = {{"scene", session.scene().name},
                 {"path", session.scene().path},
                 {"serial", session.serial()},
                 {"replay", session.is_replay()},
                 {"playing", session.pace().playing},
                 {"speed", session.pace().speed},
                 {"model", now.model},
                 {"wanted_model", name(session.wanted().contact)},
                 {"wanted_solver", solver_name(session.wanted().contact)},
                 {"scene_error", session.scene_error()},
                 {"failure", now.failure},
                 {"notices", notices_of(session)},
                 {"filming", desk.recorder.filming()},
                 {"tables", desk.recorder.writing_tables()},
                 {"last_file", desk.recorder.last_file()},
                 {"selected", desk.selection.body},
                 {"contact", desk.selection.contact},
                 {"anchored", desk.anchor.held()},
                 {"dragging", now.drag.has_value()},
                 {"controls", controls_of(now)},
                 {"help", desk.layout.help},
                 {"chooser", desk.layout.chooser},
                 {"overlay", desk.layout.overlay},
                 {"overlay_folded", desk.plan.folded},
                 {"plan", plan_of(desk.plan)},
                 {"free", list_of(desk.plan.free)},
                 {"light", name(light_of(now))},
                 {"banner", session.banner()},
                 {"at_end", session.pace().at_end},
                 {"pinned", desk.forces.pinned},
                 {"axis", kTimeAxisNames[static_cast<std::size_t>(session.timeline().axis())]},
                 {"widgets", widgets_of(desk.log)}};
    json["frames"] = session.frames() == nullptr ? 0 : session.frames()->dataset().size();
    json["answers"] = Json::array();
    if (now.frame) {
        json["dataset_frame"] = now.frame->frame;
        json["answer_shown"] = now.frame->shown;
        for (const ShownAnswer& answer : now.frame->answers) json["answers"].push_back(answer.name);
    }
    json["writing_frames"] = desk.recorder.writing_frames();
    json["ghost"] = session.ghost() ? Json(name(*session.ghost())) : Json();
    return json;
}

void add_numbers(const Desk& desk, std::int64_t frame, int gl_errors, Json& json) {
    const Session& session = desk.session;
    const Snapshot& now = session.now();
    json["frame"] = frame;
    json["step"] = now.state.step;
    json["t"] = now.state.time;
    json["contacts"] = now.contacts.size();
    json["solver"] = now.record.solver;
    json["history"] = {now.history.at, now.history.ahead, now.history.length};
    json["narrowphase"] = now.record.narrowphase;
    json["ghost_narrowphase"] = now.ghost ? Json(now.ghost->record.narrowphase) : Json();
    json["ghost_contacts_compared"] = now.ghost && now.ghost->contacts;
    json["timeline_models"] = Json::array();
    for (const ModelSpan& span : session.timeline().model_spans())
        json["timeline_models"].push_back(span.model);
    json["timeline_narrowphases"] = Json::array();
    for (const ModelSpan& span : session.timeline().model_spans())
        json["timeline_narrowphases"].push_back(span.narrowphase);
    json["timeline_solvers"] = Json::array();
    for (const ModelSpan& span : session.timeline().model_spans())
        json["timeline_solvers"].push_back(span.asked);
    json["contacts_seen"] = Json::array();  // pixels of the window, of the first ones
    const Rectangle& view = desk.plan.view;
    for (std::size_t i = 0; i < std::min<std::size_t>(now.contacts.size(), 8); ++i) {
        const Vec3 place = desk.camera.project(now.contacts[i].point, view.width(), view.height());
        json["contacts_seen"].push_back({view.left + place.x(), view.top + place.y()});
    }
    json["track"] = session.track().marks().size();
    json["touches"] = touches_of(session.track());
    json["track_range"] = {desk.track_range.from(), desk.track_range.to()};
    json["graphs"] = graphs_of(session);
    json["graph_ranges"] = Json::array();  // 0, 0: all
    for (const Graph& graph : session.graphs().list())
        json["graph_ranges"].push_back({graph.from, graph.to});
    json["force_scale"] = desk.forces.newtons;
    const Scene& scene = session.scene();
    const Extent ball = subject(scene.model, now.state, subject(scene.model, scene.state));
    const Vec3 seen =
        desk.camera.project(ball.centre, desk.plan.view.width(), desk.plan.view.height());
    const OrbitCamera& camera = desk.camera;
    json["camera"] = {{"target", {camera.target.x(), camera.target.y(), camera.target.z()}},
                      {"distance", camera.distance},
                      {"azimuth", camera.azimuth},
                      {"elevation", camera.elevation}};
    json["subject_radius"] = ball.radius;
    json["subject"] = {seen.x(), seen.y(), seen.z()};  // pixels of the view
    json["metrics_read"] = session.frames() == nullptr ? 0 : session.frames()->read();
    json["peers"] = peers_of(now);
    json["partings"] = Json::array();
    for (const Parting& p : now.partings) json["partings"].push_back({p.a, p.b, p.step});
    json["convergence"] = now.convergence.points.size();
    json["video_frames"] = desk.recorder.filming() ? desk.recorder.video().frames() : 0;
    json["drag_force"] = now.drag ? now.drag->force.norm() : 0.0;
    json["ghost_distance"] = now.ghost ? now.ghost->distance_max : 0.0;
    json["ui_ms"] = 1e3 * desk.costs.ui;
    json["frame_ms"] = 1e3 * desk.costs.frame;
    json["draw_calls"] = desk.costs.draw_calls;
    json["gl_errors"] = gl_errors;
    Json poses = Json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(now.state.pose.size(), 8); ++i) {
        const Vec3& p = now.state.pose[i].p;
        poses.push_back({p.x(), p.y(), p.z()});
    }
    json["positions"] = std::move(poses);
}

}  // namespace

StateLog::StateLog(const std::string& path) {
    if (path.empty()) return;
    file_.open(path, std::ios::app);
    if (!file_) throw InputError("--state-log " + path + ": cannot be written");
}

void StateLog::note(const Desk& desk, std::int64_t frame, int gl_errors) {
    if (!file_.is_open()) return;
    Json json = situation(desk);
    std::string text = json.dump();
    const double now = desk.session.seconds();
    if (text == last_ && now < next_) return;
    last_ = std::move(text);
    next_ = now + kEvery;
    add_numbers(desk, frame, gl_errors, json);
    file_ << json.dump() << '\n' << std::flush;
}

}  // namespace stiction
