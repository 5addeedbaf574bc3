// shrink.cpp - delta debugging on sketches.
#include "random/shrink.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

class Shrinker {
  public:
    Shrinker(const SceneSketch& sketch, const Fails& fails, int max_attempts)
        : best_(sketch), text_(to_yaml(sketch)), fails_(fails), left_(max_attempts) {}

    [[nodiscard]] const SceneSketch& best() const { return best_; }
    [[nodiscard]] int left() const { return left_; }

    // Takes over what `edit` makes of the best sketch so far, if that still fails.
    template <class Edit>
    bool attempt(const Edit& edit) {
        SceneSketch candidate = best_;
        edit(candidate);
        const std::string text = to_yaml(candidate);
        if (text == text_ || left_ == 0) return false;
        --left_;
        if (!fails_(candidate)) return false;
        best_ = candidate;
        text_ = text;
        return true;
    }

  private:
    SceneSketch best_;
    std::string text_;  // of it
    const Fails& fails_;
    int left_;
};

// Removes stretches of a list, from halves to single entries, from its end. `size` and `remove`
// say which list.
template <class Size, class Remove>
bool drop_entries(Shrinker& shrinker, const Size& size, const Remove& remove) {
    bool any = false;
    for (int chunk = std::max(1, size(shrinker.best()) / 2); chunk >= 1; chunk /= 2) {
        for (int end = size(shrinker.best()); end > 0; end -= chunk) {
            const int begin = std::max(0, end - chunk);
            any |= shrinker.attempt([&](SceneSketch& sketch) {
                for (int i = std::min(end, size(sketch)) - 1; i >= begin; --i) remove(sketch, i);
            });
        }
    }
    return any;
}

bool drop_bodies(Shrinker& shrinker) {
    return drop_entries(
        shrinker, [](const SceneSketch& s) { return static_cast<int>(s.bodies.size()); },
        [](SceneSketch& s, int i) { remove_body(s, i); });
}
bool drop_joints(Shrinker& shrinker) {
    return drop_entries(
        shrinker, [](const SceneSketch& s) { return static_cast<int>(s.joints.size()); },
        [](SceneSketch& s, int i) { remove_joint(s, i); });
}

// As if the change had come before the first step.
void begin_with_change(SceneSketch& sketch) {
    if (!sketch.change) return;
    const Change change = *sketch.change;
    if (change.model != name(sketch.contact)) sketch.contact = make_contact_model(change.model);
    sketch.step.h = change.h;
    for (BodySketch& body : sketch.bodies) body.friction *= change.friction;
    sketch.steps = std::max(1, sketch.steps - change.step);
    sketch.change.reset();
}

bool shorten_run(Shrinker& shrinker) {
    bool any = shrinker.attempt([](SceneSketch& s) { s.change.reset(); });
    any |= shrinker.attempt(begin_with_change);
    for (int cut = shrinker.best().steps / 2; cut >= 1; cut /= 2) {
        while (shrinker.attempt([&](SceneSketch& s) {
            const int least = s.change ? s.change->step + 1 : 1;
            s.steps = std::max(least, s.steps - cut);
        }))
            any = true;
        while (shrinker.attempt([&](SceneSketch& s) {
            if (!s.change || s.change->step - cut < 1) return;
            s.change->step -= cut;
            s.steps -= cut;
        }))
            any = true;
    }
    return any;
}

bool plain_settings(Shrinker& shrinker) {
    const SceneSketch usual;
    bool any = false;
    const auto attempt = [&](const auto& edit) { any |= shrinker.attempt(edit); };
    attempt([](SceneSketch& s) { s.contact = make_contact_model(name(s.contact)); });
    attempt([](SceneSketch& s) { s.repeat = 1; });
    attempt([&](SceneSketch& s) { s.step.stabilisation = usual.step.stabilisation; });
    attempt([&](SceneSketch& s) { s.step.max_depenetration = usual.step.max_depenetration; });
    attempt(
        [&](SceneSketch& s) { s.step.restitution_threshold = usual.step.restitution_threshold; });
    attempt([](SceneSketch& s) { s.gravity = Vec3::Zero(); });
    attempt([&](SceneSketch& s) {
        if (!s.gravity.isZero(0.0)) s.gravity = usual.gravity;
    });
    attempt([](SceneSketch& s) { s.step.h = 0.01; });
    attempt([](SceneSketch& s) {
        if (s.change) s.change->friction = 1;
    });
    attempt([](SceneSketch& s) {
        if (s.change) s.change->h = s.step.h;
    });
    return any;
}

