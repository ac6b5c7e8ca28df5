#include "scope/models/advice.h"
#include "scope/report/json.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace {

std::string json_view(const Profile& profile, const ViewOptions&) { return to_json(profile); }

constexpr View kViews[] = {
    {kText, "the report that `run` prints", text_view},
    {"json", "the profile, as `run --json` writes it", json_view, true},
    {"markdown", "the report for a comment on a change", markdown_view},
    {"page-data", "the report as data: sections of rows with value, unit, verdict, source and place", page_data_view,
     true},
    {"csv", "one row per launch, one column per counter and ratio", csv_view},
    {kHtml, "one page with every chart, for a browser", html_view},
    {kChromeTrace, "the modeled timeline, for Perfetto or chrome://tracing", chrome_trace_view},
    {kTimeLine, "the modeled timeline as a picture of text: who is busy, and which stream has it", time_line_view},
    {"sarif", "hazards, advice and broken budgets as SARIF 2.1.0, for code-scanning tools", sarif_view, true},
};

}  // namespace

std::string_view advice_description(AdviceKind rule) {
    for (const models::AdviceRule& row : models::advice_rules())
        if (row.kind == rule) return row.looks;
    return {};
}

std::span<const View> all_views() { return kViews; }

const View* view_by_name(std::string_view name) {
    for (const View& view : kViews)
        if (view.name == name) return &view;
    return nullptr;
}

}  // namespace tilescope::views
