// JSON and SVG of `tilescope occupancy`.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "scope/cli/occupancy_answer.h"
#include "scope/models/device_sheets.h"
#include "scope/report/json_parts.h"
#include "scope/views/page/lists_json.h"
#include "scope/views/render/chart.h"

namespace tilescope::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* key_of(models::OccupancyResource resource) {
    switch (resource) {
        case models::OccupancyResource::kThreads: return "threads";
        case models::OccupancyResource::kRegisters: return "registers";
        case models::OccupancyResource::kShared: return "shared";
    }
    return "";
}

Json curve_json(const models::OccupancyCurve& curve) {
    Json points = Json::array();
    for (const models::OccupancyPoint& point : curve.points)
        points.push_back({{"at", point.at},
                          {"blocks_per_sm", point.blocks_per_sm},
                          {"warps_per_sm", point.warps_per_sm},
                          {"textbook_warps", point.textbook_warps}});
    return points;
}

Json names_of(const std::vector<SmResource>& resources) {
    Json names = Json::array();
    for (const SmResource resource : resources) names.push_back(report::name_of(resource));
    return names;
}

// A number of the document's first tag.
double attribute(const std::string& svg, const std::string& name) {
    const std::size_t at = svg.find(" " + name + "=\"");
    return at == std::string::npos ? 0 : std::strtod(svg.c_str() + at + name.size() + 3, nullptr);
}

Json kernel_json(const OccupancyAnswer& answer) {
    const models::KernelResources& kernel = answer.kernel.resources;
    Json json = Json::object();
    if (!answer.kernel.kernel.empty()) json["name"] = answer.kernel.kernel;
    json["threads_per_block"] = kernel.threads_per_block;
    if (kernel.registers_per_thread != 0) json["registers_per_thread"] = kernel.registers_per_thread;
    if (!answer.kernel.registers_from.empty()) json["registers_from"] = answer.kernel.registers_from;
    json["static_shared_bytes"] = kernel.static_shared_bytes;
    json["dynamic_shared_bytes"] = kernel.dynamic_shared_bytes;
    json["barriers"] = kernel.barriers;
    if (answer.kernel.blocks != 0) json["blocks"] = answer.kernel.blocks;
    if (kernel.carveout_percent) json["carveout_percent"] = *kernel.carveout_percent;
    return json;
}

}  // namespace

std::string occupancy_json(const OccupancyAnswer& answer, bool with_pictures) {
    LaunchProfile launch;
    launch.blocks_per_sm = answer.found.blocks_per_sm;
    launch.warps_per_sm = answer.found.warps_per_sm;
    launch.occupancy = answer.found.fraction;
    launch.limiters = answer.found.limiters;
    launch.occupancy_profile = answer.profile;
    Json json = {{"device", answer.device.name},
                 {"compute_capability", fmt::format("{}.{}", answer.device.compute_major, answer.device.compute_minor)},
                 {"kernel", kernel_json(answer)},
                 {"occupancy", report::occupancy_json(launch)}};
    Json sizes = Json::array(), best = Json::array();
    for (const models::BlockSize& size : answer.sizes)
        sizes.push_back({{"threads", size.threads},
                         {"blocks_per_sm", size.occupancy.blocks_per_sm},
                         {"warps_per_sm", size.occupancy.warps_per_sm},
                         {"fraction", size.occupancy.fraction},
                         {"limiters", names_of(size.occupancy.limiters)}});
    for (const models::BlockSize& size : models::best_block_sizes(answer.sizes)) best.push_back(size.threads);
    json["best_block_sizes"] = best;
    json["block_sizes"] = sizes;
    for (const models::OccupancyCurve& curve : answer.curves)
        json["curves"][key_of(curve.resource)] = curve_json(curve);
    if (with_pictures) {
        for (const models::OccupancyCurve& curve : answer.curves)
            json["charts"].push_back(
                Json::parse(views::chart_data(models::occupancy_chart(answer.device, answer.kernel.resources, curve))));
        json["table"] = views::page::tables_json({true, {}, {models::occupancy_table(answer.device)}}).front();
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string occupancy_svg(const OccupancyAnswer& answer) {
    std::string inside;
    double width = 0, height = 0;
    for (const models::OccupancyCurve& curve : answer.curves) {
        const std::string svg =
            views::chart_svg(models::occupancy_chart(answer.device, answer.kernel.resources, curve));
        if (answer.curves.size() == 1) return svg;
        // A document within a document needs its place, and no declaration in front.
        const std::size_t start = svg.find("<svg ");
        if (start == std::string::npos) continue;
        inside += fmt::format("<svg y=\"{:.0f}\" ", height) + svg.substr(start + 5);
        width = std::max(width, attribute(svg, "width"));
        height += attribute(svg, "height");
    }
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
               "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n",
               width, height) +
           inside + "</svg>\n";
}

}  // namespace tilescope::cli
