// How much of a profile a page holds, and what is said of the rest.
//
// Owns: PageLimits, the ladder of them, and LeftOut. Guarantees: each rung holds no more than the one before, the last
// one so little that any profile fits (page.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::views::page {

// A page with all that is in it: a browser opens so much at once.
inline constexpr std::size_t kMostBytes = 2'000'000;
inline constexpr std::size_t kMostTemplateBytes = 1'500'000;

struct PageLimits {
    std::size_t launch_rows = 2000;  // of the list of all launches
    std::size_t lines = 1500;        // of the source with their counters, over all launches
    std::size_t lines_of_launch = 400;
    std::size_t hazards = 20, findings = 40, advice = 30;
    std::size_t variables = 60, buffers = 40, pictures = 60;  // of a launch
    std::size_t spans = 1500, transfers = 200, page_launches = 200, calls = 100;
    std::size_t diagnostics = 50;
    std::size_t phase_bytes = 300'000;
    std::size_t source_bytes = 400'000;
    std::size_t ptx_bytes = 150'000;
    std::size_t around = 0;  // lines of a source around those that are told of; 0: all of it
    std::size_t device_launches = 12;
    std::size_t text = 2000;  // bytes of one text
    // Of a comparison.
    std::size_t pairs = 24, compared_lines = 100, names = 200;
};

inline constexpr std::array<PageLimits, 4> kLadder = {{
    {},
    {.launch_rows = 1000,
     .lines = 600,
     .lines_of_launch = 150,
     .spans = 600,
     .phase_bytes = 100'000,
     .source_bytes = 150'000,
     .ptx_bytes = 50'000,
     .around = 12,
     .device_launches = 6,
     .text = 800,
     .pairs = 16,
     .compared_lines = 60},
    {.launch_rows = 300,
     .lines = 200,
     .lines_of_launch = 40,
     .hazards = 10,
     .findings = 20,
     .advice = 10,
     .variables = 30,
     .buffers = 15,
     .pictures = 15,
     .spans = 200,
     .transfers = 50,
     .page_launches = 50,
     .calls = 30,
     .diagnostics = 20,
     .phase_bytes = 30'000,
     .source_bytes = 60'000,
     .ptx_bytes = 15'000,
     .around = 5,
     .device_launches = 3,
     .text = 300,
     .pairs = 8,
     .compared_lines = 30,
     .names = 60},
    {.launch_rows = 50,
     .lines = 50,
     .lines_of_launch = 10,
     .hazards = 5,
     .findings = 10,
     .advice = 5,
     .variables = 10,
     .buffers = 5,
     .pictures = 3,
     .spans = 50,
     .transfers = 10,
     .page_launches = 10,
     .calls = 10,
     .diagnostics = 10,
     .phase_bytes = 0,
     .source_bytes = 20'000,
     .ptx_bytes = 0,
     .around = 2,
     .device_launches = 1,
     .text = 150,
     .pairs = 4,
     .compared_lines = 10,
     .names = 20},
}};

inline constexpr std::string_view kMoreHazards = "more hazards of kernels",
                                  kMoreHostHazards = "more hazards of host code";

// What a page does not hold, in the order in which it was found.
class LeftOut {
public:
    // `count` of what begins a sentence: "more hazards of kernels" becomes "More hazards of kernels: 12".
    void add(std::string_view what, std::size_t count);
    std::uint64_t count_of(std::string_view what) const;
    void say(std::string sentence) { said_.push_back(std::move(sentence)); }
    std::vector<std::string> sentences() const;

private:
    std::vector<std::pair<std::string, std::uint64_t>> counts_;
    std::vector<std::string> said_;
};

// Cuts a list; what goes is noted.
template <class T>
void keep(std::vector<T>& list, std::size_t most, std::string_view what, LeftOut& left) {
    if (list.size() <= most) return;
    left.add(what, list.size() - most);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
}

}  // namespace tilescope::views::page
