// problem_file.cpp - tells formats apart, and turns the entries of a file into matrices.
#include "problem_files/problem_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/error.h"
#include "problem_files/problem_dat.h"
#include "problem_files/problem_fclib.h"

namespace stiction {

namespace {

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

}  // namespace

bool starts_as_hdf5(const std::string& path) {
    using Type = std::filesystem::file_type;
    constexpr const char* kExpected = "; expected a .dat or FCLIB file or a dataset";
    std::error_code error;
    const Type type = std::filesystem::status(path, error).type();
    if (type == Type::not_found) throw InputError(path + ": no such file");
    if (type == Type::directory) throw InputError(path + ": is a folder" + kExpected);
    // What its first bytes are is asked before it is read; and one that nobody writes into would
    // never answer.
    if (type == Type::fifo || type == Type::socket)
        throw InputError(path + ": is a pipe, which can be read only once" + kExpected);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
    std::array<char, kHdf5Signature.size()> start{};
    file.read(start.data(), start.size());
    return std::string_view(start.data(), static_cast<std::size_t>(file.gcount())) ==
           kHdf5Signature;
}

StoredProblem read_stored_problem(const std::string& path) {
    return starts_as_hdf5(path) ? read_fclib(path) : read_dat(path);
}

ConeProblem read_cone_problem(const std::string& path) {
    StoredProblem stored = read_stored_problem(path);
    if (ConeProblem* local = std::get_if<ConeProblem>(&stored)) return std::move(*local);
    ConeProblem problem;
    if (!condense(std::get<ImpliedConeProblem>(stored), problem)) {
        throw InputError(path + ": the matrix M of the dynamics is singular");
    }
    return problem;
}

BlockMatrix make_contact_matrix(int nc, const Triplets& entries) {
    // Entries by block row first, so that one array over the columns finds a block again.
    std::vector<std::vector<const Eigen::Triplet<double>*>> rows(static_cast<std::size_t>(nc));
    for (const Eigen::Triplet<double>& entry : entries) {
        if (entry.value() != 0) rows[static_cast<std::size_t>(entry.row() / 3)].push_back(&entry);
    }
    std::vector<BlockEntry> blocks;
    std::vector<std::size_t> place(static_cast<std::size_t>(nc));  // + 1; of a column's block
    for (int a = 0; a < nc; ++a) {
        const std::size_t first = blocks.size();
        for (const Eigen::Triplet<double>* entry : rows[static_cast<std::size_t>(a)]) {
            const int b = entry->col() / 3;
            std::size_t& at = place[static_cast<std::size_t>(b)];
            if (at <= first) {
                blocks.push_back({a, b, Mat3::Zero()});
                at = blocks.size();
            }
            blocks[at - 1].value(entry->row() % 3, entry->col() % 3) += entry->value();
        }
    }
    return make_block_matrix(nc, std::move(blocks));
}

void set_dynamics(const Triplets& M, const Triplets& H, int nv, int nc,
                  ImpliedConeProblem& problem) {
    problem.M.resize(nv, nv);
    problem.M.setFromTriplets(M.begin(), M.end());
    Triplets transposed;
    transposed.reserve(H.size());
    for (const Eigen::Triplet<double>& entry : H) {
        transposed.emplace_back(entry.col(), entry.row(), entry.value());
    }
    problem.G.resize(3 * nc, nv);
    problem.G.setFromTriplets(transposed.begin(), transposed.end());
}

void expect_contacts_only(const ConeProblem& problem, const std::string& path) {
    for (int a = 0; a < problem.contacts(); ++a) {
        if (problem.is_bounded(a)) {
            throw InputError("cannot write '" + path + "': rows between bounds (block " +
                             std::to_string(a) + ") have no place in this format");
        }
    }
}

}  // namespace stiction
