#include "scope/cli/pattern_answer.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "scope/cli/help.h"
#include "scope/views/document/pattern.h"
#include "scope/views/render/picture_view.h"
#include "scope/views/view.h"
#include "scope/views/words/pattern.h"

namespace tilescope::cli {
namespace {

using PatternJson = nlohmann::ordered_json;

PatternJson global_json(const PatternCost& cost) {
    return {{"sectors", cost.sectors},
            {"ideal_sectors", cost.ideal_sectors},
            {"lines", cost.lines},
            {"bytes_asked", cost.bytes_asked},
            {"bytes_moved", cost.bytes_moved}};
}

PatternJson shared_json(const PatternCost& cost) {
    if (!cost.fits_shared) return nullptr;
    return {
        {"wavefronts", cost.wavefronts}, {"ideal_wavefronts", cost.ideal_wavefronts}, {"conflicts", cost.conflicts}};
}

// What explains the banks, beside their counts.
void add_reason(const PatternReason& reason, PatternJson& json) {
    json["stride"] = reason.stride ? PatternJson(*reason.stride) : PatternJson(nullptr);
    json["divisor"] = reason.explains ? PatternJson(reason.factor) : PatternJson(nullptr);
}

PatternJson lanes_json(const Pattern& pattern) {
    constexpr std::uint64_t kWordBytes = 4, kBanks = 32, kSectorBytes = 32;
    PatternJson lanes = PatternJson::array();
    for (std::size_t i = 0; i < pattern.lanes.size(); ++i) {
        if (!pattern.lanes[i]) continue;
        const PatternLane& lane = *pattern.lanes[i];
        PatternJson one = {{"lane", i}, {"thread", {lane.thread_x, lane.thread_y}}};
        if (pattern.two_dimensional) one["row"] = lane.row;
        if (pattern.two_dimensional) one["column"] = lane.column;
        one["index"] = lane.index;
        one["place"] = lane.place;
        one["sector"] = *pattern.sectors.lanes[i] / kSectorBytes;  // from the first line that the picture has
        if (pattern.cost.fits_shared) {
            one["bank"] = *pattern.banks.lanes[i] / kWordBytes % kBanks;
            one["wavefront"] = pattern.service.wavefront_of[i];
        }
        lanes.push_back(std::move(one));
    }
    return lanes;
}

PatternJson cures_json(const Pattern& pattern) {
    PatternJson cures = PatternJson::object();
    if (pattern.padding)
        cures["padding"] = {{"elements", pattern.padding->pad},
                            {"behind_each", pattern.padding->width},
                            {"shared", shared_json(pattern.padding->cost)}};
    if (pattern.swizzling)
        cures["swizzle"] = {{"place", pattern.swizzling->swizzle}, {"shared", shared_json(pattern.swizzling->cost)}};
    return cures;
}

}  // namespace

std::string pattern_text(const Pattern& pattern, const PatternTextOptions& options) {
    views::ViewOptions view;
    view.color = options.color;
    view.verbose = options.verbose;
    view.width = kTextWidth;
    std::string text = views::document_text(views::pattern_document(pattern), view);
    if (!pattern.strides.empty()) return text;
    text += "\n" + views::sectors_text(pattern.sectors, view);
    if (pattern.cost.fits_shared) text += "\n" + views::banks_text(pattern.banks, pattern.service, view);
    return text;
}

std::string pattern_json(const Pattern& pattern) {
    PatternJson json = {{"index", pattern.index},
                        {"element_bytes", pattern.element_bytes},
                        {"stores", pattern.stores},
                        {"block", {pattern.block_x, pattern.block_y}},
                        {"warp", pattern.warp},
                        {"width", pattern.width},
                        {"pad", pattern.pad},
                        {"swizzle", pattern.swizzle.empty() ? PatternJson(nullptr) : PatternJson(pattern.swizzle)},
                        {"offset_bytes", pattern.offset_bytes}};
    if (!pattern.strides.empty()) {
        PatternJson rows = PatternJson::array();
        for (const PatternStrideRow& each : pattern.strides) {
            PatternJson row = {
                {"value", each.stride}, {"global", global_json(each.cost)}, {"shared", shared_json(each.cost)}};
            add_reason(each.reason, row);
            row["padding"] = each.padding ? PatternJson(each.padding->pad) : PatternJson(nullptr);
            row["padding_behind_each"] = each.padding ? PatternJson(each.padding->width) : PatternJson(nullptr);
            rows.push_back(std::move(row));
        }
        json["strides"] = std::move(rows);
        return json.dump(2, ' ', false, PatternJson::error_handler_t::replace) + "\n";
    }
    add_reason(pattern.reason, json);
    json["global"] = global_json(pattern.cost);
    json["shared"] = shared_json(pattern.cost);
    json["sectors_reason"] = views::sectors_reason(pattern);
    json["banks_reason"] = views::banks_reason(pattern);
    json["cures"] = cures_json(pattern);
    json["lanes"] = lanes_json(pattern);
    return json.dump(2, ' ', false, PatternJson::error_handler_t::replace) + "\n";
}

std::string pattern_svg(const Pattern& pattern, bool banks) {
    return views::for_light_and_dark(banks ? views::access_svg(pattern.banks, &pattern.service)
                                           : views::access_svg(pattern.sectors));
}

}  // namespace tilescope::cli
