// hash.h - 64-bit FNV-1a over the bits of numbers: equal hashes stand for bit-identical states.
#pragma once

#include <bit>
#include <cstdint>

#include "core/types.h"

namespace stiction {

class Hash {
  public:
    void add(std::uint64_t bits) {
        for (int shift = 0; shift < 64; shift += 8) {
            value_ = (value_ ^ ((bits >> shift) & 0xffU)) * 0x100000001b3ULL;
        }
    }
    // -0.0 and 0.0 are the same number, so they hash alike.
    void add(double x) { add(std::bit_cast<std::uint64_t>(x == 0.0 ? 0.0 : x)); }
    void add(const Vec3& x) {
        add(x.x());
        add(x.y());
        add(x.z());
    }
    void add(const Quat& q) {
        add(q.w());
        add(Vec3(q.vec()));
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace stiction
