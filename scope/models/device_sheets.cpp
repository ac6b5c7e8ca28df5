#include "scope/models/device_sheets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "scope/models/occupancy.h"
#include "scope/models/roofline.h"
#include "scope/models/time/on_device.h"
#include "scope/models/time/stations.h"
#include "scope/report/fold.h"

namespace tilescope::models {

using report::DeviceSheet;
using report::DeviceSheets;
using report::LaunchStanding;
using report::OccupancyRow;
using report::OccupancyTable;

namespace {

std::optional<std::uint32_t> bound_of(std::uint32_t blocks) {
    return blocks == kUnlimited ? std::nullopt : std::optional(blocks);
}

Occupancy admitted(const Device& device, std::uint64_t threads, std::uint32_t registers, std::uint64_t shared_bytes) {
    KernelResources kernel;
    kernel.threads_per_block = threads;
    kernel.registers_per_thread = registers;
    kernel.static_shared_bytes = shared_bytes;
    return occupancy(device, kernel);
}

std::vector<std::optional<std::uint32_t>> blocks_by_registers(const Device& device, std::uint32_t registers) {
    std::vector<std::optional<std::uint32_t>> blocks;
    for (std::uint32_t threads = device.warp_size; threads <= device.max_threads_per_block; threads += device.warp_size)
        blocks.push_back(bound_of(admitted(device, threads, registers, 0).by_registers));
    return blocks;
}

std::vector<OccupancyRow> register_rows(const Device& device) {
    std::vector<OccupancyRow> rows;
    for (std::uint32_t registers = 1; registers <= device.max_registers_per_thread; ++registers) {
        auto blocks = blocks_by_registers(device, registers);
        if (!rows.empty() && rows.back().blocks == blocks)
            rows.back().most = registers;
        else
            rows.push_back({registers, std::move(blocks)});
    }
    return rows;
}

std::uint32_t blocks_by_shared(const Device& device, std::uint64_t bytes) {
    return admitted(device, device.warp_size, 0, bytes).by_shared;
}

// More bytes never admit more blocks, so that the end of each step can be searched for.
std::vector<OccupancyRow> shared_rows(const Device& device) {
    std::vector<OccupancyRow> rows;
    const std::uint64_t last = device.shared_bytes_per_block_optin;
    for (std::uint64_t first = 0; first <= last;) {
        const std::uint32_t blocks = blocks_by_shared(device, first);
        std::uint64_t least = first, beyond = last + 1;
        while (beyond - least > 1) {
            const std::uint64_t middle = least + (beyond - least) / 2;
            (blocks_by_shared(device, middle) == blocks ? least : beyond) = middle;
        }
        rows.push_back({least, {bound_of(blocks)}});
        first = least + 1;
    }
    return rows;
}

std::vector<report::FigureShare> figure_shares(const Device& device) {
    std::vector<report::FigureShare> shares;
    for (const FigureKindName& row : figure_kind_names()) {
        const auto of_kind = std::count_if(device.figures.begin(), device.figures.end(),
                                           [&](const Figure& figure) { return figure.kind == row.kind; });
        if (of_kind != 0) shares.push_back({row.name, row.means, static_cast<std::size_t>(of_kind)});
    }
    return shares;
}

// Without its table and its launches.
DeviceSheet sheet_of(const Device& device) {
    DeviceSheet sheet;
    sheet.name = device.name;
    sheet.product = device.product;
    sheet.description = device.description;
    sheet.compute = std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor);
    sheet.sms = device.sm_count;
    sheet.max_warps_per_sm = device.max_warps_per_sm();
    sheet.clock_ghz = device.clock_ghz();
    sheet.dram_bytes = device.dram_bytes;
    sheet.l2_bytes = device.l2_bytes;
    const Roofs roofs = roofs_of(device);
    for (const ComputeRoof& roof : roofs.compute) sheet.compute_roofs.push_back({roof.type, roof.unit, roof.peak});
    for (const MemoryRoof& roof : roofs.memory)
        sheet.memory_roofs.push_back({std::string(report::name_of(roof.level)), "B/s", roof.bandwidth});
    sheet.lacks_for_time = missing_for_time(device);
    sheet.figures = figure_shares(device);
    return sheet;
}

// A device with what does not depend on a profile.
struct PreparedDevice {
    Device device;
    DeviceSheet sheet;
    OccupancyTable table;
};
PreparedDevice prepared(const Device& device) { return {device, sheet_of(device), occupancy_table(device)}; }

// All that are known, worked out once.
const std::vector<PreparedDevice>& known_devices() {
    static const std::vector<PreparedDevice> kDevices = [] {
        std::vector<PreparedDevice> devices;
        for (const std::string& name : device_names())
            if (const auto device = load_device(name)) devices.push_back(prepared(*device));
        return devices;
    }();
    return kDevices;
}

DeviceSheet& add_sheet(const PreparedDevice& device, DeviceSheets& sheets) {
    DeviceSheet& sheet = sheets.devices.emplace_back(device.sheet);
    const auto known = std::find(sheets.tables.begin(), sheets.tables.end(), device.table);
    sheet.occupancy_table = static_cast<std::size_t>(known - sheets.tables.begin());
    if (known == sheets.tables.end()) sheets.tables.push_back(device.table);
    return sheet;
}

LaunchStanding standing_of(const LaunchProfile& launch) {
    LaunchStanding standing;
    standing.launch = launch.index;
    standing.blocks_per_sm = launch.blocks_per_sm;
    standing.warps_per_sm = launch.warps_per_sm;
    standing.occupancy = launch.occupancy;
    standing.limiters = launch.limiters;
    if (launch.time) {
        standing.microseconds = launch.time->microseconds;
        standing.bound = launch.time->bound;
        standing.next_bound = launch.time->next_bound;
        standing.next_microseconds = launch.time->next_microseconds;
    }
    standing.roofline = launch.roofline;
    return standing;
}

// The launches of `profile` that those of `chosen` were made of.
Profile made_of(const Profile& profile, const std::vector<const LaunchProfile*>& chosen) {
    Profile slim;
    slim.device = profile.device;
    std::map<const LaunchProfile*, std::size_t> places;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = profile.launches[i];
        const LaunchMarks marks = profile.launches.marks(i);
        const auto is_of = [&](const LaunchProfile* one) {
            return one->folded != launch.folded ? one->entry == launch.entry && one->kernel == launch.kernel
                                                : one->index == marks.index;
        };
        if (!launch.observed || std::none_of(chosen.begin(), chosen.end(), is_of)) continue;
        const auto [place, is_new] = places.try_emplace(&launch, slim.launches.size());
        if (is_new) {
            LaunchProfile own = launch;
            own.index = marks.index;
            slim.launches.push_back(std::move(own));
        } else {
            slim.launches.push_again(place->second, marks);
        }
    }
    return slim;
}

