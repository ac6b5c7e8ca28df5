// Views: a profile for people and programs, by way of its document.
//
// Owns: the registry of views, ViewOptions. Guarantees: a view only prints; same profile and options, same bytes.
// Does not model: where the text goes.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/report/profile.h"
#include "scope/views/document/document.h"

namespace tilescope::models {
struct Device;
}

namespace tilescope::views {

// How tilescope itself was called, for views that tell it. A profile does not have it: the same run gives the same
// bytes.
struct RunInvocation {
    std::vector<std::string> arguments;  // the whole command line behind the program's name
    std::optional<int> exit_status;      // that tilescope ends with
    std::optional<std::chrono::system_clock::time_point> begin{}, end{};
};

struct ViewOptions {
    bool color = false;
    bool verbose = false;  // everything, however long
    std::size_t width = 100;
    // FLOP per byte at which the device turns from memory-bound to compute-bound; 0: not known.
    double ridge_fp32 = 0, ridge_fp64 = 0;
    TensorRidges tensor_ridges{};
    bool functions_assumed = false;               // approximate functions were not compared with this device's
    std::vector<std::string> source_directories;  // where sources may lie, beside their recorded names

    // For a page: the device that was modelled, where it is at hand, and the version of the program that writes.
    std::shared_ptr<const models::Device> device{};
    std::string tool_version{};

    std::optional<RunInvocation> invocation{};  // of the run that is being written, where it is that

    DocumentOptions document() const {
        return {verbose, ridge_fp32, ridge_fp64, source_directories, tensor_ridges, functions_assumed};
    }
};

// Hazards of a launch, and of a run: more than anybody reads through.
inline constexpr std::size_t kMostHazardsShown = 200;

struct View {
    std::string_view name, description;
    std::string (*render)(const Profile&, const ViewOptions&);
    bool shows_all_hazards = false;  // also where there are more than kMostHazardsShown
};

// What a rule of advice looks for: "requests that take more sectors than their bytes need"; empty for a name that is
// none.
std::string_view advice_description(AdviceKind rule);

std::span<const View> all_views();
const View* view_by_name(std::string_view name);

// Of a document that is at hand.
std::string document_text(const Document& document, const ViewOptions& options);
std::string document_markdown(const Document& document);

inline constexpr std::string_view kText = "text";
std::string text_view(const Profile& profile, const ViewOptions& options);
std::string sarif_view(const Profile& profile, const ViewOptions& options);
inline constexpr std::string_view kChromeTrace = "chrome-trace";
// The time line in the trace-event format that Perfetto and chrome://tracing open.
std::string chrome_trace_view(const Profile& profile, const ViewOptions& options);
// The same as a picture of text; empty without a time line.
inline constexpr std::string_view kTimeLine = "time-line";
std::string time_line_view(const Profile& profile, const ViewOptions& options);
std::string csv_view(const Profile& profile, const ViewOptions& options);
// The document itself as JSON: sections of rows.
std::string page_data_view(const Profile& profile, const ViewOptions& options);
inline constexpr std::string_view kHtml = "html";
// One page for a browser, with all that it needs (page/page.h).
std::string html_view(const Profile& profile, const ViewOptions& options);
std::string markdown_view(const Profile& profile, const ViewOptions& options);

}  // namespace tilescope::views
