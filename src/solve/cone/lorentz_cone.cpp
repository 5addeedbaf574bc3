// lorentz_cone.cpp - the scaling of Nesterov and Todd on the Lorentz cone.
#include "solve/cone/lorentz_cone.h"

namespace stiction {

using Vec2 = Eigen::Vector2d;

bool nesterov_todd(const LorentzPoint& y_point, const LorentzPoint& z_point,
                   LorentzScaling& scaling) {
    const double y_root = std::sqrt(determinant(y_point));
    const double z_root = std::sqrt(determinant(z_point));
    if (!(y_root > 0) || !(z_root > 0) || !std::isfinite(y_root + z_root)) return false;
    const Vec3 y = y_point.p / y_root;
    const Vec3 z = z_point.p / z_root;
    const double gamma = std::sqrt((1 + product(y_point, z_point) / (y_root * z_root)) / 2);
    const Vec2 w = (y.tail<2>() - z.tail<2>()) / (2 * gamma);
    const double w0 = std::sqrt(1 + w.squaredNorm());
    const double eta = std::sqrt(y_root / z_root);
    Mat3 S;
    S(0, 0) = w0;
    S.block<1, 2>(0, 1) = w.transpose();
    S.block<2, 1>(1, 0) = w;
    S.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() + w * w.transpose() / (1 + w0);
    scaling.S = eta * S;
    S.block<1, 2>(0, 1) *= -1;
    S.block<2, 1>(1, 0) *= -1;
    scaling.S_inverse = S / eta;
    const Vec3 mirrored(w0, -w[0], -w[1]);
    scaling.P = 2 * mirrored * mirrored.transpose();
    scaling.P.diagonal() += Vec3(-1, 1, 1);
    scaling.P /= eta * eta;
    // lambda = S z, in a form without cancellation where y_T and z_T are nearly opposite.
    const double ty = tangential_norm(y);
    const double tz = tangential_norm(z);
    Vec2 t = gamma * (y.tail<2>() + z.tail<2>());
    if (ty > 0 && tz > 0) {
        const Vec2 along = y.tail<2>() / ty;
        const Vec2 miss = along + z.tail<2>() / tz;
        t += along * (z_point.gap / z_root * ty - y_point.gap / y_root * tz) + y[0] * tz * miss;
    } else {
        t += z[0] * y.tail<2>() + y[0] * z.tail<2>();
    }
    const double size = std::sqrt(y_root * z_root);
    scaling.lambda[0] = size * gamma;
    scaling.lambda.tail<2>() = size * t / (y[0] + z[0] + 2 * gamma);
    return true;
}

}  // namespace stiction
