#include "scope/report/reuse_words.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scope/report/format.h"

namespace tilescope::report {
namespace {

constexpr std::size_t kMaxNamed = 3;
constexpr double kAlike = 0.1;  // of how often they are asked for

std::vector<const BufferReuse*> asked_again(const LaunchProfile& launch, double from) {
    std::vector<const BufferReuse*> found;
    for (const BufferReuse& buffer : launch.buffers)
        if (buffer.tiling.between_threads() >= from) found.push_back(&buffer);
    return found;
}

}  // namespace

std::string name_of(const BufferReuse& buffer) {
    if (!buffer.name.empty()) return printable(buffer.name);
    return buffer.parameter ? "arg" + std::to_string(*buffer.parameter) : "a buffer";
}

bool are_asked_alike(const LaunchProfile& launch, double from) {
    const std::vector<const BufferReuse*> found = asked_again(launch, from);
    const double mean = launch.tiling ? launch.tiling->between_threads() : 1;
    return found.empty() ||
           (found.size() == launch.buffers.size() && std::all_of(found.begin(), found.end(), [&](const auto* buffer) {
                return std::abs(buffer->tiling.between_threads() - mean) <= kAlike * mean;
            }));
}

std::string asked_text(const LaunchProfile& launch, double from) {
    if (are_asked_alike(launch, from))
        return "each byte " + times_text(launch.tiling ? launch.tiling->between_threads() : 1) + " times";
    std::vector<const BufferReuse*> found = asked_again(launch, from);
    std::stable_sort(found.begin(), found.end(), [](const BufferReuse* a, const BufferReuse* b) {
        return a->tiling.requested_bytes - a->tiling.unique_bytes_per_block >
               b->tiling.requested_bytes - b->tiling.unique_bytes_per_block;
    });
    std::string text = "each byte of ";
    const std::size_t named = std::min(found.size(), kMaxNamed);
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0                  ? ""
                 : i + 1 == found.size() ? " and of "
                                         : ", of ") +
                name_of(*found[i]) + " " + times_text(found[i]->tiling.between_threads()) + " times";
    return text + (named < found.size() ? " and others" : "");
}

}  // namespace tilescope::report
