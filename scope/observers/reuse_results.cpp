#include "scope/observers/reuse_results.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace tilescope::observers {
namespace {

constexpr std::uint32_t kNoParameter = std::numeric_limits<std::uint32_t>::max();

void scale(const LaunchProfile& launch, Tiling& tiling) {
    tiling.requests = scaled(launch, tiling.requests);
    tiling.requested_bytes = scaled(launch, tiling.requested_bytes);
    tiling.unique_bytes_per_block = scaled(launch, tiling.unique_bytes_per_block);
    if (launch.sampled) tiling.unique_bytes.reset();
}

// The profile's entry for a line; lines stay sorted.
LineProfile& line_profile_of(LaunchProfile& launch, const std::string& file, std::uint32_t line) {
    auto it = std::lower_bound(launch.lines.begin(), launch.lines.end(), std::tie(file, line),
                               [](const LineProfile& a, const auto& b) { return std::tie(a.file, a.line) < b; });
    if (it == launch.lines.end() || it->file != file || it->line != line) {
        LineProfile fresh;
        fresh.file = file;
        fresh.line = line;
        it = launch.lines.insert(it, std::move(fresh));
    }
    return *it;
}

}  // namespace

std::optional<std::uint32_t> parameter_into(const LaunchContext& context, const machine::Allocation& allocation) {
    const bool is_array = allocation.kind == machine::AllocationKind::kArray && context.memory != nullptr;
    for (std::size_t i = 0; i < context.pointers.size(); ++i) {
        if (!context.pointers[i]) continue;
        const std::uint64_t value = is_array ? context.memory->texels_of(*context.pointers[i]) : *context.pointers[i];
        if (allocation.contains(value, 1)) return static_cast<std::uint32_t>(i);
    }
    return std::nullopt;
}

void store_reuse(const LaunchContext& context, const Tiling& whole, const std::vector<LineReuse>& lines,
                 const std::vector<TouchedBuffer>& buffers, LaunchProfile& launch) {
    launch.tiling = whole;
    scale(launch, *launch.tiling);
    for (const LineReuse& item : lines) {
        auto& tiling = line_profile_of(launch, item.file, item.line).tiling;
        tiling = item.tiling;
        scale(launch, *tiling);
    }
    std::vector<std::pair<std::uint64_t, BufferReuse>> found;  // with the allocation's number, which is its age
    for (const TouchedBuffer& item : buffers) {
        BufferReuse buffer;
        buffer.parameter = parameter_into(context, item.allocation);
        if (context.name_of) buffer.name = context.name_of(item.allocation.base);
        buffer.bytes = item.allocation.size;
        buffer.tiling = item.tiling;
        scale(launch, buffer.tiling);
        found.emplace_back(item.allocation.id, std::move(buffer));
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.parameter.value_or(kNoParameter), a.first) <
               std::pair(b.second.parameter.value_or(kNoParameter), b.first);
    });
    for (auto& [age, buffer] : found) launch.buffers.push_back(std::move(buffer));
}

}  // namespace tilescope::observers
