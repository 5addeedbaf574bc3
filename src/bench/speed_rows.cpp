// speed_rows.cpp - lines of the peer programs, judged and compared.
#include "bench/speed_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace stiction {

namespace {

// A grasp is kept when no box slid further and no faces overlap deeper than this [mm].
constexpr double kKept = 1;
// The ramp is right when a cube that must stay creeps no further [um] (one step of free fall is
// 3.4), and one that must slide is off by no more than this in speed [-] and lift [um].
constexpr double kCreep = 10;
constexpr double kSpeedError = 2e-3;
constexpr double kLift = 10;
// The robot stands, also where soft contacts let it sink by some millimetres; feet roll but do not
// slide [m], [mm].
constexpr double kStanding = 0.145;
constexpr double kFootSlip = 0.01;
// Bodies of a pile that are deeper in one another do not collide any more [%].
constexpr double kDeep = 20;

// Empty: it is right.
std::string what_is_wrong(const std::string& scene, const SpeedRow& row) {
    if (scene == "grasp") {
        if (row.value("dropped") > 0) return "dropped";
        const bool kept =
            row.value("slip_mm_end") < kKept && row.value("penetration_mm_end") < kKept;
        return kept ? "" : "slid";
    }
    if (scene == "ramp") {
        if (row.values.contains("creep_um")) return row.value("creep_um") < kCreep ? "" : "creeps";
        const bool slides =
            std::abs(row.value("speed_relerr")) < kSpeedError && row.value("lift_um") < kLift;
        return slides ? "" : "off";
    }
    if (scene == "robot") {
        const bool stands =
            row.value("torso_z") > kStanding && row.value("foot_slip_mm") < kFootSlip;
        return stands ? "" : "feet slide";
    }
    const double outside = row.value("outside");
    if (outside > 0) return fmt::format("{:.0f} bodies outside", outside);
    if (row.value("warnings") > 0) return "contacts left out";
    const double deep = row.value("run_max_penetration_pct");
    return deep > kDeep ? fmt::format("{:.0f} % deep", deep) : "";
}

}  // namespace

double SpeedRow::value(const std::string& name) const {
    const auto found = values.find(name);
    return found != values.end() ? found->second : kBenchUnknown;
}

const SpeedRow* SpeedResult::row(const std::string& engine, const std::string& config,
                                 int threads) const {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const SpeedRow& one) {
        return one.config.engine == engine && one.config.config == config &&
               one.config.threads == threads;
    });
    return found != rows.end() ? &*found : nullptr;
}

const SpeedRow* SpeedResult::reference() const {
    if (!test.reference.empty()) return row(kReferenceEngine, test.reference);
    const SpeedRow* best = nullptr;
    for (const SpeedRow& one : rows) {
        const bool other = one.config.engine != "stiction" && one.config.engine != "before";
        if (other && one.right && (best == nullptr || one.speed() > best->speed())) best = &one;
    }
    return best;
}

SpeedRow read_speed_row(const SpeedConfig& config, const std::string& scene,
                        const std::string& line) {
    SpeedRow row{.config = config, .values = {}, .curve = {}, .mark = ""};
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object()) {
        row.mark = line.empty() ? "has no such scene" : "failed: its output is no JSON";
        return row;
    }
    for (const auto& [key, value] : json.items()) {
        if (value.is_number()) row.values[key] = value.get<double>();
    }
    if (const auto curve = json.find("cpu_curve"); curve != json.end() && curve->is_array()) {
        for (const auto& seconds : *curve) {
            if (seconds.is_number()) row.curve.push_back(seconds.get<double>());
        }
    }
    if (const auto failed = json.find("failed"); failed != json.end()) {
        row.mark = "failed: " + (failed->is_string() ? failed->get<std::string>() : "");
        return row;
    }
    if (!(row.speed() > 0)) {
        row.mark = "failed: no speed";
        return row;
    }
    row.mark = what_is_wrong(scene, row);
    row.right = row.mark.empty();
    if (row.value("steps") < row.value("total_steps")) {
        row.mark += fmt::format("{}cut after {:.0f} % of the run", row.mark.empty() ? "" : ", ",
                                std::floor(100 * row.value("steps") / row.value("total_steps")));
    }
    return row;
}

double speed_ratio(const SpeedRow& row, const SpeedRow& other) {
    const std::size_t both = std::min(row.curve.size(), other.curve.size());
    if (both == 0 || !(row.curve[both - 1] > 0)) return kBenchUnknown;
    return other.curve[both - 1] / row.curve[both - 1];
}

SpeedError speed_error(const std::string& scene, const SpeedRow& row) {
    if (scene == "grasp") return {row.value("slip_mm_end"), "slip mm"};
    if (scene == "robot") return {row.value("foot_slip_mm"), "foot slip mm"};
    if (scene == "ramp") {
        if (row.values.contains("creep_um")) return {row.value("creep_um"), "creep um"};
        return {std::abs(row.value("speed_relerr")), "speed error"};
    }
    if (scene == "pyramid" || scene == "wall" || scene == "islands")
        return {row.value("moved_mm"), "moved mm"};
    return {row.value("mean_penetration_pct"), "mean penetration %, settled"};
}

double deepest_penetration(const SpeedRow& row) {
    constexpr double kHalfCube = 50;  // of grasp and ramp [mm]
    if (row.values.contains("penetration_mm_end"))
        return 100 * std::max(0.0, row.value("penetration_mm_end")) / kHalfCube;
    if (row.values.contains("sink_um")) return 0.1 * row.value("sink_um") / kHalfCube;
    return row.value("run_max_penetration_pct");
}

}  // namespace stiction
