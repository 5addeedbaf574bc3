// problem_dat.cpp - reads and writes the text format of contact problems.
#include "problem_files/problem_dat.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/input_file.h"
#include "record/output_file.h"

namespace stiction {

namespace {

// Indices are int, and up to four numbers per row are counted in it.
constexpr std::int64_t kMaxRows = std::numeric_limits<int>::max() / 4;
constexpr std::size_t kLargestDat = std::size_t{4} << 30;  // [bytes]; as of the binary form

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string quoted(std::string_view word) {
    constexpr std::size_t kMaxLength = 24;  // a number of full precision fits
    std::string text = "'";
    for (const char c : word.substr(0, kMaxLength)) text += c >= ' ' && c <= '~' ? c : '?';
    return text + (word.size() > kMaxLength ? "...'" : "'");
}

// Takes numbers off the front of a text and knows where it is.
class Scanner {
  public:
    Scanner(std::string_view text, const std::string& name)
        : text_(text), at_(text.data()), end_(text.data() + text.size()), name_(name) {}

    [[noreturn]] void refuse(const char* place, const std::string& what) const {
        const auto offset = static_cast<std::size_t>(place - text_.data());
        throw InputError(place_in(text_, offset, name_) + ": " + what);
    }

    // At the number taken last.
    [[noreturn]] void refuse(const std::string& what) const { refuse(word_, what); }

    std::int64_t integer(const std::string& what) {
        std::int64_t value = 0;
        if (!take(value)) wrong(what, "an integer");
        return value;
    }

    std::int64_t integer(const std::string& what, std::int64_t least, std::int64_t most) {
        const std::int64_t value = integer(what);
        if (value < least || value > most) {
            const std::string end = least == most ? "" : " to " + std::to_string(most);
            refuse(what + ": expected " + std::to_string(least) + end + ", found " +
                   std::to_string(value));
        }
        return value;
    }

    double real(const std::string& what) {
        double value = 0;
        if (!take(value)) wrong(what, "a number");
        if (!std::isfinite(value)) {
            refuse(what + ": expected a finite number, found " + quoted(word()));
        }
        return value;
    }

    // Refuses before any memory is asked for: n numbers take at least 2 n - 1 characters.
    void expect_room(std::int64_t n, const std::string& what) const {
        if (n > (end_ - at_ + 1) / 2) {
            refuse(end_,
                   what + ": the file ends too early; expected " + std::to_string(n) + " numbers");
        }
    }

    [[nodiscard]] std::int64_t words_left() const {
        std::int64_t count = 0;
        bool inside = false;
        for (const char* c = at_; c != end_; ++c) {
            const bool space = is_space(*c);
            count += static_cast<std::int64_t>(!space && !inside);
            inside = !space;
        }
        return count;
    }

    // Where the next number begins.
    [[nodiscard]] const char* next() const {
        return std::find_if(at_, end_, [](char c) { return !is_space(c); });
    }

  private:
    template <class Number>
    bool take(Number& value) {
        while (at_ != end_ && is_space(*at_)) ++at_;
        word_ = at_;
        const auto [stop, error] = std::from_chars(at_, end_, value);
        if (error != std::errc{} || (stop != end_ && !is_space(*stop))) return false;
        at_ = stop;
        return true;
    }

    [[nodiscard]] std::string_view word() const {
        return {word_, static_cast<std::size_t>(std::find_if(word_, end_, is_space) - word_)};
    }

    [[noreturn]] void wrong(const std::string& what, const std::string& kind) const {
        if (word_ == end_) refuse(what + ": the file ends too early; expected " + kind);
        refuse(what + ": expected " + kind + ", found " + quoted(word()));
    }