std::vector<const LaunchProfile*> longest(const Profile& shown, std::size_t most) {
    std::vector<const LaunchProfile*> launches;
    for (const LaunchProfile& launch : shown.launches)
        if (launch.observed) launches.push_back(&launch);
    std::stable_sort(launches.begin(), launches.end(), [](const LaunchProfile* a, const LaunchProfile* b) {
        return (a->time ? a->time->microseconds : 0) > (b->time ? b->time->microseconds : 0);
    });
    if (launches.size() > most) launches.resize(most);
    std::sort(launches.begin(), launches.end(),
              [](const LaunchProfile* a, const LaunchProfile* b) { return a->index < b->index; });
    return launches;
}

std::vector<LaunchStanding> standings(const Device& device, Profile slim,
                                      const std::vector<const LaunchProfile*>& chosen) {
    for (LaunchProfile& launch : slim.launches.distinct()) {
        launch.replay.reset();  // of another device's clock
        stand_on(device, launch);
    }
    std::map<std::uint32_t, LaunchProfile> by_index;
    const LaunchList folded = report::fold(slim).launches, &single = slim.launches;
    for (const LaunchProfile& launch : folded) by_index.emplace(launch.index, launch);
    std::vector<LaunchStanding> all;
    for (const LaunchProfile* one : chosen) {
        std::size_t at = 0;
        while (at < single.size() && !(single.marks(at).index == one->index && single[at].folded == one->folded)) ++at;
        if (at < single.size()) {
            all.push_back(standing_of(single[at]));
            all.back().launch = one->index;
        } else if (const auto found = by_index.find(one->index); found != by_index.end()) {
            all.push_back(standing_of(found->second));
        }
    }
    return all;
}

}  // namespace

OccupancyTable occupancy_table(const Device& device) {
    OccupancyTable table;
    table.warp_size = device.warp_size;
    table.max_warps_per_sm = device.max_warps_per_sm();
    table.by_blocks = device.max_blocks_per_sm;
    if (device.max_barriers_per_sm != 0) table.barriers = device.max_barriers_per_sm;
    for (std::uint32_t threads = device.warp_size; threads <= device.max_threads_per_block; threads += device.warp_size)
        table.threads.push_back(admitted(device, threads, 0, 0).by_threads);
    table.registers = register_rows(device);
    table.shared = shared_rows(device);
    return table;
}

DeviceSheets device_sheets(const Profile& profile, const Profile& shown, const Device* own, const SheetLimits& limits) {
    DeviceSheets sheets;
    if (own != nullptr) {
        sheets.knows_own = true;
        // Of a name that is known there may be another description.
        DeviceSheet& sheet = add_sheet(prepared(*own), sheets);
        for (const LaunchProfile& launch : shown.launches)
            if (launch.observed) sheet.launches.push_back(standing_of(launch));
    }
    const auto chosen = longest(shown, limits.launches);
    const Profile slim = made_of(profile, chosen);
    for (const PreparedDevice& known : known_devices()) {
        if (sheets.devices.size() >= limits.devices) break;
        if (own != nullptr && known.device.name == own->name) continue;
        add_sheet(known, sheets).launches = standings(known.device, slim, chosen);
    }
    return sheets;
}

}  // namespace tilescope::models