// To so many significant digits.
double plain(double x, int digits) {
    if (x == 0 || !std::isfinite(x)) return x;
    const int places = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(x))));
    const double power = std::pow(10.0, std::abs(places));
    return places >= 0 ? std::round(x * power) / power : std::round(x / power) * power;
}
Vec3 plain(const Vec3& x, int digits) {
    return {plain(x.x(), digits), plain(x.y(), digits), plain(x.z(), digits)};
}

// A box in place of any other shape, of about its size.
ShapeSketch as_box(const ShapeSketch& shape) {
    Vec3 size = shape.size;
    if (shape.kind == ShapeKind::kSphere) size = Vec3::Constant(2 * shape.size.x());
    if (shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kCylinder)
        size = {2 * shape.size.x(), 2 * shape.size.x(), shape.size.z()};
    if (shape.kind == ShapeKind::kHull) {
        size.setZero();
        for (const Vec3& p : shape.points) size = size.cwiseMax(2 * p.cwiseAbs());
    }
    return {ShapeKind::kBox, plain(size, 2), {}, shape.pose};
}
ShapeSketch as_sphere(const ShapeSketch& shape) {
    const double radius = 0.5 * as_box(shape).size.minCoeff();
    return {ShapeKind::kSphere, Vec3::Constant(radius), {}, shape.pose};
}
bool is_ground(const ShapeSketch& shape) {
    return shape.kind == ShapeKind::kPlane || shape.kind == ShapeKind::kHeightfield;
}

// No edit undoes another: the plainest value comes first, and what has it is left alone.
using EditBody = void (*)(BodySketch&);
constexpr EditBody kBodyEdits[] = {
    [](BodySketch& b) {
        if (b.shapes.size() > 1) b.shapes.resize(1);
    },
    [](BodySketch& b) {
        if (b.shapes.size() > 1) b.shapes.erase(b.shapes.begin());
    },
    [](BodySketch& b) {
        if (b.shapes.size() == 1) b.shapes[0].pose = {};
    },
    [](BodySketch& b) {
        if (b.shapes[0].kind == ShapeKind::kHeightfield) b.shapes[0].kind = ShapeKind::kPlane;
    },
    [](BodySketch& b) {
        if (b.kind != BodyKind::kDynamic) return;
        b.kind = BodyKind::kStatic;
        b.twist = {};
        b.force.setZero();
    },
    [](BodySketch& b) {
        if (b.kind == BodyKind::kKinematic) b.kind = BodyKind::kStatic;
    },
    [](BodySketch& b) {
        for (ShapeSketch& shape : b.shapes) {
            if (!is_ground(shape) && shape.kind != ShapeKind::kSphere) shape = as_sphere(shape);
        }
    },
    [](BodySketch& b) {
        for (ShapeSketch& shape : b.shapes) {
            if (!is_ground(shape) && shape.kind != ShapeKind::kSphere) shape = as_box(shape);
        }
    },
    [](BodySketch& b) {
        for (ShapeSketch& shape : b.shapes) {
            if (shape.kind == ShapeKind::kHull && shape.points.size() > 4) shape.points.pop_back();
        }
    },
    [](BodySketch& b) { b.pose.q = Quat::Identity(); },
    [](BodySketch& b) { b.twist = {}; },
    [](BodySketch& b) { b.twist.v.setZero(); },
    [](BodySketch& b) { b.twist.w.setZero(); },
    [](BodySketch& b) {
        b.twist = {plain(b.twist.v, 1), plain(b.twist.w, 1)};
    },
    [](BodySketch& b) { b.force.setZero(); },
    [](BodySketch& b) { b.restitution = 0; },
    [](BodySketch& b) { b.viscous = 0; },
    [](BodySketch& b) { b.friction = 0; },
    [](BodySketch& b) {
        if (b.friction != 0) b.friction = 0.5;
    },
    [](BodySketch& b) { b.friction = plain(b.friction, 1); },
    [](BodySketch& b) { b.mass = 1; },
    [](BodySketch& b) { b.mass = std::pow(10.0, std::round(std::log10(b.mass))); },
    [](BodySketch& b) { b.mass = plain(b.mass, 1); },
    [](BodySketch& b) { b.pose.p = plain(b.pose.p, 1); },
    [](BodySketch& b) { b.pose.p = plain(b.pose.p, 2); },
    [](BodySketch& b) { b.pose.p.x() = 0; },
    [](BodySketch& b) { b.pose.p.y() = 0; },
    [](BodySketch& b) {
        for (ShapeSketch& shape : b.shapes) shape.size = plain(shape.size, 1);
    },
};

