// One row per launch: what ran, every counter, every ratio that has a value.
#include "scope/report/enums.h"
#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace {

// As RFC 4180 has it.
std::string quoted(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

class CsvRow {
public:
    CsvRow& operator<<(std::string_view cell) {
        if (!text_.empty()) text_ += ',';
        text_ += quoted(cell);
        return *this;
    }
    CsvRow& operator<<(std::uint64_t cell) { return *this << std::string_view(std::to_string(cell)); }
    std::string end() { return std::move(text_) + "\n"; }

private:
    std::string text_;
};

std::string header() {
    CsvRow row;
    for (const char* name : {"index", "kernel", "entry", "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z",
                             "static_shared_bytes", "dynamic_shared_bytes", "local_bytes_per_thread",
                             "registers_per_thread", "registers_from", "blocks_run", "sampled", "stream"})
        row << std::string_view(name);
    for (std::size_t i = 0; i < kCounterCount; ++i) row << info(static_cast<Counter>(i)).name;
    for (const Ratio& ratio : ratios()) row << ratio.name;
    return row.end();
}

std::string launch_row(std::uint32_t index, const LaunchProfile& launch) {
    CsvRow row;
    row << std::uint64_t{index} << launch.kernel << launch.entry;
    for (std::uint32_t extent : launch.grid) row << std::uint64_t{extent};
    for (std::uint32_t extent : launch.block) row << std::uint64_t{extent};
    row << launch.static_shared_bytes << launch.dynamic_shared_bytes << launch.local_bytes_per_thread
        << std::uint64_t{launch.registers_per_thread} << name_of(launch.registers_from) << launch.blocks_run
        << std::string_view(launch.sampled ? "true" : "false") << std::uint64_t{launch.stream};
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        if (is_modelled(static_cast<Counter>(i)) && !launch.counters.modelled)
            row << std::string();
        else
            row << launch.counters.values[i];
    }
    for (const Ratio& ratio : ratios()) {
        const auto value = ratio.value(launch.counters);
        row << (value ? plain_number(*value) : std::string());
    }
    return row.end();
}

}  // namespace

std::string csv_view(const Profile& profile, const ViewOptions&) {
    std::string text = header();
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
        if (profile.launches[i].observed) text += launch_row(profile.launches.marks(i).index, profile.launches[i]);
    return text;
}

}  // namespace tilescope::views
