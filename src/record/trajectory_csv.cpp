// trajectory_csv.cpp - writes and reads the two tables of a CSV trajectory.
#include "record/trajectory_csv.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/input_file.h"

namespace stiction {

namespace {

constexpr std::array<std::string_view, 13> kBodyColumns = {
    "x[m]",    "y[m]",    "z[m]",    "qw",        "qx",        "qy",       "qz",
    "vx[m/s]", "vy[m/s]", "vz[m/s]", "wx[rad/s]", "wy[rad/s]", "wz[rad/s]"};
constexpr std::array<std::string_view, 2> kJointColumns = {"q[rad or m]", "qdot[rad/s or m/s]"};
constexpr std::array<std::string_view, 14> kContactColumns = {
    "step", "t[s]", "body_a", "body_b", "px[m]", "py[m]", "pz[m]",
    "nx",   "ny",   "nz",     "fx[N]",  "fy[N]", "fz[N]", "gap[m]"};

bool is_part(const std::string& path) { return path.ends_with(".part"); }

void add_vector(const Vec3& x, CsvRow& row) {
    for (const double component : {x.x(), x.y(), x.z()}) row.add(component);
}

void add_states_header(const TrajectoryHeader& header, CsvRow& row) {
    row.add("step");
    row.add("t[s]");
    for (const std::string& body : header.bodies) {
        for (const std::string_view column : kBodyColumns)
            row.add(body + "." + std::string(column));
    }
    for (const std::string& joint : header.joints) {
        for (const std::string_view column : kJointColumns) {
            row.add(joint + "." + std::string(column));
        }
    }
    row.end();
}

void add_state(const TrajectorySample& sample, CsvRow& row) {
    row.add(sample.step);
    row.add(sample.time);
    for (std::size_t i = 0; i < sample.pose.size(); ++i) {
        const Quat& q = sample.pose[i].q;
        add_vector(sample.pose[i].p, row);
        for (const double x : {q.w(), q.x(), q.y(), q.z()}) row.add(x);
        add_vector(sample.twist[i].v, row);
        add_vector(sample.twist[i].w, row);
    }
    for (const JointCoordinate& joint : sample.joints) {
        row.add(joint.position);
        row.add(joint.velocity);
    }
    row.end();
}

void add_contact(const TrajectoryHeader& header, const TrajectorySample& sample,
                 const ContactForce& contact, CsvRow& row) {
    row.add(sample.step);
    row.add(sample.time);
    row.add(header.bodies[static_cast<std::size_t>(contact.body_a)]);
    row.add(header.bodies[static_cast<std::size_t>(contact.body_b)]);
    for (const Vec3& x : {contact.point, contact.normal, contact.force}) add_vector(x, row);
    row.add(contact.gap);
    row.end();
}

// A table read line by line; every fault names file and line.
class Table {
  public:
    explicit Table(const std::string& path) : lines_(path, "a trajectory (.csv)", kLongestLine) {}

    // The next line's fields; none at the end. An unfinished last line of a .part does not count.
    bool next() {
        if (!lines_.next(line_)) return false;
        if (!lines_.whole() && is_part(lines_.path())) return false;
        if (!line_.empty() && line_.back() == '\r') line_.pop_back();
        split(line_);
        if (columns_ == 0) columns_ = fields_.size();
        if (fields_.size() != columns_) {
            fail("has " + std::to_string(fields_.size()) + " columns, the header has " +
                 std::to_string(columns_));
        }
        position_ = 0;
        return true;
    }

    [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }

    template <class Number>
    Number number() {
        const std::string& field = fields_[position_++];
        Number value{};
        const char* end = field.data() + field.size();
        const auto result = std::from_chars(field.data(), end, value);
        if (result.ec != std::errc{} || result.ptr != end) {
            fail("column " + std::to_string(position_) + ": '" + field + "' is not a number");
        }
        return value;
    }

    Vec3 vector() {
        const double x = number<double>();
        const double y = number<double>();
        const double z = number<double>();
        return {x, y, z};
    }

    std::string word() { return fields_[position_++]; }

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(lines_.path() + ":" + std::to_string(lines_.number()) + ": " + what);
    }

  private:
    void split(const std::string& line) {
        fields_.assign(1, "");
        bool quoted = false;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
                fields_.back() += line[++i];
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields_.emplace_back();
            } else {
                fields_.back() += c;
            }
        }
    }

    // [bytes]; a body takes some 300.
    static constexpr std::size_t kLongestLine = 32U << 20U;

    InputLines lines_;
    std::string line_;
    std::vector<std::string> fields_;
    std::size_t columns_ = 0;
    std::size_t position_ = 0;
};

// The name in front of ".column", when that is what the header's field holds.
std::optional<std::string> owner(const std::string& field, std::string_view column) {
    const std::string end = "." + std::string(column);
    if (!field.ends_with(end)) return std::nullopt;
    return field.substr(0, field.size() - end.size());
}

