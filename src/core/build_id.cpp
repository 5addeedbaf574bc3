// build_id.cpp - finds the note that --build-id leaves in the loaded file.
#include "core/build_id.h"

#include <elf.h>
#include <link.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace stiction {

namespace {

struct Search {
    std::uintptr_t address = 0;  // of something in the file that is looked for
    std::string id;
};

bool holds(const dl_phdr_info& file, std::uintptr_t address) {
    for (int i = 0; i < file.dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = file.dlpi_phdr[i];
        const std::uintptr_t start = file.dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && address >= start && address < start + part.p_memsz)
            return true;
    }
    return false;
}

std::string hexadecimal(const unsigned char* bytes, std::size_t count) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += kDigits[bytes[i] >> 4U];
        text += kDigits[bytes[i] & 15U];
    }
    return text;
}

// Notes are a header, a name and a description, each padded to four bytes.
std::string id_in(const char* notes, std::size_t size) {
    constexpr auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes + at, sizeof note);
        const char* name = notes + at + sizeof note;
        const char* content = name + padded(note.n_namesz);
        at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && at <= size &&
            std::memcmp(name, "GNU", 4) == 0)
            return hexadecimal(reinterpret_cast<const unsigned char*>(content), note.n_descsz);
    }
    return "";
}

int look(dl_phdr_info* file, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    if (!holds(*file, search.address)) return 0;
    for (int i = 0; i < file->dlpi_phnum && search.id.empty(); ++i) {
        const ElfW(Phdr)& part = file->dlpi_phdr[i];
        if (part.p_type != PT_NOTE) continue;
        search.id = id_in(std::bit_cast<const char*>(file->dlpi_addr + part.p_vaddr), part.p_memsz);
    }
    return 1;
}

}  // namespace

std::string build_id() {
    Search search{reinterpret_cast<std::uintptr_t>(&build_id), {}};
    dl_iterate_phdr(look, &search);
    if (search.id.empty())
        throw std::logic_error("the program was linked without --build-id: it cannot name itself");
    return search.id;
}

}  // namespace stiction
