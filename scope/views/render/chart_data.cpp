// A chart as data: what the book's pages draw.
#include <nlohmann/json.hpp>

#include "scope/views/render/chart.h"

namespace tilescope::views {
namespace {

nlohmann::ordered_json axis_data(const Axis& axis) {
    return {{"title", axis.title}, {"logarithmic", axis.logarithmic}, {"least", axis.least}, {"most", axis.most}};
}

}  // namespace

std::string chart_data(const Chart& chart) {
    using Json = nlohmann::ordered_json;
    Json json = {{"kind", "chart"},         {"title", chart.title},    {"subtitle", chart.subtitle},
                 {"x", axis_data(chart.x)}, {"y", axis_data(chart.y)}, {"curves", Json::array()},
                 {"marks", Json::array()},  {"notes", chart.notes}};
    for (const Curve& curve : chart.curves) {
        Json points = Json::array();
        for (const auto& [x, y] : curve.points) points.push_back(Json::array({x, y}));
        json["curves"].push_back(
            {{"name", curve.name}, {"points", points}, {"stepped", curve.stepped}, {"strong", curve.strong}});
    }
    for (const Mark& mark : chart.marks)
        json["marks"].push_back({{"name", mark.name}, {"x", mark.x}, {"y", mark.y}, {"strong", mark.strong}});
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
