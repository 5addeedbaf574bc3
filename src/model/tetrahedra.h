// tetrahedra.h - mass properties of a solid as a sum over tetrahedra that its surface's triangles
// span with one point.
//
// For the tetrahedron (0, a, b, c), with det = a . (b x c):
//
//   volume          det / 6
//   first moment    det (a+b+c) / 24
//   second moment   det ((a+b+c)(a+b+c)' + aa' + bb' + cc') / 120
#pragma once

#include "model/shape.h"

namespace stiction {

class TetrahedronSum {
  public:
    explicit TetrahedronSum(const Vec3& origin) : origin_(origin) {}

    // A triangle of the surface, counter-clockwise seen from outside.
    void add(const Vec3& p, const Vec3& q, const Vec3& r) {
        const Vec3 a = p - origin_, b = q - origin_, c = r - origin_, sum = a + b + c;
        const double det = a.dot(b.cross(c));
        volume_ += det / 6;
        first_ += det / 24 * sum;
        second_ +=
            det / 120 *
            (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }

    [[nodiscard]] double volume() const { return volume_; }  // negative: triangles face inward
    [[nodiscard]] SolidProperties solid() const {
        const Vec3 centroid = first_ / volume_;
        const Mat3 second = second_ - volume_ * centroid * centroid.transpose();
        return {volume_, origin_ + centroid, second.trace() * Mat3::Identity() - second};
    }

  private:
    Vec3 origin_;
    double volume_ = 0;
    Vec3 first_ = Vec3::Zero();
    Mat3 second_ = Mat3::Zero();
};

}  // namespace stiction
