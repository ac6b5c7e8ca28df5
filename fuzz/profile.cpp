// Any bytes as a profile that `report` and `compare` read: a profile or errors. What reads is written and read again as
// the same, piece by piece as well, every view of it comes to its end and holds nothing that a terminal obeys, and it
// compares with itself.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "scope/report/comparison.h"
#include "scope/report/fold.h"
#include "scope/report/json.h"
#include "scope/report/ncu_csv.h"
#include "scope/views/page/page.h"
#include "scope/views/render/comparison_view.h"
#include "scope/views/view.h"

namespace {

void expect_safe(const std::string& text) {
    const bool safe = std::none_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    });
    if (!safe) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static_cast<void>(report::read_ncu_csv(text));
    const auto profile = report::from_json(text, "fuzz.json");
    std::istringstream few(std::string{text}), all(std::string{text});
    const auto first = report::from_json(few, "part.json", {1});
    const auto part = report::from_json(all, "part.json", {size});
    if (static_cast<bool>(part) != static_cast<bool>(profile)) std::abort();
    if (!profile) return 0;
    const std::string written = report::to_json(*profile);
    if (report::to_json(*part) != written) std::abort();
    const auto again = report::from_json(written, "again.json");
    if (!again || report::to_json(*again) != written) std::abort();
    views::ViewOptions options;
    options.verbose = true;
    for (const views::View& view : views::all_views()) {
        expect_safe(view.render(*profile, options));
        expect_safe(view.render(report::fold(*profile), options));
    }
    if (!first) std::abort();
    for (const views::View& view : views::all_views()) expect_safe(view.render(*first, {}));
    expect_safe(views::comparison_text(report::compare(*first, *again), options));
    expect_safe(views::comparison_json(report::compare(*again, *first)));
    const report::Comparison same = report::compare(*profile, *again);
    expect_safe(views::comparison_text(same, options));
    expect_safe(views::comparison_page({same, *profile, &*again}, options));
    return 0;
}
