// mass.cpp - mass, centre of mass and inertia of a body from its keys and shapes.
#include "scene/mass.h"

#include <Eigen/Eigenvalues>
#include <sstream>

namespace stiction {
namespace {

// On symmetry and the triangle inequality of moments of inertia: what computing them rounds.
constexpr double kRelativeSlack = 1e-9;

// 3: the diagonal; 6: xx yy zz xy xz yz; 9: the rows.
Mat3 read_inertia(const Node& node) {
    if (!node.is_list() || (node.size() != 3 && node.size() != 6 && node.size() != 9)) {
        node.fail("expected 3 numbers (diagonal), 6 (xx, yy, zz, xy, xz, yz) or 9 (rows)");
    }
    std::vector<double> x;
    for (std::size_t i = 0; i < node.size(); ++i) x.push_back(node[i].number());
    Mat3 I = Mat3::Zero();
    if (x.size() == 9) {
        I << x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8];
    } else {
        I.diagonal() << x[0], x[1], x[2];
        if (x.size() == 6) {
            I(0, 1) = I(1, 0) = x[3];
            I(0, 2) = I(2, 0) = x[4];
            I(1, 2) = I(2, 1) = x[5];
        }
    }
    if ((I - I.transpose()).norm() > kRelativeSlack * I.norm()) node.fail("must be symmetric");
    return 0.5 * (I + I.transpose());
}

// Moments of a real body are positive and each is at most the sum of the others.
void check_inertia(const Node& node, const Mat3& inertia) {
    const Vec3 moments =
        Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
    std::ostringstream text;
    text << "principal moments " << moments.transpose() << " kg m^2: ";
    if (!(moments[0] > 0)) node.fail(text.str() + "must all be > 0");
    if (moments[2] > (moments[0] + moments[1]) * (1 + kRelativeSlack)) {
        node.fail(text.str() + "the largest must be at most the sum of the others");
    }
}

double shape_mass(const ShapeEntry& shape, double volume) {
    if (shape.mass) return *shape.mass;
    return shape.density ? *shape.density * volume : 0;
}

void check_who_has_mass(const Node& body, const std::vector<ShapeEntry>& shapes) {
    if (body.has("mass") && body.has("density")) {
        body.at("density").fail("the body has a mass already; expected mass or density");
    }
    const bool of_body = body.has("mass") || body.has("density");
    for (const ShapeEntry& shape : shapes) {
        if (shape.mass && shape.density) {
            shape.node.at("density").fail("the shape has a mass already; expected mass or density");
        }
        const bool of_shape = shape.mass || shape.density;
        if (of_body && of_shape) {
            shape.node.fail("has mass or density, and so has the body; expected one of the two");
        }
        if (!of_body && !of_shape) {
            body.fail(
                "key 'mass' is missing; expected the body's mass or density, or one in each shape");
        }
    }
    if (!of_body && shapes.empty()) {
        body.fail("key 'mass' is missing; expected the mass of a dynamic body");
    }
    if (shapes.empty() && body.has("density")) {
        body.at("density").fail("the body has no shape; expected 'mass' and 'inertia'");
    }
}

MassProperties of_shapes(const Node& body, const std::vector<ShapeEntry>& shapes) {
    double volume = 0;
    for (const ShapeEntry& shape : shapes) volume += shape.solid.volume;
    double density = -1;  // of the whole body; negative: each shape has its own
    if (const auto node = body.find("mass")) density = node->number(positive("kg")) / volume;
    if (const auto node = body.find("density")) density = node->number(positive("kg/m^3"));

    MassProperties sum;
    std::vector<MassProperties> parts;
    for (const ShapeEntry& shape : shapes) {
        const SolidProperties& solid = shape.solid;
        const double mass = density >= 0 ? density * solid.volume : shape_mass(shape, solid.volume);
        const Mat3 R = shape.geom.pose_BG.R();
        parts.push_back({mass, shape.geom.pose_BG * solid.centroid,
                         mass / solid.volume * R * solid.inertia * R.transpose()});
        sum.mass += mass;
        sum.com += mass * parts.back().com;
    }
    if (!(sum.mass > 0)) body.fail("mass: must be > 0 kg, got 0 from the shapes");
    sum.com /= sum.mass;
    for (const MassProperties& part : parts) {  // Steiner: I + m (|d|^2 1 - d d')
        const Vec3 d = part.com - sum.com;
        sum.inertia +=
            part.inertia + part.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    if (const auto node = body.find("mass")) sum.mass = node->number();
    return sum;
}

}  // namespace

std::string beyond_range(double mass, const Mat3& inertia) {
    std::ostringstream text;
    const Vec3 moments = inertia.diagonal();
    if (!(mass >= kLeastMass && mass <= kLargestMass)) {
        text << "mass: must be " << kLeastMass << " to " << kLargestMass << " kg, got " << mass;
    } else if (!(moments.minCoeff() >= kLeastMoment && moments.maxCoeff() <= kLargestMoment)) {
        text << "inertia: must be " << kLeastMoment << " to " << kLargestMoment << " kg m^2, got "
             << moments.transpose();
    }
    return text.str();
}

MassProperties read_mass(const Node& body, const std::vector<ShapeEntry>& shapes) {
    check_who_has_mass(body, shapes);
    MassProperties result;
    if (shapes.empty()) {
        result.mass = body.at("mass").number(positive("kg"));
        if (!body.has("inertia"))
            body.fail("key 'inertia' is missing; a body without shapes needs it");
    } else {
        result = of_shapes(body, shapes);
    }
    const auto inertia = body.find("inertia");
    if (const auto com = body.find("com")) {
        if (!inertia) com->fail("needs 'inertia' beside it: the shapes' own centre is elsewhere");
        result.com = com->vector();
    }
    if (inertia) result.inertia = read_inertia(*inertia);
    check_inertia(inertia ? *inertia : body, result.inertia);
    if (const std::string what = beyond_range(result.mass, result.inertia); !what.empty())
        body.fail(what);
    return result;
}

}  // namespace stiction
