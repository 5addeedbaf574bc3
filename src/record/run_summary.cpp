// run_summary.cpp - builds the summary's JSON object.
#include "record/run_summary.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "step/simulation.h"

namespace stiction {

namespace {

using Json = nlohmann::ordered_json;

Json numbers(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

double per_step(double sum, std::int64_t steps) {
    return steps == 0 ? 0 : sum / static_cast<double>(steps);
}

Json timing(const RunStatistics& s) {
    constexpr double kMicro = 1e6;
    Json stages = Json::object();
    for (std::size_t i = 0; i < kStageNames.size(); ++i) {
        stages[std::string(kStageNames[i])] = kMicro * per_step(s.stage_seconds[i], s.steps);
    }
    return {{"step_us",
             {{"mean", kMicro * per_step(s.seconds, s.steps)},
              {"p50", kMicro * s.histogram.quantile(0.5)},
              {"p99", kMicro * s.histogram.quantile(0.99)},
              {"max", kMicro * s.seconds_max}}},
            {"stages", stages}};
}

Json solver_stats(const RunStatistics& s) {
    return {{"iterations_mean", per_step(s.iterations, s.steps)},
            {"iterations_max", s.iterations_max},
            {"pivots_mean", per_step(s.pivots, s.steps)},
            {"pivots_max", s.pivots_max},
            {"failures", s.failures},
            {"fallbacks", s.fallbacks},
            {"budget_steps", s.budget_steps},
            {"residual_max", s.residual_max},
            {"torn_steps", s.torn_steps},
            {"contradiction_steps", s.contradiction_steps},
            {"projection_unsolved_steps", s.projection_unsolved_steps}};
}

// A key for each measure, and the thresholds that say what rests and what slides.
Json quality(const QualityThresholds& thresholds, const RunStatistics& s) {
    Json json;
    json["thresholds"] = {{"rest", thresholds.rest}, {"slide", thresholds.slide}};
    for (const QualityColumn& column : kQualityColumns) {
        json[std::string(column.name)] = {
            {"mean", per_step(s.quality_sum.*column.value, s.quality_steps)},
            {"max", s.quality_max.*column.value}};
    }
    return json;
}

// The terms summed over the run; whether it closes.
Json energy_account(const AccountStatistics& s, const Model& model) {
    Json json;
    for (const AccountColumn& column : kAccountColumns)
        json[std::string(column.name)] = s.sum.*column.value;
    json["unexplained_absolute"] = s.unexplained;
    json["integrator_excess"] = s.integrator_excess;
    json["largest_energy"] = s.largest();
    json["first_step"] = s.first_step;
    json["first_body"] = s.first_body == kNone ? "" : model.bodies[at(s.first_body)].name;
    return json;
}

std::string name_of(const Model& model, int body) {
    return body == kNone ? "" : model.bodies[at(body)].name;
}

// What the integrator could not do as it should.
Json motion(const RunStatistics& s, const Model& model) {
    return {{"fast_steps", s.fast_steps},
            {"first_fast_step", s.first_fast_step},
            {"first_fast_body", name_of(model, s.first_fast_body)},
            {"midpoint_fallbacks", s.midpoint_fallbacks}};
}

Json bodies(const Model& model, const State& state) {
    Json list = Json::array();
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Quat& q = state.pose[i].q;
        list.push_back({{"name", model.bodies[i].name},
                        {"position", numbers(state.pose[i].p)},
                        {"quaternion", {q.w(), q.x(), q.y(), q.z()}},
                        {"linear_velocity", numbers(state.twist[i].v)},
                        {"angular_velocity", numbers(state.twist[i].w)}});
    }
    return list;
}

Json switches(const std::vector<ModelSwitch>& made) {
    Json list = Json::array();
    for (const ModelSwitch& x : made)
        list.push_back({{"step", x.step}, {"t", x.t}, {"from", x.from}, {"to", x.to}});
    return list;
}

}  // namespace

std::string hash_text(std::uint64_t hash) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
    const std::string text(digits.data(), end);
    return std::string(digits.size() - text.size(), '0') + text;
}

RunInfo describe_run(const std::string& scene, const std::map<std::string, double>& parameters,
                     std::uint64_t seed, const Simulation& sim) {
    return {.scene = scene,
            .model = std::string(name(sim.contact_model)),
            .solver_requested = std::string(solver_name(sim.contact_model)),
            .narrowphase = std::string(name(sim.settings.narrowphase)),
            .parameters = parameters,
            .seed = seed,
            .h = sim.settings.h,
            .time_budget = sim.settings.time_budget,
            .threads = sim.threads,
            .status = "done",
            .message = "",
            .start_time = sim.state.time,
            .quality = {}};
}

double realtime_factor(const RunInfo& info, const RunStatistics& statistics) {
    if (statistics.seconds <= 0) return 0;
    return static_cast<double>(statistics.steps) * info.h / statistics.seconds;
}

std::string summary_json(const RunInfo& info, const RunStatistics& statistics, const Model& model,
                         const State& end) {
    const RunStatistics& s = statistics;
    Json json;
    json["schema"] = kSummarySchema;
    json["scene"] = info.scene;
    json["model"] = info.model;
    json["solver"] = main_solver(s);
    json["solver_requested"] = info.solver_requested;
    json["status"] = info.status;
    json["message"] = info.message;
    json["parameters"] = info.parameters;
    json["seed"] = info.seed;
    json["steps"] = s.steps;
    json["h"] = info.h;
    json["start_time"] = info.start_time;
    json["time"] = end.time;
    json["threads"] = info.threads;
    json["time_budget"] = info.time_budget;
    json["deterministic"] = info.time_budget <= 0;  // the clock decides where a solve ends
    json["state_hash"] = hash_text(state_hash(end));
    json["realtime_factor"] = realtime_factor(info, s);
    json["timing"] = timing(s);
    json["contacts"] = {{"mean", per_step(s.contacts, s.steps)}, {"max", s.contacts_max}};
    json["solver_stats"] = solver_stats(s);
    json["penetration"] = {{"mean", s.contacts > 0 ? s.penetration_sum / s.contacts : 0.0},
                           {"max", s.penetration_max}};
    json["joints"] = {{"error_max", s.joint_error_max}, {"speed_max", s.joint_speed_max}};
    json["energy"] = {{"kinetic_start", s.kinetic_start},
                      {"kinetic_end", s.kinetic_end},
                      {"total_start", s.total_start},
                      {"total_end", s.total_end},
                      {"largest_gain", s.largest_gain}};
    json["motion"] = motion(s, model);
    if (s.account.steps > 0) json["energy_account"] = energy_account(s.account, model);
    if (info.quality) json["quality"] = quality(*info.quality, s);
    json["switches"] = switches(s.switches);
    json["narrowphase"] = info.narrowphase;
    json["narrowphase_switches"] = switches(s.narrowphase_switches);
    json["collision"] = {{"pairs", s.pairs}, {"bullet_pairs", s.bullet_pairs}};
    json["bodies"] = bodies(model, end);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stiction
