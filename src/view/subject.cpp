// subject.cpp - medians find the subject, projections keep it in sight.
#include "view/subject.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction {

namespace {

constexpr double kFarOff = 6;        // in usual distances from the middle: a body that has left
constexpr double kSurroundings = 4;  // in radii of the subject: what is shown with it at first
constexpr double kEdge = 0.25;       // share of the free part, on each side, that the subject's
                                     // middle keeps clear of

constexpr double kBody = 0.95;  // of the ball's radius: bodies seldom fill it

constexpr double kSpread = 4;            // times the radius it had at the start: it fell apart
constexpr std::size_t kMostAsked = 200;  // bodies that stand for all when parts are looked for
constexpr double kAway = 0.5;            // of the share it had: smaller, the camera goes after it

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Pixels per metre at this depth.
double magnification(const OrbitCamera& camera, double depth, double height) {
    return 0.5 * height / (std::tan(camera.field_of_view / 2) * depth);
}

double half_of(const Rectangle& free) {
    return 0.5 * static_cast<double>(std::max(std::min(free.width(), free.height()), 1.0F));
}

// Where the middle of something this large belongs: clear of the edges, in the middle where it does
// not fit.
double inside(double x, double low, double high, double radius) {
    const double edge = std::min(std::max(kEdge * (high - low), radius), 0.5 * (high - low));
    return std::clamp(x, low + edge, high - edge);
}

// Bodies that move, with those that are near most of the others counted.
std::vector<int> find_moving(const Model& model, const State& state, std::vector<char>& counted) {
    std::vector<int> moving;
    std::vector<double> sizes;
    counted.assign(model.bodies.size(), 0);
    for (const Geom& geom : model.geoms) {
        const double radius = bounding_radius(geom.shape);
        if (model.bodies[at(geom.body)].kind != BodyKind::kDynamic || !std::isfinite(radius))
            continue;
        sizes.push_back(radius);
        if (counted[at(geom.body)] == 0) moving.push_back(geom.body);
        counted[at(geom.body)] = 1;
    }
    if (moving.empty()) return moving;
    Vec3 middle;
    for (int k = 0; k < 3; ++k) {
        std::vector<double> places;
        for (const int body : moving) places.push_back(state.pose[at(body)].p[k]);
        middle[k] = median_of(std::move(places));
    }
    std::vector<double> distances;
    for (const int body : moving) distances.push_back((state.pose[at(body)].p - middle).norm());
    const double usual = median_of(distances) + median_of(sizes);
    for (std::size_t i = 0; i < moving.size(); ++i) {
        if (distances[i] > kFarOff * usual) counted[at(moving[i])] = 0;
    }
    return moving;
}

// Around the bodies that count; around everything where none does.
Extent ball_of(const Model& model, const State& state, const std::vector<char>& counted) {
    Eigen::AlignedBox3d box;
    for (const Geom& geom : model.geoms) {
        if (counted[at(geom.body)] == 0) continue;
        const Vec3 centre = (state.pose[at(geom.body)] * geom.pose_BG).p;
        const Vec3 reach = Vec3::Constant(bounding_radius(geom.shape));
        box.extend(centre + reach);
        box.extend(centre - reach);
    }
    if (box.isEmpty()) return extent(model, state);
    return {box.center(), std::max(0.5 * box.diagonal().norm(), 1e-6)};
}

}  // namespace

Extent subject(const Model& model, const State& state) {
    std::vector<char> counted;
    find_moving(model, state, counted);
    return ball_of(model, state, counted);
}

