#include "scope/report/reuse.h"

#include <algorithm>
#include <cmath>

namespace tilescope::report {

AskedAgain asked_again(const LaunchProfile& launch, double from) {
    constexpr std::size_t kMaxNamed = 3;
    constexpr double kAlike = 0.1;  // of how often they are asked for
    AskedAgain result;
    if (launch.tiling) result.times = launch.tiling->between_threads();
    std::vector<const BufferReuse*> found;
    for (const BufferReuse& buffer : launch.buffers)
        if (buffer.tiling.between_threads() >= from) found.push_back(&buffer);
    const auto is_alike = [&](const BufferReuse* buffer) {
        return std::abs(buffer->tiling.between_threads() - result.times) <= kAlike * result.times;
    };
    result.alike =
        found.empty() || (found.size() == launch.buffers.size() && std::all_of(found.begin(), found.end(), is_alike));
    if (result.alike) return result;
    std::stable_sort(found.begin(), found.end(), [](const BufferReuse* a, const BufferReuse* b) {
        return a->tiling.requested_bytes - a->tiling.unique_bytes_per_block >
               b->tiling.requested_bytes - b->tiling.unique_bytes_per_block;
    });
    const std::size_t named = std::min(found.size(), kMaxNamed);
    for (std::size_t i = 0; i < named; ++i)
        result.buffers.push_back({found[i]->parameter, found[i]->name, found[i]->tiling.between_threads()});
    result.more_buffers = found.size() - named;
    return result;
}

}  // namespace tilescope::report