    std::string_view text_;
    const char* at_;
    const char* end_;
    const char* word_ = at_;  // start of the number taken last
    const std::string& name_;
};

struct Matrix {
    int rows = 0, cols = 0;
    Triplets entries;
};

void read_dense(Scanner& in, const std::string& what, Matrix& matrix) {
    in.integer(what + ": number of rows, again", matrix.rows, matrix.rows);
    in.integer(what + ": number of columns, again", matrix.cols, matrix.cols);
    in.expect_room(std::int64_t{matrix.rows} * matrix.cols, what);
    for (int j = 0; j < matrix.cols; ++j) {
        for (int i = 0; i < matrix.rows; ++i) {
            const double value = in.real(what);
            if (value != 0) matrix.entries.emplace_back(i, j, value);
        }
    }
}

// Ends of block rows or columns, as their starts: 0, end[0], ... of which the last is `size`.
std::vector<int> read_starts(Scanner& in, std::int64_t count, int size, const std::string& what) {
    in.expect_room(count, what);
    std::vector<int> start = {0};
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t least = k + 1 == count ? size : start.back() + 1;
        start.push_back(static_cast<int>(in.integer(what, least, size)));
    }
    return start;
}

void read_blocks(Scanner& in, const std::string& what, Matrix& matrix) {
    const std::int64_t nb = in.integer(what + ": number of blocks", 0, kMaxRows);
    const std::int64_t br = in.integer(what + ": number of block rows", 1, matrix.rows);
    const std::int64_t bc = in.integer(what + ": number of block columns", 1, matrix.cols);
    const std::vector<int> row = read_starts(in, br, matrix.rows, what + ": ends of block rows");
    const std::vector<int> col = read_starts(in, bc, matrix.cols, what + ": ends of block columns");
    in.integer(what + ": number of pointers (block rows + 1)", br + 1, br + 1);
    in.integer(what + ": number of column indices (one per block)", nb, nb);
    in.expect_room(br + 1 + nb, what + ": pointers and column indices");
    std::vector<std::int64_t> first;
    for (std::int64_t I = 0; I <= br; ++I) {
        const std::int64_t least = I == br ? nb : first.empty() ? 0 : first.back();
        first.push_back(
            in.integer(what + ": pointer to the first block of a row", least, I == 0 ? 0 : nb));
    }
    std::vector<std::size_t> block_column;
    for (std::int64_t k = 0; k < nb; ++k) {
        block_column.push_back(
            static_cast<std::size_t>(in.integer(what + ": block column", 0, bc - 1)));
    }
    std::size_t I = 0;
    for (std::int64_t k = 0; k < nb; ++k) {
        while (first[I + 1] <= k) ++I;
        const std::size_t J = block_column[static_cast<std::size_t>(k)];
        in.integer(what + ": number of the block", k, k);
        for (int j = col[J]; j < col[J + 1]; ++j) {
            for (int i = row[I]; i < row[I + 1]; ++i) {
                const double value = in.real(what);
                if (value != 0) matrix.entries.emplace_back(i, j, value);
            }
        }
    }
}

// `why` explains what stands here where the file leaves a doubt.
Matrix read_matrix(Scanner& in, const std::string& what, const std::string& why = "") {
    const std::int64_t kind = in.integer(what + ": kind" + why);
    if (kind < 0 || kind > 1) {
        in.refuse(what + ": kind " + std::to_string(kind) +
                  (kind == 2 ? " (a printed compressed-column matrix) is not supported" : why) +
                  "; expected 0 (dense) or 1 (sparse blocks)");
    }
    Matrix matrix;
    matrix.rows = static_cast<int>(in.integer(what + ": number of rows", 1, kMaxRows));
    matrix.cols = static_cast<int>(in.integer(what + ": number of columns", 1, kMaxRows));
    if (kind == 0) {
        read_dense(in, what, matrix);
    } else {
        read_blocks(in, what, matrix);
    }
    return matrix;
}

VecX read_vector(Scanner& in, int size, const std::string& what) {
    in.expect_room(size, what);
    VecX x(size);
    for (double& value : x) value = in.real(what);
    return x;
}

VecX read_friction(Scanner& in, int nc) {
    in.expect_room(nc, "mu");
    VecX mu(nc);
    for (double& value : mu) {
        value = in.real("mu");
        if (value < 0) in.refuse("mu: expected a number >= 0, found " + std::to_string(value));
    }
    return mu;
}

std::string size_text(std::int64_t rows, std::int64_t cols) {
    return std::to_string(rows) + " x " + std::to_string(cols);
}

ConeProblem read_local(Scanner& in, int nc, const Matrix& W) {
    if (W.rows != 3 * nc || W.cols != 3 * nc) {
        in.refuse("matrix W: expected " + size_text(3 * nc, 3 * nc) + " for " + std::to_string(nc) +
                  " contacts, found " + size_text(W.rows, W.cols));
    }
    in.expect_room(4 * std::int64_t{nc}, "q and mu");
    ConeProblem problem;
    problem.W = make_contact_matrix(nc, W.entries);
    problem.q = read_vector(in, 3 * nc, "q");
    problem.mu = read_friction(in, nc);
    return problem;
}

ImpliedConeProblem read_global(Scanner& in, int nc, const Matrix& M, std::int64_t left) {
    const std::string why = " (" + std::to_string(left) + " numbers follow the first matrix, a " +
                            "local problem has " + std::to_string(4 * std::int64_t{nc}) +
                            ": taken as a global one)";
    if (M.rows != M.cols) {
        in.refuse("matrix M: expected a square matrix, found " + size_text(M.rows, M.cols) + why);
    }
    const Matrix H = read_matrix(in, "matrix H", why);
    if (H.rows != M.rows || H.cols != 3 * nc) {
        in.refuse("matrix H: expected " + size_text(M.rows, 3 * nc) + ", found " +
                  size_text(H.rows, H.cols));
    }
    in.expect_room(M.rows + 4 * std::int64_t{nc}, "f, w and mu");
    ImpliedConeProblem problem;
    set_dynamics(M.entries, H.entries, M.rows, nc, problem);
    problem.f = read_vector(in, M.rows, "f");
    problem.w = read_vector(in, 3 * nc, "w");
    problem.mu = read_friction(in, nc);
    return problem;
}

template <class Number>
void append(std::string& text, Number x, char separator) {
    std::array<char, 32> digits{};
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
    text += separator;
}

}  // namespace

