#include "scope/machine/memory_budget.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tilescope::machine {
namespace {

const char* name_of(std::size_t kind) {
    static constexpr std::array<const char*, kKeptKinds> kNames = {
        "device memory",         "managed memory", "pinned memory",    "variables of modules",
        "threads of one launch", "observers",      "finished launches"};
    return kNames[kind];
}

}  // namespace

bool MemoryBudget::fits(std::uint64_t bytes) const {
    if (limit_ == 0) return true;
    const std::uint64_t kept = used() + used_by_others();
    return kept <= limit_ && bytes <= limit_ - kept;
}

bool MemoryBudget::take(Kept kind, std::uint64_t bytes) {
    if (limit_ != 0 && shared_.is_open() && !shared_.take(bytes, limit_)) return false;
    std::uint64_t before = used_.load(std::memory_order_relaxed);
    do {
        if (limit_ != 0 && !shared_.is_open() && (bytes > limit_ || before > limit_ - bytes)) return false;
    } while (!used_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    by_kind_[static_cast<std::size_t>(kind)] += bytes;
    return true;
}

void MemoryBudget::give(Kept kind, std::uint64_t bytes) {
    by_kind_[static_cast<std::size_t>(kind)] -= bytes;
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    if (limit_ != 0 && shared_.is_open()) shared_.give(bytes);
}

std::string MemoryBudget::refusal(std::uint64_t bytes, const std::string& what) const {
    std::vector<std::pair<std::uint64_t, std::size_t>> parts;
    for (std::size_t kind = 0; kind < kKeptKinds; ++kind)
        if (const std::uint64_t used = by_kind_[kind].load(); used != 0) parts.emplace_back(used, kind);
    std::sort(parts.rbegin(), parts.rend());
    std::string text = what + " of " + std::to_string(bytes) + " bytes passes the memory limit of " +
                       std::to_string(limit_) + " bytes; in use: ";
    for (const auto& [used, kind] : parts)
        text += std::string(name_of(kind)) + " " + std::to_string(used) + (&parts.back().first == &used ? "" : ", ");
    if (const std::uint64_t others = used_by_others(); others != 0)
        return text + (parts.empty() ? "" : ", ") + "other processes " + std::to_string(others);
    return parts.empty() ? text + "nothing" : text;
}

}  // namespace tilescope::machine
