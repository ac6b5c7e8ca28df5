#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scope/report/enums.h"
#include "scope/views/page/lists_json.h"

namespace tilescope::views::page {

using namespace report;
namespace {

Json roofs_json(const std::vector<RoofLine>& roofs, const char* name, const char* rate) {
    Json list = Json::array();
    for (const RoofLine& roof : roofs)
        list.push_back({{name, roof.name}, {"unit", roof.unit}, {rate, rounded(roof.rate)}});
    return list;
}

Json standing_roofline(const RooflineProfile& roofline, bool is_own) {
    Json json = {{"type", roofline.type},
                 {"peak", rounded(roofline.peak)},
                 {"ridge", rounded(roofline.ridge)},
                 {"attainable", rounded(roofline.attainable)},
                 {"of_peak", rounded(roofline.of_peak)},
                 {"bound", roofline.bound}};
    if (roofline.achieved) {
        json["achieved"] = rounded(*roofline.achieved);
        json["achieved_modelled"] = roofline.achieved_modelled;
    }
    if (is_own && !roofline.verdict.empty()) json["verdict"] = roofline.verdict;
    json["points"] = Json::array();
    for (const RooflinePoint& point : roofline.points)
        json["points"].push_back({{"level", name_of(point.level)},
                                  {"intensity", rounded(point.intensity)},
                                  {"ceiling", rounded(point.ceiling)},
                                  {"bandwidth", rounded(point.bandwidth)},
                                  {"bound", point.bound}});
    return json;
}

Json standing_json(const LaunchStanding& standing, bool is_own) {
    Json json = {{"launch", standing.launch}};
    if (standing.microseconds) {
        json["microseconds"] = rounded(*standing.microseconds);
        json["bound"] = name_of(standing.bound);
        json["kind"] = name_of(kind_of(standing.bound));
        json["next_bound"] = name_of(standing.next_bound);
        json["next_microseconds"] = rounded(standing.next_microseconds);
    }
    json["blocks_per_sm"] = standing.blocks_per_sm;
    json["warps_per_sm"] = standing.warps_per_sm;
    json["occupancy"] = rounded(standing.occupancy);
    json["limiters"] = Json::array();
    for (const SmResource resource : standing.limiters) json["limiters"].push_back(name_of(resource));
    if (standing.roofline) json["roofline"] = standing_roofline(*standing.roofline, is_own);
    return json;
}

std::string no_time_text(const DeviceSheet& sheet) {
    std::string text;
    for (const std::string& key : sheet.lacks_for_time) text += (text.empty() ? "" : ", ") + key;
    return "the description of " + sheet.name + " does not have " + text;
}

Json sheet_json(const DeviceSheet& sheet, bool is_own) {
    Json json = {{"name", sheet.name},
                 {"product", sheet.product},
                 {"text", sheet.description},
                 {"compute", sheet.compute},
                 {"sms", sheet.sms},
                 {"clock_ghz", rounded(sheet.clock_ghz)},
                 {"dram_bytes", sheet.dram_bytes},
                 {"l2_bytes", sheet.l2_bytes},
                 {"max_warps_per_sm", sheet.max_warps_per_sm}};
    json["roofs"] = {{"compute", roofs_json(sheet.compute_roofs, "type", "peak")},
                     {"memory", roofs_json(sheet.memory_roofs, "level", "bandwidth")}};
    json["occupancy"] = sheet.occupancy_table;
    if (!sheet.lacks_for_time.empty()) json["no_time"] = no_time_text(sheet);
    json["kernels"] = Json::array();
    for (const LaunchStanding& standing : sheet.launches) json["kernels"].push_back(standing_json(standing, is_own));
    return json;
}

Json blocks_json(const std::optional<std::uint32_t>& blocks) { return blocks ? Json(*blocks) : Json(); }

}  // namespace

Json devices_json(const DeviceSheets& sheets) {
    Json list = Json::array();
    for (const DeviceSheet& sheet : sheets.devices) list.push_back(sheet_json(sheet, sheets.knows_own && list.empty()));
    return list;
}

Json tables_json(const DeviceSheets& sheets) {
    Json list = Json::array();
    for (const OccupancyTable& table : sheets.tables) {
        Json json = {{"warp", table.warp_size},
                     {"max_warps_per_sm", table.max_warps_per_sm},
                     {"by_blocks", table.by_blocks},
                     {"threads", table.threads}};
        json["registers"] = Json::array();
        for (const OccupancyRow& row : table.registers) {
            Json blocks = Json::array();
            for (const auto& one : row.blocks) blocks.push_back(blocks_json(one));
            json["registers"].push_back({{"most", row.most}, {"blocks", std::move(blocks)}});
        }
        json["shared"] = Json::array();
        for (const OccupancyRow& row : table.shared)
            json["shared"].push_back({{"most", row.most}, {"blocks", blocks_json(row.blocks.front())}});
        if (table.barriers) json["barriers"] = *table.barriers;
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace tilescope::views::page