StoredProblem parse_dat(std::string_view text, const std::string& name) {
    Scanner in(text, name);
    const std::int64_t d = in.integer("dimension of the contact space");
    if (d == 2) in.refuse("dimension 2: problems in the plane are not supported; expected 3");
    if (d != 3) in.refuse("dimension of the contact space: expected 3, found " + std::to_string(d));
    const auto nc = static_cast<int>(in.integer("number of contacts", 1, kMaxRows / 4));
    const Matrix first = read_matrix(in, "first matrix");
    const std::int64_t left = in.words_left();
    const std::int64_t local = 4 * std::int64_t{nc};
    StoredProblem problem;
    if (left <= local + 1) {
        problem = read_local(in, nc, first);
    } else {
        problem = read_global(in, nc, first, left);
    }
    const std::int64_t extra = in.words_left();
    if (extra > 1) {
        in.refuse(in.next(), "expected the file to end after mu, found " + std::to_string(extra) +
                                 " more numbers");
    }
    if (extra == 1) in.real("after mu");
    return problem;
}

StoredProblem read_dat(const std::string& path) {
    const std::string text = read_input_file(path, "a contact problem", kLargestDat);
    return parse_dat(text, path);
}

std::string dat_text(const ConeProblem& problem) {
    const BlockMatrix& W = problem.W;
    const int nc = problem.contacts();
    std::string text;
    const auto line = [&text](std::initializer_list<int> values) {
        for (const int value : values) append(text, value, ' ');
        text.back() = '\n';
    };
    line({3, nc});
    line({1, 3 * nc, 3 * nc});
    line({W.blocks()});
    line({nc, nc});
    for (int side = 0; side < 2; ++side) {
        for (int a = 1; a <= nc; ++a) append(text, 3 * a, a == nc ? '\n' : ' ');
    }
    line({nc + 1, W.blocks()});
    for (const int start : W.start) append(text, start, ' ');
    text += '\n';
    for (const int column : W.column) append(text, column, ' ');
    text += '\n';
    for (int k = 0; k < W.blocks(); ++k) {
        append(text, k, '\n');
        const Mat3& block = W.block[static_cast<std::size_t>(k)];
        for (int e = 0; e < 9; ++e) append(text, block(e % 3, e / 3), e == 8 ? '\n' : ' ');
    }
    for (Eigen::Index i = 0; i < problem.q.size(); ++i) {
        append(text, problem.q[i], i % 3 == 2 ? '\n' : ' ');
    }
    for (const double mu : problem.mu) append(text, mu, '\n');
    return text;
}

void write_dat(const std::string& path, const ConeProblem& problem) {
    expect_contacts_only(problem, path);
    write_file(path, dat_text(problem));
}

}  // namespace stiction
