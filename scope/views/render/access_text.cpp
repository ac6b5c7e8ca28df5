// One request of a warp for a terminal: which sectors its lanes touch, and which lane each bank serves when.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "scope/report/format.h"
#include "scope/views/render/ink.h"
#include "scope/views/render/picture_view.h"

namespace tilescope::views {

namespace {

constexpr std::uint64_t kTextSectorBytes = 32, kTextWordBytes = 4, kTextBanks = 32;
constexpr std::size_t kFewRows = 8;  // that a short report shows of one picture
constexpr std::size_t kSectorLabel = 18, kBankLabel = 4, kEveryLane = 4;

std::string margin() { return "  "; }

// Rows of a picture, and how many more there are.
std::string shown_rows(const std::vector<std::string>& rows, std::string_view what, const ViewOptions& options) {
    const std::size_t shown = options.verbose || rows.size() <= kFewRows + 1 ? rows.size() : kFewRows;
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) text += rows[i] + "\n";
    if (shown < rows.size())
        text +=
            ink(options, Ink::kDim, margin() + "… and " + counted(rows.size() - shown, what) + " more; -v shows all") +
            "\n";
    return text;
}

}  // namespace

std::string sectors_text(const AccessPicture& picture, const ViewOptions& options) {
    std::map<std::uint64_t, std::vector<std::size_t>> lanes;
    for (std::size_t lane = 0; lane < picture.lanes.size(); ++lane)
        if (picture.lanes[lane]) lanes[*picture.lanes[lane] / kTextSectorBytes].push_back(lane);
    std::string head = margin() + padded("sector, in bytes", kSectorLabel);
    for (std::size_t lane = 0; lane < picture.lanes.size(); lane += kEveryLane)
        head += padded(std::to_string(lane), 2 * kEveryLane);
    std::vector<std::string> rows;
    for (const auto& [sector, here] : lanes) {
        const std::uint64_t from = sector * kTextSectorBytes;
        std::string row =
            margin() +
            padded(fmt::format("{} to {}", thousands(from), thousands(from + kTextSectorBytes - 1)), kSectorLabel);
        for (std::size_t lane = 0; lane < picture.lanes.size(); ++lane)
            row += std::binary_search(here.begin(), here.end(), lane) ? "■ " : "· ";
        rows.push_back(row + " " + counted(here.size(), "lane"));
    }
    return ink(options, Ink::kDim, head + "lane") + "\n" + shown_rows(rows, "sector", options);
}

std::string banks_text(const AccessPicture& picture, const BankService& service, const ViewOptions& options) {
    // By wavefront and bank: the first lane that is served, and whether there are others.
    std::vector<std::vector<std::string>> cells(service.wavefronts, std::vector<std::string>(kTextBanks, "·"));
    const std::uint64_t words = std::max<std::uint64_t>(1, picture.element_bytes / kTextWordBytes);
    for (std::size_t lane = 0; lane < picture.lanes.size(); ++lane) {
        if (!picture.lanes[lane]) continue;
        const std::uint64_t first = *picture.lanes[lane] / kTextWordBytes;
        for (std::uint64_t word = first; word < first + words; ++word) {
            std::string& cell = cells[service.wavefront_of[lane]][word % kTextBanks];
            if (cell == "·")
                cell = std::to_string(lane);
            else if (cell.back() != '+')
                cell += '+';
        }
    }
    std::string head = "bank";
    for (std::uint64_t bank = 0; bank < kTextBanks; ++bank) head += fmt::format("{:>2} ", bank);
    head.pop_back();
    std::vector<std::string> rows;
    for (std::size_t wavefront = 0; wavefront < cells.size(); ++wavefront) {
        std::string row = padded(fmt::format("{:>3}", wavefront + 1), kBankLabel);
        for (const std::string& cell : cells[wavefront])
            row += padded(cell.back() == '+' ? right_aligned(cell, 3) : right_aligned(cell, 2), 3);
        row.erase(row.find_last_not_of(' ') + 1);
        rows.push_back(std::move(row));
    }
    return ink(options, Ink::kDim, head) + "\n" + shown_rows(rows, "wavefront", options);
}

}  // namespace tilescope::views
