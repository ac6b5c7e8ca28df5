#include "scope/views/words/hazard_parts.h"

#include <filesystem>

#include <fmt/format.h>

#include "scope/report/format.h"

namespace tilescope::views::words {
namespace {

std::string coordinates(const Dim3& at) {
    if (at[1] == 0 && at[2] == 0) return std::to_string(at[0]);
    if (at[2] == 0) return fmt::format("({}, {})", at[0], at[1]);
    return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

}  // namespace

std::string who(const Dim3& thread, const Dim3& block) {
    return fmt::format("thread {} of block {}", coordinates(thread), coordinates(block));
}

std::string_view does(Deed deed) {
    switch (deed) {
        case Deed::kRead:
        case Deed::kStrongRead: return "reads";
        case Deed::kWrite:
        case Deed::kStrongWrite: return "writes";
        case Deed::kAtomic: return "updates";
        case Deed::kAsyncCopy: return "copies asynchronously into";
        case Deed::kBranchOn: return "branches";
        case Deed::kAddressFrom: return "makes an address";
        case Deed::kGuardedBy: return "decides whether to access memory";
        case Deed::kMeetBy: return "meets other threads";
        case Deed::kCallTo: return "calls a function";
        case Deed::kNone:
        case Deed::kBarrier: break;
    }
    return "waits at";
}

std::string line_text(const std::string& file, std::uint32_t line, const std::string& beside) {
    return file == beside ? fmt::format("line {}", line) : fmt::format("{}:{}", file, line);
}

std::string line_of(const Hazard& hazard) { return line_text(hazard.file, hazard.line, hazard.file); }
std::string other_line_of(const Hazard& hazard) { return line_text(hazard.other_file, hazard.other_line, hazard.file); }

std::string short_place(const SourceSpot& at) {
    return fmt::format("{}:{}", std::filesystem::path(at.file).filename().string(), at.line);
}

std::string memory_name(const HazardMemory& memory) {
    switch (memory.naming) {
        case MemoryNaming::kVariable: return memory.name;
        case MemoryNaming::kElement: return fmt::format("{}[{}]", memory.name, memory.index);
        case MemoryNaming::kSomeElement: return "an element of " + memory.name;
        case MemoryNaming::kArgument: return fmt::format("the buffer of argument {}", memory.index);
        case MemoryNaming::kAllocation:
            return fmt::format("byte {} of an allocation of {} bytes", memory.byte, memory.bytes);
        case MemoryNaming::kGlobal: return "global memory";
        case MemoryNaming::kShared: return fmt::format("byte {} of shared memory", memory.byte);
        case MemoryNaming::kLocal: return fmt::format("its local memory, byte {}", memory.byte);
        case MemoryNaming::kGridBarrier: return "the barrier of the grid";
        case MemoryNaming::kAbsentLane: return "a lane that takes no part";
        case MemoryNaming::kNone: break;
    }
    return {};
}

std::string memory_text(const HazardMemory& memory) {
    const bool has_bytes = memory.naming == MemoryNaming::kVariable || memory.naming == MemoryNaming::kArgument;
    return has_bytes ? fmt::format("{}, byte {}", memory_name(memory), memory.byte) : memory_name(memory);
}

std::string origin_text(const HazardMemory& memory) {
    std::string text;
    const auto add = [&](const char* what, const SourceSpot& at) {
        if (at.line != 0) text += fmt::format("{}{} at {}:{}", text.empty() ? "" : ", ", what, at.file, at.line);
    };
    add("allocated", memory.allocated);
    add("freed", memory.freed);
    return text;
}

std::string bytes_text(std::uint64_t bytes) { return report::thousands(bytes) + (bytes == 1 ? " byte" : " bytes"); }

}  // namespace tilescope::views::words