bool plain_bodies(Shrinker& shrinker) {
    bool any = false;
    for (const EditBody edit : kBodyEdits) {
        any |= shrinker.attempt([&](SceneSketch& s) {  // all at once, where that does it
            for (BodySketch& body : s.bodies) edit(body);
        });
        for (std::size_t b = 0; b < shrinker.best().bodies.size(); ++b)
            any |= shrinker.attempt([&](SceneSketch& s) { edit(s.bodies[b]); });
    }
    return any;
}

Vec3 nearest_axis(const Vec3& x) {
    Eigen::Index largest = 0;
    x.cwiseAbs().maxCoeff(&largest);
    return x[largest] < 0 ? Vec3(-Vec3::Unit(largest)) : Vec3(Vec3::Unit(largest));
}

using EditJoint = void (*)(JointSketch&);
constexpr EditJoint kJointEdits[] = {
    [](JointSketch& j) { j.mimic = kNone; },
    [](JointSketch& j) { j.motor = {}; },
    [](JointSketch& j) { j.limited = false; },
    [](JointSketch& j) { j.friction = j.damping = 0; },
    [](JointSketch& j) { j.friction = 0; },
    [](JointSketch& j) { j.damping = 0; },
    [](JointSketch& j) { j.armature = 0; },
    [](JointSketch& j) { j.reduced = false; },
    [](JointSketch& j) { j.collide = false; },
    [](JointSketch& j) { j.parent = kNone; },
    [](JointSketch& j) {
        if (j.kind == JointKind::kUniversal) return;
        j.axis = nearest_axis(j.axis);
    },
    [](JointSketch& j) { j.anchor = plain(j.anchor, 1); },
    [](JointSketch& j) { j.anchor = plain(j.anchor, 2); },
    [](JointSketch& j) {
        j.lower = plain(j.lower, 1);
        j.upper = plain(j.upper, 1);
    },
    [](JointSketch& j) {
        j.motor.target = plain(j.motor.target, 1);
        j.motor.kp = plain(j.motor.kp, 1);
        j.motor.kd = plain(j.motor.kd, 1);
        j.motor.max_force = plain(j.motor.max_force, 1);
    },
};

bool plain_joints(Shrinker& shrinker) {
    bool any = false;
    for (const EditJoint edit : kJointEdits) {
        for (std::size_t j = 0; j < shrinker.best().joints.size(); ++j)
            any |= shrinker.attempt([&](SceneSketch& s) { edit(s.joints[j]); });
    }
    return any;
}

}  // namespace

Shrunk shrink(const SceneSketch& sketch, const Fails& fails, int max_attempts) {
    Shrinker shrinker(sketch, fails, max_attempts);
    bool any = true;
    while (any) {
        any = shorten_run(shrinker);
        any |= drop_bodies(shrinker);
        any |= drop_joints(shrinker);
        any |= plain_settings(shrinker);
        any |= plain_bodies(shrinker);
        any |= plain_joints(shrinker);
    }
    return {shrinker.best(), max_attempts - shrinker.left()};
}

}  // namespace stiction
