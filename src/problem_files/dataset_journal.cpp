// dataset_journal.cpp - arrays as bytes, and back with every size held against what is there.
#include "problem_files/dataset_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <type_traits>

#include "core/error.h"
#include "record/output_file.h"

namespace stiction {

namespace {

constexpr std::string_view kJournalSignature = "stiction frames 1\n";
constexpr std::uint32_t kMark = 0x4d415246;  // "FRAM"
constexpr std::uint64_t kMostDimensions = 8;
constexpr std::uint64_t kLargestRecord = std::uint64_t{2} << 30U;  // [bytes], read into memory

struct RecordHead {
    std::uint32_t mark = kMark;
    RecordKind kind = RecordKind::kFrame;
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;
};
static_assert(sizeof(RecordHead) == 24);

// FNV-1a over words of eight bytes; the last one is filled up with zeros.
std::uint64_t checksum_of(const char* data, std::size_t size) {
    std::uint64_t value = 0xcbf29ce484222325ULL;
    for (std::size_t i = 0; i < size; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min<std::size_t>(8, size - i));
        value = (value ^ word) * 0x100000001b3ULL;
    }
    return value;
}

class Encoder {
  public:
    explicit Encoder(std::vector<char>& bytes) : bytes_(bytes) {}

    void number(std::uint64_t x) { raw(&x, sizeof x); }
    void text(std::string_view x) {
        number(x.size());
        raw(x.data(), x.size());
    }
    void array(const DatasetArray& array) {
        text(array.name);
        number(array.values.index());
        number(array.shape.size());
        for (const std::uint64_t n : array.shape) number(n);
        std::visit(
            [this](const auto& values) {
                number(values.size());
                raw(values.data(), values.size() * sizeof(values[0]));
            },
            array.values);
    }

  private:
    void raw(const void* data, std::size_t size) {
        const auto* from = static_cast<const char*>(data);
        bytes_.insert(bytes_.end(), from, from + size);
    }

    std::vector<char>& bytes_;
};

class Decoder {
  public:
    Decoder(const std::string& path, const std::vector<char>& bytes) : path_(path), bytes_(bytes) {}

    [[nodiscard]] bool at_end() const { return place_ == bytes_.size(); }

    DatasetArray array() {
        DatasetArray array;
        array.name = text();
        const std::uint64_t kind = number();
        const std::uint64_t rank = number();
        if (rank > kMostDimensions) damaged();
        std::uint64_t count = 1;
        for (std::uint64_t i = 0; i < rank; ++i) {
            array.shape.push_back(number());
            if (array.shape.back() > kLargestRecord) damaged();
            count *= array.shape.back();
            if (count > kLargestRecord) damaged();
        }
        read_values(kind, array.values, std::make_index_sequence<6>());
        const bool is_text = std::holds_alternative<std::string>(array.values);
        const std::uint64_t found =
            std::visit([](const auto& v) { return v.size(); }, array.values);
        if (!is_text && found != count) damaged();
        return array;
    }

  private:
    [[noreturn]] void damaged() const {
        throw InputError(path_ + ": a record is damaged at its byte " + std::to_string(place_));
    }

    template <std::size_t... I>
    void read_values(std::uint64_t kind, DatasetArray::Values& values, std::index_sequence<I...>) {
        static_assert(sizeof...(I) == std::variant_size_v<DatasetArray::Values>);
        const bool known = ((kind == I && (values.emplace<I>(), true)) || ...);
        if (!known) damaged();
        std::visit(
            [this](auto& list) {
                const std::uint64_t count = number();
                if (count > (bytes_.size() - place_) / sizeof(list[0])) damaged();
                list.resize(count);
                raw(list.data(), count * sizeof(list[0]));
            },
            values);
    }
    std::uint64_t number() {
        std::uint64_t x = 0;
        raw(&x, sizeof x);
        return x;
    }
    std::string text() {
        const std::uint64_t size = number();
        if (size > bytes_.size() - place_) damaged();
        std::string x(size, '\0');
        raw(x.data(), size);
        return x;
    }
    void raw(void* data, std::size_t size) {
        if (size > bytes_.size() - place_) damaged();
        if (size > 0) std::memcpy(data, bytes_.data() + place_, size);
        place_ += size;
    }

