#include "scope/views/words/reuse.h"

#include "scope/report/format.h"
#include "scope/report/reuse.h"

namespace tilescope::views {

using report::times_text;

std::string name_of_buffer(const std::string& name, std::optional<std::uint32_t> parameter) {
    if (!name.empty()) return report::printable(name);
    return parameter ? "arg" + std::to_string(*parameter) : "a buffer";
}

std::string asked_text(double times, const std::vector<AskedBuffer>& buffers, std::uint64_t more_buffers) {
    if (buffers.empty()) return "each byte " + times_text(times) + " times";
    std::string text = "each byte of ";
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const bool is_last = i + 1 == buffers.size() && more_buffers == 0;
        if (i != 0) text += is_last ? " and of " : ", of ";
        text += name_of_buffer(buffers[i].name, buffers[i].parameter) + " " + times_text(buffers[i].times) + " times";
    }
    return text + (more_buffers != 0 ? " and others" : "");
}

std::string asked_text(const LaunchProfile& launch, double from) {
    const report::AskedAgain asked = report::asked_again(launch, from);
    return asked_text(asked.times, asked.buffers, asked.more_buffers);
}

}  // namespace tilescope::views
