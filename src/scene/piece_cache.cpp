// piece_cache.cpp - reads and writes the files of the cache.
#include "scene/piece_cache.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/build_id.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/input_file.h"

namespace stiction {
namespace {

constexpr std::string_view kMagic = "stiction pieces 1\n";
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

std::filesystem::path folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && cache[0] == '/')
        return std::filesystem::path(cache) / "stiction/pieces";
    const char* home = std::getenv("HOME");
    if (home == nullptr || home[0] != '/') return {};
    return std::filesystem::path(home) / ".cache/stiction/pieces";
}

std::uint64_t with_build(std::uint64_t key) {
    Hash hash;
    hash.add(key);
    for (const char c : build_id()) hash.add(static_cast<std::uint64_t>(c));
    return hash.value();
}

std::uint64_t hash_of(std::string_view bytes) {
    Hash hash;
    for (const char c : bytes) hash.add(static_cast<std::uint64_t>(c));
    return hash.value();
}

std::string hexadecimal(std::uint64_t value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = 0; i < 16; ++i) text[15 - i] = kDigits[value >> (4 * i) & 15U];
    return text;
}

template <class T>
void put(const T& value, std::string& bytes) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(const Vec3& x, std::string& bytes) {
    for (int k = 0; k < 3; ++k) put(x[k], bytes);
}

std::string written(const Decomposition& found) {
    std::string bytes(kMagic);
    put(found.deviation, bytes);
    put(static_cast<std::uint32_t>(found.pieces.size()), bytes);
    for (const Hull& hull : found.pieces) {
        put(static_cast<std::uint32_t>(hull.vertices.size()), bytes);
        for (const Vec3& v : hull.vertices) put(v, bytes);
        put(static_cast<std::uint32_t>(hull.faces.size()), bytes);
        for (const Hull::Face& face : hull.faces) {
            put(face.normal, bytes);
            put(face.offset, bytes);
            put(static_cast<std::uint32_t>(face.vertices.size()), bytes);
            for (const int v : face.vertices) put(static_cast<std::uint32_t>(v), bytes);
        }
    }
    put(hash_of(bytes), bytes);
    return bytes;
}

// Of bytes whose hash is right; still no number is believed that the bytes cannot hold.
class PieceReader {
  public:
    explicit PieceReader(std::string_view bytes) : rest_(bytes) {}

    std::optional<Decomposition> read() {
        Decomposition found;
        found.deviation = number<double>();
        const std::uint32_t pieces = count(sizeof(std::uint32_t));
        for (std::uint32_t i = 0; i < pieces && good_; ++i) found.pieces.push_back(hull());
        if (!good_ || !rest_.empty() || found.pieces.empty()) return std::nullopt;
        return found;
    }

  private:
    template <class T>
    T number() {
        T value{};
        good_ = good_ && rest_.size() >= sizeof value;
        if (!good_) return value;
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }
    Vec3 vector() {
        Vec3 x;
        for (int k = 0; k < 3; ++k) x[k] = number<double>();
        return x;
    }
    // Of things that take at least so many bytes each.
    std::uint32_t count(std::size_t least) {
        const auto n = number<std::uint32_t>();
        good_ = good_ && n <= rest_.size() / least;
        return good_ ? n : 0;
    }
    Hull hull() {
        Hull hull;
        const std::uint32_t vertices = count(3 * sizeof(double));
        for (std::uint32_t i = 0; i < vertices; ++i) hull.vertices.push_back(vector());
        const std::uint32_t faces = count(4 * sizeof(double));
        for (std::uint32_t i = 0; i < faces && good_; ++i) {
            Hull::Face face;
            face.normal = vector();
            face.offset = number<double>();
            const std::uint32_t corners = count(sizeof(std::uint32_t));
            for (std::uint32_t k = 0; k < corners; ++k) {
                const auto v = number<std::uint32_t>();
                good_ = good_ && v < vertices;
                face.vertices.push_back(static_cast<int>(v));
            }
            good_ = good_ && corners >= 3;
            hull.faces.push_back(std::move(face));
        }
        good_ = good_ && hull.faces.size() >= 4;
        return hull;
    }

    std::string_view rest_;
    bool good_ = true;
};

}  // namespace

std::optional<Decomposition> find_pieces(std::uint64_t key) {
    const std::filesystem::path where = folder();
    if (where.empty()) return std::nullopt;
    std::string bytes;
    try {
        bytes = read_input_file((where / hexadecimal(with_build(key))).string(), "pieces of a mesh",
                                kMostBytes);
    } catch (const InputError&) {
        return std::nullopt;
    }
    std::uint64_t stored = 0;
    if (bytes.size() < kMagic.size() + sizeof stored || !bytes.starts_with(kMagic))
        return std::nullopt;
    const std::string_view content(bytes.data(), bytes.size() - sizeof stored);
    std::memcpy(&stored, content.data() + content.size(), sizeof stored);
    if (stored != hash_of(content)) return std::nullopt;
    return PieceReader(content.substr(kMagic.size())).read();
}

void keep_pieces(std::uint64_t key, const Decomposition& pieces) {
    const std::filesystem::path where = folder();
    std::error_code failed;
    if (where.empty() || (std::filesystem::create_directories(where, failed), failed)) return;
    const std::filesystem::path path = where / hexadecimal(with_build(key));
    const std::filesystem::path part = path.string() + "." + std::to_string(::getpid()) + ".part";
    const std::string bytes = written(pieces);
    std::ofstream file(part, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file) std::filesystem::rename(part, path, failed);
    if (!file || failed) std::filesystem::remove(part, failed);
}

}  // namespace stiction