template <std::size_t N>
void read_owners(const Table& table, const std::array<std::string_view, N>& columns,
                 std::size_t& position, std::vector<std::string>& names) {
    const std::vector<std::string>& fields = table.fields();
    while (position + N <= fields.size()) {
        const auto name = owner(fields[position], columns[0]);
        if (!name) return;
        for (std::size_t i = 1; i < N; ++i) {
            if (owner(fields[position + i], columns[i]) != name) {
                table.fail("column " + std::to_string(position + i + 1) + ": found '" +
                           fields[position + i] + "', expected '" + *name + "." +
                           std::string(columns[i]) + "'");
            }
        }
        names.push_back(*name);
        position += N;
    }
}

TrajectoryHeader read_states_header(Table& table) {
    if (!table.next() || table.fields().size() < 2 || table.fields()[0] != "step" ||
        table.fields()[1] != "t[s]") {
        table.fail("expected the header of a trajectory: step,t[s],...");
    }
    TrajectoryHeader header;
    std::size_t position = 2;
    read_owners(table, kBodyColumns, position, header.bodies);
    read_owners(table, kJointColumns, position, header.joints);
    if (position != table.fields().size()) {
        table.fail("column " + std::to_string(position + 1) + ": unexpected '" +
                   table.fields()[position] + "'");
    }
    return header;
}

TrajectorySample read_sample(Table& table, const TrajectoryHeader& header) {
    TrajectorySample sample;
    sample.step = table.number<std::int64_t>();
    sample.time = table.number<double>();
    for (std::size_t i = 0; i < header.bodies.size(); ++i) {
        Pose& pose = sample.pose.emplace_back();
        pose.p = table.vector();
        pose.q.w() = table.number<double>();
        pose.q.vec() = table.vector();
        Twist& twist = sample.twist.emplace_back();
        twist.v = table.vector();
        twist.w = table.vector();
    }
    for (std::size_t i = 0; i < header.joints.size(); ++i) {
        JointCoordinate& joint = sample.joints.emplace_back();
        joint.position = table.number<double>();
        joint.velocity = table.number<double>();
    }
    return sample;
}

int body_index(const Table& table, const TrajectoryHeader& header, const std::string& name) {
    for (std::size_t i = 0; i < header.bodies.size(); ++i) {
        if (header.bodies[i] == name) return static_cast<int>(i);
    }
    table.fail("unknown body '" + name + "'");
}

// Contacts come in the order of the samples. Those of samples that the first table lost are left
// out.
void read_contacts(const std::string& path, Trajectory& trajectory) {
    Table table(path);
    if (!table.next() || table.fields() != std::vector<std::string>(kContactColumns.begin(),
                                                                    kContactColumns.end())) {
        table.fail("expected the header of a table of contacts: step,t[s],body_a,...");
    }
    std::size_t at = 0;
    std::vector<TrajectorySample>& samples = trajectory.samples;
    while (table.next()) {
        const auto step = table.number<std::int64_t>();
        (void)table.number<double>();
        while (at < samples.size() && samples[at].step < step) ++at;
        if (at == samples.size() && is_part(path)) return;
        if (at == samples.size() || samples[at].step != step) {
            table.fail("step " + std::to_string(step) + " is not a step of the trajectory here");
        }
        ContactForce& contact = samples[at].contacts.emplace_back();
        contact.body_a = body_index(table, trajectory.header, table.word());
        contact.body_b = body_index(table, trajectory.header, table.word());
        contact.point = table.vector();
        contact.normal = table.vector();
        contact.force = table.vector();
        contact.gap = table.number<double>();
    }
}

}  // namespace

std::string contacts_csv_path(const std::string& path) {
    const std::size_t at = path.rfind(".csv");
    return path.substr(0, at) + ".contacts" + path.substr(at);
}

CsvTrajectoryWriter::CsvTrajectoryWriter(const std::string& path, const TrajectoryHeader& header)
    : states_(path), contacts_(contacts_csv_path(path)), header_(header) {
    add_states_header(header_, state_rows_);
    for (const std::string_view column : kContactColumns) contact_rows_.add(column);
    contact_rows_.end();
}

void CsvTrajectoryWriter::add(const TrajectorySample& sample) {
    for (const ContactForce& contact : sample.contacts)
        add_contact(header_, sample, contact, contact_rows_);
    add_state(sample, state_rows_);
    if (clock_.due(state_rows_.text().size() + contact_rows_.text().size())) write();
}

// Contacts first: a sample that can be read then has all of its contacts.
void CsvTrajectoryWriter::write() {
    contacts_.write(contact_rows_.text());
    contacts_.flush();
    contact_rows_.clear();
    states_.write(state_rows_.text());
    states_.flush();
    state_rows_.clear();
}

void CsvTrajectoryWriter::finish() {
    write();
    contacts_.finish();
    states_.finish();
}

void CsvTrajectoryWriter::discard() {
    contacts_.discard();
    states_.discard();
}

Trajectory read_trajectory_csv(const std::string& path) {
    Table table(path);
    Trajectory trajectory;
    trajectory.header = read_states_header(table);
    while (table.next()) trajectory.samples.push_back(read_sample(table, trajectory.header));
    const std::string contacts = contacts_csv_path(path);
    if (std::filesystem::exists(contacts)) read_contacts(contacts, trajectory);
    return trajectory;
}

}  // namespace stiction