    const std::string& path_;
    const std::vector<char>& bytes_;
    std::size_t place_ = 0;
};

std::ifstream open_journal(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
    return file;
}

}  // namespace

JournalWriter::JournalWriter(const std::string& path) : path_(path) {
    // A new file, whatever was planted under that name.
    file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0) throw OutputError("cannot write '" + path + "': " + std::strerror(errno));
    (void)flock(file_, LOCK_EX | LOCK_NB);  // tells other runs of this name that it is in use
    write(kJournalSignature.data(), kJournalSignature.size());
    size_ = kJournalSignature.size();
}

JournalWriter::~JournalWriter() {
    if (file_ >= 0) close(file_);
}

void JournalWriter::write(const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(file_, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            throw OutputError("cannot write '" + path_ + "': " + std::strerror(errno));
        data += written;
        size -= static_cast<std::size_t>(written);
    }
}

void JournalWriter::add(RecordKind kind, const DatasetGroup& group) {
    bytes_.assign(sizeof(RecordHead), '\0');
    Encoder encoder(bytes_);
    for (const DatasetArray& array : group) encoder.array(array);
    RecordHead head;
    head.kind = kind;
    head.length = bytes_.size() - sizeof head;
    head.checksum = checksum_of(bytes_.data() + sizeof head, head.length);
    std::memcpy(bytes_.data(), &head, sizeof head);
    try {
        write(bytes_.data(), bytes_.size());
    } catch (const OutputError&) {
        if (ftruncate(file_, size_) == 0) (void)lseek(file_, size_, SEEK_SET);
        throw;
    }
    size_ += static_cast<std::int64_t>(bytes_.size());
}

bool is_journal(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, kJournalSignature.size()> start{};
    file.read(start.data(), start.size());
    return std::string_view(start.data(), static_cast<std::size_t>(file.gcount())) ==
           kJournalSignature;
}

JournalReader::JournalReader(const std::string& path)
    : path_(path), file_(open_journal(path)), place_(kJournalSignature.size()) {}

bool JournalReader::holds(std::uint64_t bytes) {
    if (size_ < place_ || bytes > size_ - place_) size_ = std::filesystem::file_size(path_);
    return size_ >= place_ && bytes <= size_ - place_;
}

std::optional<JournalRecord> JournalReader::next() {
    RecordHead head;
    if (!holds(sizeof head)) return std::nullopt;
    file_.seekg(static_cast<std::streamoff>(place_));
    file_.read(reinterpret_cast<char*>(&head), sizeof head);
    if (!file_ || head.mark != kMark ||
        (head.kind != RecordKind::kFrame && head.kind != RecordKind::kManifest))
        throw InputError(path_ + ": no record at byte " + std::to_string(place_) +
                         "; the file is damaged");
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (head.length > kMost || !holds(sizeof head + head.length)) return std::nullopt;
    place_ += sizeof head;
    const JournalRecord record{head.kind, place_, head.length, head.checksum};
    place_ += head.length;
    return record;
}

std::vector<JournalRecord> list_journal(const std::string& path) {
    JournalReader reader(path);
    std::vector<JournalRecord> records;
    while (const std::optional<JournalRecord> record = reader.next()) records.push_back(*record);
    return records;
}

DatasetGroup decode_record(const std::string& path, const std::vector<char>& bytes) {
    Decoder decoder(path, bytes);
    DatasetGroup group;
    while (!decoder.at_end()) group.push_back(decoder.array());
    return group;
}

DatasetGroup read_journal(const std::string& path, const JournalRecord& record) {
    if (record.length > kLargestRecord)
        throw InputError(path + ": a frame is larger than the 2 GiB that can be read");
    std::ifstream file = open_journal(path);
    std::vector<char> bytes(record.length);
    file.seekg(static_cast<std::streamoff>(record.offset));
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<std::uint64_t>(file.gcount()) != record.length ||
        checksum_of(bytes.data(), bytes.size()) != record.checksum)
        throw InputError(path + ": the record at byte " + std::to_string(record.offset) +
                         " is damaged: its checksum is not that of its content");
    return decode_record(path, bytes);
}

}  // namespace stiction
