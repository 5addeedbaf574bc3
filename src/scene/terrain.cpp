// terrain.cpp - heights from numbers in place, text, a grey picture or a seed.
#include "scene/terrain.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/input_file.h"
#include "model/height_grid.h"
#include "scene/named_file.h"
#include "scene/png_grey.h"

namespace stiction {
namespace {

// Samples as written: the first row is the one of largest y, so that text looks like a map.
struct Samples {
    int nx = 0, ny = 0;
    std::vector<double> rows;
};

std::vector<double> from_smallest_y(const Samples& s) {
    std::vector<double> heights;
    heights.reserve(s.rows.size());
    const auto width = static_cast<std::ptrdiff_t>(s.nx);
    for (std::ptrdiff_t j = s.ny - 1; j >= 0; --j)
        heights.insert(heights.end(), s.rows.begin() + j * width, s.rows.begin() + (j + 1) * width);
    return heights;
}

// A row is at most so many numbers of 32 letters.
constexpr std::size_t kLongestRow = std::size_t{32} * kMaxGridSamples;

// The next number of a line from `at` on; false at its end. Complains with the place in the file.
bool next_number(const Node& node, const std::string& path, std::int64_t line_number,
                 const std::string& line, std::size_t& at, double& value) {
    at = line.find_first_not_of(" \t,;\r", at);
    if (at == std::string::npos) return false;
    std::size_t end = line.find_first_of(" \t,;\r", at);
    if (end == std::string::npos) end = line.size();
    const auto [rest, problem] = std::from_chars(line.data() + at, line.data() + end, value);
    if (problem != std::errc() || rest != line.data() + end || !std::isfinite(value)) {
        constexpr std::size_t kShown = 40;
        node.fail(path + ":" + std::to_string(line_number) + ":" + std::to_string(at + 1) + ": '" +
                  line.substr(at, std::min(end - at, kShown)) + "' is not a finite number");
    }
    at = end;
    return true;
}

void check_row(const Node& node, const std::string& place, int length, const Samples& s) {
    if (s.ny > 0 && length != s.nx) {
        node.fail(place + ": a row of " + std::to_string(length) + " heights; expected " +
                  std::to_string(s.nx) + " as in the first row");
    }
    if (length > kMaxGridSamples || s.ny >= kMaxGridSamples) {
        node.fail(place + ": more than " + std::to_string(kMaxGridSamples) +
                  " heights along one side");
    }
}

// One row per line; '#' starts a comment.
Samples read_text_grid(const Node& node, const std::string& path) {
    InputLines lines(path, "rows of heights", kLongestRow);
    Samples s;
    std::string line;
    const auto next = [&] {
        try {
            return lines.next(line);
        } catch (const InputError& error) {
            node.fail(error.what());
        }
    };
    while (next()) {
        const std::int64_t number = lines.number();
        line.resize(std::min(line.size(), line.find('#')));
        const std::size_t before = s.rows.size();
        std::size_t at = 0;
        double value = 0;
        while (next_number(node, path, number, line, at, value)) s.rows.push_back(value);
        const int length = static_cast<int>(s.rows.size() - before);
        if (length == 0) continue;
        check_row(node, path + ":" + std::to_string(number), length, s);
        s.nx = length;
        ++s.ny;
    }
    return s;
}

Samples read_grid(const Node& node) {
    node.expect_list("rows of heights");
    Samples s;
    for (std::size_t j = 0; j < node.size(); ++j) {
        const Node row = node[j];
        row.expect_list("heights [m]");
        check_row(row, "grid", static_cast<int>(row.size()), s);
        for (std::size_t i = 0; i < row.size(); ++i) s.rows.push_back(row[i].number());
        s.nx = static_cast<int>(row.size());
        ++s.ny;
    }
    return s;
}

Samples read_picture(const Node& heights, const std::string& path) {
    const Node range = heights.at("range");
    if (!range.is_list() || range.size() != 2) {
        range.fail("expected [height of black, height of white] [m]");
    }
    const double black = range[0].number(), white = range[1].number();
    GreyPicture picture;
    try {
        picture = read_grey_png(path, kMaxGridSamples);
    } catch (const InputError& error) {
        heights.at("file").fail(error.what());
    }
    Samples s{picture.width, picture.height, {}};
    s.rows.reserve(picture.grey.size());
    for (const std::uint16_t grey : picture.grey)
        s.rows.push_back(black + (white - black) * grey / picture.white);
    return s;
}

bool is_png(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    return extension == ".png" || extension == ".PNG";
}

struct Size {
    double x, y;
};

Size read_size(const Node& node) {
    if (!node.is_list() || node.size() != 2) node.fail("expected two numbers: along x and y [m]");
    return {node[0].number(positive("m")), node[1].number(positive("m"))};
}

std::vector<double> read_bumps(const Node& heights, const Size& size, std::uint64_t seed, int& nx,
                               int& ny) {
    heights.only({"samples", "bumps", "wavelength", "seed"});
    const Node samples = heights.at("samples");
    if (!samples.is_list() || samples.size() != 2) {
        samples.fail("expected two whole numbers: how many along x and y");
    }
    nx = static_cast<int>(samples[0].integer(2, kMaxGridSamples));
    ny = static_cast<int>(samples[1].integer(2, kMaxGridSamples));
    Bumps bumps{heights.at("bumps").number(at_least_zero("m")),
                heights.at("wavelength").number(positive("m")), seed};
    if (const auto own = heights.find("seed"))
        bumps.seed = static_cast<std::uint64_t>(own->integer(0, 1LL << 53));
    const double least = std::max(size.x, size.y) / kMaxGridSamples;
    if (bumps.wavelength < least) {
        heights.at("wavelength")
            .fail("too short for the size of the field; expected at least " +
                  std::to_string(least) + " m");
    }
    return bumpy_heights(size.x, size.y, nx, ny, bumps);
}

Samples read_samples(const Node& heights) {
    if (heights.has("grid")) {
        heights.only({"grid"});
        return read_grid(heights.at("grid"));
    }
    heights.only({"file", "range"});
    const Node node = heights.at("file");
    const std::string path = file_of(node);
    if (is_png(path)) return read_picture(heights, path);
    if (const auto range = heights.find("range"))
        range->fail("only for pictures (.png); a text file has heights in metres");
    return read_text_grid(node, path);
}

}  // namespace

Heightfield read_heightfield(const Node& node, std::uint64_t seed) {
    const Size size = read_size(node.at("size"));
    const Node heights = node.at("heights");
    heights.expect_map();
    const int ways = heights.has("grid") + heights.has("file") + heights.has("samples");
    if (ways != 1) {
        heights.fail(
            "expected exactly one of 'grid' (rows of heights), 'file' (.png or text) and "
            "'samples' (random bumps)");
    }
    int nx = 0, ny = 0;
    std::vector<double> values;
    if (heights.has("samples")) {
        values = read_bumps(heights, size, seed, nx, ny);
    } else {
        const Samples samples = read_samples(heights);
        nx = samples.nx;
        ny = samples.ny;
        values = from_smallest_y(samples);
    }
    try {
        return {std::make_shared<const HeightGrid>(size.x, size.y, nx, ny, std::move(values))};
    } catch (const InputError& error) {
        heights.fail(error.what());
    }
}

}  // namespace stiction