Extent subject(const Model& model, const State& state, const Extent& start) {
    std::vector<char> counted;
    const std::vector<int> moving = find_moving(model, state, counted);
    const Extent all = ball_of(model, state, counted);
    const double reach = kSpread * start.radius;
    if (moving.empty() || !(all.radius > reach)) return all;
    // Parts that went their own ways: the largest, and of equal ones that which stayed.
    const std::size_t stride = moving.size() / kMostAsked + 1;
    int most = 0;
    double nearest = 0;
    Vec3 middle = all.centre;
    for (std::size_t i = 0; i < moving.size(); i += stride) {
        const Vec3& p = state.pose[at(moving[i])].p;
        int count = 0;
        for (std::size_t k = 0; k < moving.size(); k += stride)
            count += (state.pose[at(moving[k])].p - p).norm() <= reach ? 1 : 0;
        const double away = (p - start.centre).norm();
        if (count < most || (count == most && away >= nearest)) continue;
        most = count;
        nearest = away;
        middle = p;
    }
    for (const int body : moving)
        counted[at(body)] = (state.pose[at(body)].p - middle).norm() <= reach ? 1 : 0;
    return ball_of(model, state, counted);
}

Extent around(const Extent& a, const Extent& b) {
    constexpr double kFar = 40;  // radii: beyond, nothing would be seen of the first
    const Vec3 apart = b.centre - a.centre;
    const double distance = apart.norm();
    if (!std::isfinite(distance) || distance + b.radius > kFar * a.radius ||
        distance + b.radius <= a.radius)
        return a;
    if (distance + a.radius <= b.radius) return b;
    const double radius = 0.5 * (distance + a.radius + b.radius);
    return {a.centre + (radius - a.radius) / distance * apart, radius};
}

Extent opening_view(const Model& model, const State& state) {
    const Extent moving = subject(model, state);
    const Extent all = extent(model, state);
    return all.radius <= kSurroundings * moving.radius ? all : moving;
}

void frame_in(OrbitCamera& camera, const Extent& ball, const Rectangle& free, double width,
              double height) {
    // The free part is seen under this angle, half of it, when it lies in the middle.
    const double slope = std::tan(camera.field_of_view / 2) * 2 * half_of(free) / height;
    camera.target = ball.centre;
    camera.distance = ball.radius / std::sin(std::atan(slope));
    const double dx = 0.5 * (free.left + free.right) - 0.5 * width;
    const double dy = 0.5 * (free.top + free.bottom) - 0.5 * height;
    camera.pan(dx, dy, height);
}

double share_of(const OrbitCamera& camera, const Extent& ball, const Rectangle& free, double width,
                double height) {
    const double depth = camera.project(ball.centre, width, height).z();
    if (depth <= 0) return 1;
    return ball.radius * magnification(camera, depth, height) / half_of(free);
}

void fit_in(OrbitCamera& camera, const Extent& ball, const Rectangle& free, double width,
            double height, double most) {
    constexpr int kTries = 4;  // the ball need not be at the target
    for (int i = 0; i < kTries; ++i) {
        const double filled = share_of(camera, ball, free, width, height);
        if (!(filled > most)) return;
        camera.distance *= filled / most;
    }
}

void keep_in_view(OrbitCamera& camera, const Extent& ball, const Rectangle& free, double width,
                  double height, double share) {
    if (!ball.centre.allFinite() || !std::isfinite(ball.radius)) return;
    if (camera.project(ball.centre, width, height).z() <= 0) camera.target = ball.centre;
    const double filled = share_of(camera, ball, free, width, height);
    const double most = std::max(share, 1.0), least = kAway * share;
    const double wanted = std::clamp(filled, std::min(least, most), most);
    const double depth = camera.project(ball.centre, width, height).z();
    const Vec3 forward = (camera.target - camera.eye()).normalized();
    camera.target += (depth - depth * filled / wanted) * forward;
    const Vec3 seen = camera.project(ball.centre, width, height);
    const double radius = kBody * ball.radius * magnification(camera, seen.z(), height);
    const double x = inside(seen.x(), free.left, free.right, radius);
    const double y = inside(seen.y(), free.top, free.bottom, radius);
    // Panning is by pixels at the target's depth.
    const double nearer = seen.z() / camera.distance;
    camera.pan(nearer * (x - seen.x()), nearer * (y - seen.y()), height);
}

}  // namespace stiction
