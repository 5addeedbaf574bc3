// peers.cpp - steps the peers and finds the first step in which two of them differ.
#include "live/peers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "live/shown_contacts.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// Of velocities after a step [m/s]; solvers of one law differ by far less.
constexpr double kParted = 1e-3;

struct Difference {
    int body = kNone;
    double speed = 0;
};

Difference largest_difference(const Model& model, const State& a, const State& b) {
    Difference found;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (model.bodies[i].kind != BodyKind::kDynamic) continue;
        const double speed = (a.twist[i].v - b.twist[i].v).norm();
        if (!(speed > found.speed)) continue;
        found.speed = speed;
        found.body = static_cast<int>(i);
    }
    return found;
}

// What a body's contacts with one other do together.
struct PairForce {
    Vec3 force = Vec3::Zero();
    Vec3 point = Vec3::Zero();
    ContactState state = ContactState::kOpen;
};

std::map<int, PairForce> forces_on(int body, const std::vector<ShownContact>& contacts) {
    std::map<int, PairForce> forces;
    for (const ShownContact& c : contacts) {
        if (c.body_a != body && c.body_b != body) continue;
        PairForce& pair = forces[c.body_a == body ? c.body_b : c.body_a];
        pair.force += (c.body_a == body ? 1 : -1) * (c.normal_force + c.friction_force);
        pair.point = c.point;
        pair.state = std::max(pair.state, c.state);  // sliding counts before sticking
    }
    return forces;
}

// The contact of the body whose force differs most.
void find_contact(const Simulation& a, const Simulation& b, Parting& parting) {
    std::vector<ShownContact> contacts;
    show_contacts(a, {}, contacts);
    std::map<int, PairForce> first = forces_on(parting.body, contacts);
    show_contacts(b, {}, contacts);
    std::map<int, PairForce> second = forces_on(parting.body, contacts);
    double most = -1;
    for (const auto* side : {&first, &second}) {
        for (const auto& [other, pair] : *side) {
            const double apart = (first[other].force - second[other].force).norm();
            if (!(apart > most)) continue;
            most = apart;
            parting.other = other;
            parting.point = pair.point;
            parting.does = {first[other].state, second[other].state};
        }
    }
}

}  // namespace

void Peers::start(const std::vector<PeerSettings>& wanted, const Simulation& sim) {
    settings_ = wanted;
    if (settings_.size() > kMostPeers) settings_.resize(kMostPeers);
    all_.clear();
    all_.reserve(settings_.size());
    partings_.clear();
    ++started_;
    for (const PeerSettings& peer : settings_)
        all_.emplace_back(started_, peer.contact, sim, peer.narrowphase,
                          std::clamp(peer.parts, 1, kMostParts));
}

void Peers::restart(const Simulation& sim) {
    for (Ghost& peer : all_) peer.restart(sim);
    partings_.clear();
}

void Peers::set_threads(int threads) {
    for (Ghost& peer : all_) peer.set_threads(threads);
}

void Peers::apply(const StepInputs& inputs, const Scene& scene, const SceneControls& controls) {
    for (Ghost& peer : all_) peer.apply(inputs, scene, controls);
}

void Peers::step(const StepInputs& inputs, const Scene& scene) {
    for (Ghost& peer : all_) peer.step(inputs, scene);
}

void Peers::compare(const Simulation& sim) {
    for (std::size_t i = 0; i <= all_.size(); ++i) {
        for (std::size_t k = i + 1; k <= all_.size(); ++k) {
            const auto known = [&](const Parting& p) { return p.a == i && p.b == k; };
            if (std::any_of(partings_.begin(), partings_.end(), known)) continue;
            if ((i > 0 && all_[i - 1].failed()) || all_[k - 1].failed()) continue;
            const Simulation& a = i == 0 ? sim : all_[i - 1].simulation();
            const Simulation& b = all_[k - 1].simulation();
            const Difference difference = largest_difference(sim.model, a.state, b.state);
            if (!(difference.speed > kParted)) continue;
            Parting parting;
            parting.a = i;
            parting.b = k;
            parting.step = sim.state.step;
            parting.t = sim.state.time;
            parting.body = difference.body;
            parting.speed = difference.speed;
            find_contact(a, b, parting);
            partings_.push_back(parting);
        }
    }
}

void Peers::forget_partings_after(std::int64_t step) {
    std::erase_if(partings_, [step](const Parting& p) { return p.step > step; });
}

void Peers::store(HistoryEntry& entry) const {
    entry.peers.resize(all_.size());
    entry.peers_id = started_;
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i].store(entry.peers[i]);
}

// One that had failed by then stays where it failed.
bool Peers::restore(const HistoryEntry& entry) {
    if (entry.peers_id != started_ || entry.peers.size() != all_.size()) return false;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        if (!entry.peers[i].state.pose.empty()) all_[i].restore(entry.peers[i]);
    }
    return true;
}

void Peers::clear_records() {
    for (Ghost& peer : all_) peer.clear_record();
}

void Peers::fill(const Simulation& sim, Snapshot& snapshot) const {
    snapshot.peers.resize(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
        PeerView& view = snapshot.peers[i];
        view.settings = settings_[i];
        all_[i].fill(sim, view.ghost);
        view.contacts.clear();
        if (view.ghost.record.step > 0) show_contacts(all_[i].simulation(), {}, view.contacts);
    }
    snapshot.partings = partings_;
}

}  // namespace stiction
