#include "scope/runtime/service/watch/failed_calls.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <array>
#include <filesystem>

#include "scope/report/journal.h"
#include "scope/runtime/service/journal_file.h"
#include "scope/runtime/service/thread_own.h"

namespace tilescope::runtime {
namespace {

constexpr int kFrames = 24;
constexpr std::size_t kKeptFrames = 4;
// Beyond so many failures at one place their number is written at powers of two only.
constexpr std::uint64_t kEachWritten = 1000;

// What this thread's last error stands for: entries, and how often each failed since the thread last read it.
struct UnreadErrors {
    std::vector<std::pair<void*, std::uint64_t>> entries;
};

const link_map* library_of(const void* address) {
    Dl_info info;
    void* map = nullptr;
    return dladdr1(address, &info, &map, RTLD_DL_LINKMAP) != 0 ? static_cast<const link_map*>(map) : nullptr;
}

std::string program_path() {
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

}  // namespace

CodePlace code_place(const void* return_address) {
    // The call lies before the address to which it returns.
    const void* address = static_cast<const char*>(return_address) - 1;
    const link_map* map = library_of(address);
    if (map == nullptr) return {};
    const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
    return {is_program ? program_path() : std::string(map->l_name),
            reinterpret_cast<std::uint64_t>(address) - map->l_addr};
}

HostPlace HostPlace::caller() {
    std::array<void*, kFrames> frames{};
    const int count = backtrace(frames.data(), kFrames);
    const link_map* own = library_of(reinterpret_cast<const void*>(&code_place));
    HostPlace place;
    for (int i = 0; i < count && place.addresses_.size() < kKeptFrames; ++i)
        if (!place.addresses_.empty() || library_of(frames[static_cast<std::size_t>(i)]) != own)
            place.addresses_.push_back(frames[static_cast<std::size_t>(i)]);
    return place;
}

HostPlace HostPlace::at(const void* return_address) {
    HostPlace place;
    place.addresses_.push_back(return_address);
    return place;
}

void FailedCalls::add(FailedCall failed, const HostPlace& place) {
    const void* first = place.addresses().empty() ? nullptr : place.addresses().front();
    const std::lock_guard lock(mutex_);
    const auto [found, fresh] = entries_.try_emplace({failed.call, failed.error, first});
    Entry& entry = found->second;
    if (fresh) {
        entry.number = static_cast<std::uint32_t>(entries_.size() - 1);
        entry.failed = std::move(failed);
        entry.failed.count = 0;
        for (const void* address : place.addresses()) entry.failed.called_from.push_back(code_place(address));
    }
    ++entry.failed.count;
    ++entry.failed.unread;
    bool known = false;
    auto& unread = of_this_thread<UnreadErrors>().entries;
    for (auto& [pointer, times] : unread)
        if (pointer == &entry) {
            ++times;
            known = true;
        }
    if (!known) unread.emplace_back(&entry, 1);
    write_if_due(entry);
}

void FailedCalls::read() {
    auto& unread = of_this_thread<UnreadErrors>().entries;
    if (unread.empty()) return;
    const std::lock_guard lock(mutex_);
    for (const auto& [pointer, times] : unread) {
        Entry& entry = *static_cast<Entry*>(pointer);
        entry.failed.unread -= times;
        write_if_due(entry);
    }
    unread.clear();
}

std::vector<FailedCall> FailedCalls::all() {
    const std::lock_guard lock(mutex_);
    std::vector<FailedCall> calls;
    for (const auto& [key, entry] : entries_) calls.push_back(entry.failed);
    return calls;
}

void FailedCalls::forget() {
    of_this_thread<UnreadErrors>().entries.clear();
    entries_.clear();
}

void FailedCalls::write_rest() {
    const std::lock_guard lock(mutex_);
    for (auto& [key, entry] : entries_)
        if (entry.written_count != entry.failed.count || entry.written_unread != entry.failed.unread) write(entry);
}

void FailedCalls::write_if_due(Entry& entry) {
    const std::uint64_t count = entry.failed.count;
    if (count <= kEachWritten || (count & (count - 1)) == 0) write(entry);
}

void FailedCalls::write(Entry& entry) {
    entry.written_count = entry.failed.count;
    entry.written_unread = entry.failed.unread;
    if (journal_.is_owned()) journal_.append(report::failed_call_line(entry.number, entry.failed));
}

}  // namespace tilescope::runtime
