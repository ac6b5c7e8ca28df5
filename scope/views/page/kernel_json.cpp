#include "scope/views/page/kernel_json.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/byte_flow.h"
#include "scope/report/metrics.h"
#include "scope/report/ratios.h"

namespace tilescope::views::page {

using namespace report;
namespace {

// Of a line those that are not 0: most lines do few things.
Json ratios_json(const CounterSet& counters, bool is_line = false) {
    Json json = Json::object();
    for (const Ratio& ratio : ratios())
        if (const auto value = ratio.value(counters); value && (*value != 0 || !is_line))
            json[std::string(ratio.name)] = rounded(*value);
    return json;
}

Json figures_json(const LaunchProfile& launch) {
    Json json = ratios_json(launch.counters);
    for (const Fact& fact : facts())
        if (const auto value = fact.value(launch)) json[std::string(fact.name)] = rounded(*value);
    return json;
}

Json flow_json(const CounterSet& counters) {
    const ByteFlow flow = byte_flow(counters);
    if (flow.links.empty()) return {};
    Json links = Json::array(), misses = Json::array();
    for (const FlowLink& link : flow.links) {
        Json one = {{"from", link.from}, {"to", link.to}, {"what", link.what}, {"bytes", link.bytes}};
        if (link.wasted != 0) one["wasted"] = link.wasted;
        if (link.asked) one["asked"] = *link.asked;
        one["source"] = link.modelled ? "modelled" : "counted";
        links.push_back(std::move(one));
    }
    for (const FlowMiss& miss : flow.misses)
        misses.push_back({{"level", miss.level}, {"why", miss.why}, {"sectors", miss.sectors}});
    return {{"links", links}, {"misses", misses}};
}

// A buffer as loads and as caches know it: they agree by parameter and name.
struct BufferSides {
    const BufferReuse* reuse = nullptr;
    const CachedBuffer* cached = nullptr;
};

std::vector<BufferSides> buffers_of(const LaunchProfile& launch) {
    std::vector<BufferSides> buffers;
    for (const CachedBuffer& cached : launch.cached_buffers) buffers.push_back({nullptr, &cached});
    for (const BufferReuse& reuse : launch.buffers) {
        const auto same = std::find_if(buffers.begin(), buffers.end(), [&](const BufferSides& one) {
            return one.reuse == nullptr && one.cached->kind == BufferKind::kAllocation &&
                   one.cached->parameter == reuse.parameter && one.cached->name == reuse.name;
        });
        if (same != buffers.end())
            same->reuse = &reuse;
        else
            buffers.push_back({&reuse, nullptr});
    }
    return buffers;
}

template <class Side>
std::string buffer_name(const Side& side) {
    if (!side.name.empty()) return side.name;
    return side.parameter ? "argument " + std::to_string(*side.parameter) : "a buffer";
}

void add_cached(const CachedBuffer& cached, Json& json) {
    const CounterSet& counters = cached.counters;
    const std::pair<const char*, Counter> bytes[] = {{"dram_read_bytes", Counter::kDramReadBytes},
                                                     {"dram_write_bytes", Counter::kDramWriteBytes}};
    const std::pair<const char*, Counter> sectors[] = {{"load_sectors", Counter::kGlobalLoadSectors},
                                                       {"store_sectors", Counter::kGlobalStoreSectors},
                                                       {"l2_read_sectors", Counter::kL2ReadSectors},
                                                       {"l2_write_sectors", Counter::kL2WriteSectors}};
    for (const auto& [name, counter] : sectors)
        if (counters[counter] != 0) json[name] = counters[counter];
    for (const auto& [name, counter] : bytes)
        if (counters[counter] != 0) json[name] = counters[counter];
    if (cached.atomic_sectors != 0) json["atomic_sectors"] = cached.atomic_sectors;
    for (const char* rate : {"l1_hit_rate", "l2_hit_rate"})
        if (const auto value = ratio_by_name(rate)->value(counters)) json[rate] = rounded(*value);
}

Json buffer_json(const BufferSides& sides) {
    const BufferKind kind = sides.cached != nullptr ? sides.cached->kind : BufferKind::kAllocation;
    Json json = Json::object();
    if (kind != BufferKind::kAllocation)
        json["name"] = kind == BufferKind::kLocal ? "local memory" : "heap";
    else
        json["name"] = sides.cached != nullptr ? buffer_name(*sides.cached) : buffer_name(*sides.reuse);
    const auto& parameter = sides.cached != nullptr ? sides.cached->parameter : sides.reuse->parameter;
    if (parameter) json["parameter"] = *parameter;
    json["kind"] = name_of(kind);
    const std::uint64_t bytes = sides.cached != nullptr ? sides.cached->bytes : sides.reuse->bytes;
    if (bytes != 0) json["bytes"] = bytes;
    if (sides.reuse != nullptr) {
        json["asked"] = sides.reuse->tiling.requested_bytes;
        json["times_each_byte"] = rounded(sides.reuse->tiling.potential());
        if (sides.reuse->tiling.unique_bytes) json["touched_bytes"] = *sides.reuse->tiling.unique_bytes;
    }
    if (sides.cached != nullptr) add_cached(*sides.cached, json);
    return json;
}

Json lines_json(const LaunchProfile& launch) {
    const auto all = static_cast<double>(traffic_bytes(launch.counters));
    Json lines = Json::array();
    for (const LineProfile& line : launch.lines) {
        Json one = {{"file", line.file}, {"line", line.line}};
        if (all > 0) one["share"] = rounded(static_cast<double>(traffic_bytes(line.counters)) / all);
        one["figures"] = ratios_json(line.counters, /*is_line=*/true);
        lines.push_back(std::move(one));
    }
    return lines;
}

std::string array_of(const RequestPicture& picture, const LaunchProfile& launch) {
    if (!picture.variable.empty() || !picture.parameter) return picture.variable;
    for (const BufferReuse& buffer : launch.buffers)
        if (buffer.parameter == picture.parameter) return buffer.name;
    for (const CachedBuffer& buffer : launch.cached_buffers)
        if (buffer.parameter == picture.parameter) return buffer.name;
    return {};
}

Json picture_json(const RequestPicture& picture, const LineProfile& line, const LaunchProfile& launch) {
    constexpr std::size_t kLanes = 32;
    Json json = {{"file", line.file},
                 {"line", line.line},
                 {"access", picture.access},
                 {"banks", picture.banks},
                 {"kind", name_of(picture.kind)},
                 {"which", name_of(picture.which)},
                 {"requests", picture.requests},
                 {"of", picture.of},
                 {"units", picture.units},
                 {"ideal", picture.ideal},
                 {"element_bytes", picture.element_bytes}};
    if (picture.parameter) json["parameter"] = *picture.parameter;
    if (const std::string array = array_of(picture, launch); !array.empty()) json["array"] = array;
    json["lanes"] = Json::array();
    for (std::size_t lane = 0; lane < std::min(kLanes, picture.lanes.size()); ++lane)
        json["lanes"].push_back(picture.lanes[lane] < 0 ? Json() : Json(picture.lanes[lane]));
    if (picture.memory == TexelMemory::kNone) return json;
    constexpr std::size_t kNumbers = 4;  // of a texel: its request, column, row and slice
    json["memory"] = name_of(picture.memory);
    json["lanes_of_request"] = picture.lanes_of_request;
    json["texels"] = Json::array();
    for (std::size_t i = 0; i + kNumbers <= picture.texels.size(); i += kNumbers)
        json["texels"].push_back(
            {picture.texels[i], picture.texels[i + 1], picture.texels[i + 2], picture.texels[i + 3]});
    return json;
}

Json pictures_json(const LaunchProfile& launch, std::size_t most) {
    Json pictures = Json::array();
    for (const LineProfile& line : launch.lines)
        for (const RequestPicture& picture : line.pictures)
            if (pictures.size() < most) pictures.push_back(picture_json(picture, line, launch));
    return pictures;
}

}  // namespace

Json kernel_json(const LaunchProfile& launch, const PageLimits& limits) {
    Json json = {{"launch", launch.index}, {"figures", figures_json(launch)}};
    if (Json flow = flow_json(launch.counters); !flow.is_null()) json["flow"] = std::move(flow);
    json["buffers"] = Json::array();
    for (const BufferSides& sides : buffers_of(launch)) json["buffers"].push_back(buffer_json(sides));
    json["lines"] = lines_json(launch);
    json["pictures"] = pictures_json(launch, limits.pictures);
    return json;
}

}  // namespace tilescope::views::page
