// sealed_state.h - a state file that was changed, with a checksum that fits again: what keeps
// changed files out is passed, so that the readers behind it are reached.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/hash.h"
#include "record/run_summary.h"

namespace stiction::test {

// `json` is an object; record/state_file.cpp says what the checksum is over.
inline std::string sealed_state(nlohmann::json json) {
    json.erase("checksum");
    Hash hash;
    for (const char c : json.dump())
        hash.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    json["checksum"] = hash_text(hash.value());
    return json.dump(1);
}

}  // namespace stiction::test
