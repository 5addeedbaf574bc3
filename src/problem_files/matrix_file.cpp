// matrix_file.cpp - small writers of matrix files, by hand.
#include "problem_files/matrix_file.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "core/nearest.h"
#include "problem_files/dataset_hdf5.h"
#include "record/output_file.h"

namespace stiction {

namespace {

std::string suffix_of(const std::string& path) {
    return std::filesystem::path(path).extension().string();
}

std::string second_path(const std::string& path) {
    return path.substr(0, path.size() - suffix_of(path).size()) + "_b.mtx";
}

template <class T>
void put_raw(T x, std::string& out) {  // little-endian, as the machines that we build for
    std::array<char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &x, sizeof x);
    out.append(bytes.data(), bytes.size());
}

void put_doubles(const MatX& A, std::string& out) {  // column by column
    out.append(reinterpret_cast<const char*>(A.data()),
               static_cast<std::size_t>(A.size()) * sizeof(double));
}

// MATLAB 5: elements of type, bytes, data, filled up to eight bytes.
void put_element(std::uint32_t type, const std::string& data, std::string& out) {
    put_raw<std::uint32_t>(type, out);
    put_raw<std::uint32_t>(static_cast<std::uint32_t>(data.size()), out);
    out += data;
    out.append((8 - data.size() % 8) % 8, '\0');
}

std::string mat_array(const std::string& name, const MatX& A) {
    constexpr std::uint32_t kInt8 = 1, kInt32 = 5, kUint32 = 6, kDouble = 9, kMatrix = 14;
    constexpr std::uint32_t kDoubleClass = 6;
    std::string flags, dims, data, content, out;
    put_raw<std::uint32_t>(kDoubleClass, flags);
    put_raw<std::uint32_t>(0, flags);
    put_raw<std::int32_t>(static_cast<std::int32_t>(A.rows()), dims);
    put_raw<std::int32_t>(static_cast<std::int32_t>(A.cols()), dims);
    put_doubles(A, data);
    put_element(kUint32, flags, content);
    put_element(kInt32, dims, content);
    put_element(kInt8, name, content);
    put_element(kDouble, data, content);
    put_element(kMatrix, content, out);
    return out;
}

std::string npy_bytes(const MatX& A, bool vector) {
    std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (" +
                         std::to_string(A.rows()) +
                         (vector ? "," : ", " + std::to_string(A.cols())) + "), }";
    const std::size_t start = 10;  // magic, version, length
    header.append(63 - (start + header.size()) % 64, ' ');
    header += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    put_raw<std::uint16_t>(static_cast<std::uint16_t>(header.size()), out);
    out += header;
    put_doubles(A, out);
    return out;
}

std::uint32_t crc32_of(const std::string& data) {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t c = i;
        for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1U) : c >> 1U;
        table[i] = c;
    }
    std::uint32_t crc = 0xffffffffU;
    for (const char c : data)
        crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xffU] ^ (crc >> 8U);
    return crc ^ 0xffffffffU;
}

// A ZIP archive of stored members.
class ZipWriter {
  public:
    void add(const std::string& name, const std::string& data) {
        const auto offset = static_cast<std::uint32_t>(out_.size());
        put_raw<std::uint32_t>(0x04034b50U, out_);
        const std::string common = common_fields(name, data);
        out_ += common;
        out_ += name;
        out_ += data;
        put_raw<std::uint32_t>(0x02014b50U, directory_);
        put_raw<std::uint16_t>(20, directory_);  // made by version 2.0
        directory_ += common;
        directory_.append(10, '\0');  // comment, disk, attributes
        put_raw<std::uint32_t>(offset, directory_);
        directory_ += name;
        ++members_;
    }
    [[nodiscard]] std::string finish() {
        const auto start = static_cast<std::uint32_t>(out_.size());
        out_ += directory_;
        put_raw<std::uint32_t>(0x06054b50U, out_);
        put_raw<std::uint32_t>(0, out_);
        put_raw<std::uint16_t>(members_, out_);
        put_raw<std::uint16_t>(members_, out_);
        put_raw<std::uint32_t>(static_cast<std::uint32_t>(directory_.size()), out_);
        put_raw<std::uint32_t>(start, out_);
        put_raw<std::uint16_t>(0, out_);
        return out_;
    }

