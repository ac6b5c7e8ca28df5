#include "scope/cli/boundaries_answer.h"

#include <nlohmann/json.hpp>

#include "scope/cli/help.h"
#include "scope/views/document/boundaries.h"
#include "scope/views/view.h"
#include "scope/views/words/boundaries.h"

namespace tilescope::cli {
namespace {

using BoundaryJson = nlohmann::ordered_json;

BoundaryJson hazards_json(const std::vector<BoundaryHazard>& hazards) {
    BoundaryJson list = BoundaryJson::array();
    for (const BoundaryHazard& hazard : hazards)
        list.push_back({{"kind", report::name_of(hazard.kind)},
                        {"file", hazard.file},
                        {"line", hazard.line},
                        {"message", hazard.message}});
    return list;
}

BoundaryJson size_json(const std::string& size) { return size.empty() ? BoundaryJson(nullptr) : BoundaryJson(size); }

BoundaryJson line_json(const Boundaries& boundaries, const BoundaryLine& line) {
    BoundaryJson json = {{"file", line.file},
                         {"line", line.line},
                         {"text", line.text},
                         {"kernels", line.kernels},
                         {"kind", report::name_of(line.kind)},
                         {"accesses", line.accesses}};
    BoundaryJson outcomes = BoundaryJson::array();
    for (std::size_t i = 0; i < line.outcomes.size(); ++i) {
        const BoundaryOutcome& outcome = line.outcomes[i];
        outcomes.push_back({{"size", size_json(boundaries.sizes[i].size)},
                            {"verdict", report::name_of(outcome.verdict)},
                            {"hazards", hazards_json(outcome.hazards)},
                            {"memory_differs", outcome.memory_differs},
                            {"output_differs", outcome.output_differs},
                            {"status_differs", outcome.status_differs},
                            {"endless", outcome.is_endless}});
    }
    json["outcomes"] = std::move(outcomes);
    json["says"] = views::boundary_line_text(boundaries, line);
    return json;
}

}  // namespace

std::string boundaries_text(const Boundaries& boundaries, const BoundariesTextOptions& options) {
    views::ViewOptions view;
    view.color = options.color;
    view.verbose = options.verbose;
    view.width = kTextWidth;
    return views::document_text(views::boundaries_document(boundaries, options.verbose), view);
}

std::string boundaries_json(const Boundaries& boundaries) {
    BoundaryJson json = {{"program", boundaries.program},
                         {"arguments", boundaries.arguments},
                         {"runs", boundaries.runs},
                         {"summary", views::boundaries_summary(boundaries)}};
    BoundaryJson sizes = BoundaryJson::array();
    for (const BoundarySize& size : boundaries.sizes)
        sizes.push_back({{"size", size_json(size.size)},
                         {"status", size.status},
                         {"launches", size.launches},
                         {"hazards", hazards_json(size.hazards)}});
    json["sizes"] = std::move(sizes);
    BoundaryJson checks = BoundaryJson::array();
    for (const BoundaryLine& line : boundaries.lines) checks.push_back(line_json(boundaries, line));
    json["checks"] = std::move(checks);
    return json.dump(2, ' ', false, BoundaryJson::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::cli
