#include "scope/report/json_roofline.h"

namespace tilescope::report {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

OrderedJson roofline_json(const RooflineProfile& roofline) {
    OrderedJson json = {{"type", roofline.type}, {"peak", roofline.peak}, {"ridge", roofline.ridge}};
    json["points"] = OrderedJson::array();
    for (const RooflinePoint& point : roofline.points) {
        OrderedJson item = {{"level", point.level}};
        if (point.bytes != 0) item["bytes"] = point.bytes;
        item["intensity"] = point.intensity;
        item["bandwidth"] = point.bandwidth;
        item["ridge"] = point.ridge;
        item["ceiling"] = point.ceiling;
        item["bound"] = point.bound;
        json["points"].push_back(std::move(item));
    }
    json["bound"] = roofline.bound;
    json["attainable"] = roofline.attainable;
    json["of_peak"] = roofline.of_peak;
    if (roofline.achieved) json["achieved"] = *roofline.achieved;
    json["verdict"] = roofline.verdict;
    return json;
}

void read_roofline(Reader& reader, const Json& parent, const std::string& path, LaunchProfile& launch) {
    const Json* json = reader.object(parent, path, "roofline");
    if (json == nullptr) return;
    const std::string at = path + "roofline.";
    RooflineProfile& into = launch.roofline.emplace();
    reader.text(*json, at, "type", into.type);
    reader.number(*json, at, "peak", into.peak);
    reader.number(*json, at, "ridge", into.ridge);
    reader.list(*json, at, "points", [&](const Json& item, const std::string& where) {
        RooflinePoint point;
        reader.text(item, where, "level", point.level);
        reader.integer(item, where, "bytes", point.bytes);
        reader.number(item, where, "intensity", point.intensity);
        reader.number(item, where, "bandwidth", point.bandwidth);
        reader.number(item, where, "ridge", point.ridge);
        reader.number(item, where, "ceiling", point.ceiling);
        reader.text(item, where, "bound", point.bound);
        into.points.push_back(std::move(point));
    });
    reader.text(*json, at, "bound", into.bound);
    reader.number(*json, at, "attainable", into.attainable);
    reader.number(*json, at, "of_peak", into.of_peak);
    if (reader.find(*json, "achieved") != nullptr) reader.number(*json, at, "achieved", into.achieved.emplace());
    reader.text(*json, at, "verdict", into.verdict);
}

}  // namespace tilescope::report