  private:
    static std::string common_fields(const std::string& name, const std::string& data) {
        constexpr std::uint16_t kDate =
            (2020 - 1980) << 9 | 1 << 5 | 1;  // the same bytes every day
        std::string fields;
        put_raw<std::uint16_t>(20, fields);  // needs version 2.0
        put_raw<std::uint16_t>(0, fields);
        put_raw<std::uint16_t>(0, fields);  // stored
        put_raw<std::uint16_t>(0, fields);
        put_raw<std::uint16_t>(kDate, fields);
        put_raw<std::uint32_t>(crc32_of(data), fields);
        put_raw<std::uint32_t>(static_cast<std::uint32_t>(data.size()), fields);
        put_raw<std::uint32_t>(static_cast<std::uint32_t>(data.size()), fields);
        put_raw<std::uint16_t>(static_cast<std::uint16_t>(name.size()), fields);
        put_raw<std::uint16_t>(0, fields);
        return fields;
    }

    std::string out_, directory_;
    std::uint16_t members_ = 0;
};

void append_number(double x, std::string& out) {
    std::array<char, 32> digits{};
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
}

void write_hdf5(const std::string& path, const Lcp& lcp) {
    check_writable(path, true);
    clear_part(path);
    const auto n = static_cast<std::uint64_t>(lcp.A.rows());
    const MatX rows = lcp.A.transpose();  // row by row
    DatasetHdf5Writer writer(part_path(path), false);
    writer.add_group("",
                     {{"A", {n, n}, std::vector<double>(rows.data(), rows.data() + rows.size())},
                      {"b", {n}, std::vector<double>(lcp.b.data(), lcp.b.data() + lcp.b.size())}});
    writer.close();
    publish(path);
}

}  // namespace

std::vector<std::string> matrix_files(const std::string& path) {
    const std::string suffix = suffix_of(path);
    if (suffix == ".mtx") return {path, second_path(path)};
    if (suffix == ".mat" || suffix == ".npz" || suffix == ".h5") return {path};
    throw InputError("'" + path + "': unknown suffix '" + suffix + "'" +
                     suggestion(suffix, {".mtx", ".mat", ".npz", ".h5"}));
}

std::string matrix_market_text(const MatX& A) {
    const bool array = A.cols() == 1;
    std::string text = array ? "%%MatrixMarket matrix array real general\n"
                             : "%%MatrixMarket matrix coordinate real general\n";
    std::string entries;
    Eigen::Index count = 0;
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
        for (Eigen::Index i = 0; i < A.rows(); ++i) {
            if (!array && A(i, j) == 0) continue;
            ++count;
            if (!array) entries += std::to_string(i + 1) + " " + std::to_string(j + 1) + " ";
            append_number(A(i, j), entries);
            entries += '\n';
        }
    }
    text += std::to_string(A.rows()) + " " + std::to_string(A.cols());
    if (!array) text += " " + std::to_string(count);
    return text + "\n" + entries;
}

std::string mat_bytes(const Lcp& lcp) {
    std::string header = "MATLAB 5.0 MAT-file, written by stiction";
    header.resize(124, ' ');
    put_raw<std::uint16_t>(0x0100, header);
    header += "IM";  // little-endian
    return header + mat_array("A", lcp.A) + mat_array("b", lcp.b);
}

std::string npz_bytes(const Lcp& lcp) {
    ZipWriter zip;
    zip.add("A.npy", npy_bytes(lcp.A, false));
    zip.add("b.npy", npy_bytes(lcp.b, true));
    return zip.finish();
}

void write_matrices(const std::string& path, const Lcp& lcp) {
    const std::string suffix = suffix_of(path);
    if (suffix == ".mtx") {
        write_file(path, matrix_market_text(lcp.A));
        write_file(second_path(path), matrix_market_text(lcp.b));
    } else if (suffix == ".mat") {
        write_file(path, mat_bytes(lcp));
    } else if (suffix == ".npz") {
        write_file(path, npz_bytes(lcp));
    } else {
        write_hdf5(path, lcp);
    }
}

}  // namespace stiction
