// One request of a warp: lanes across, sectors or banks down.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "scope/report/format.h"
#include "scope/views/render/picture_view.h"
#include "scope/views/render/svg_text.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr std::uint64_t kSectorBytes = 32, kWordBytes = 4, kBanks = 32;
constexpr double kCell = 21, kRow = 16, kPictureSide = 24, kLabels = 150, kHead = 76, kNote = 34;
constexpr const char *kGridRule = "#cfd6dd", *kPaper = "#ffffff";
// A bank's first word, its second, ...: by turns, so that neighbours differ.
constexpr const char* kTurns[] = {"#1f5a99", "#8a5a00", "#1b7a5a", "#7a3e7a", "#a13d63"};

// A row of the picture: a sector or a bank, and of each lane that goes there, in which turn.
struct PictureRow {
    std::string name;
    std::map<std::size_t, std::size_t> turn_of_lane;
    std::size_t turns = 1;
};

std::vector<PictureRow> sectors_of(const AccessPicture& picture) {
    std::map<std::uint64_t, PictureRow> found;
    for (std::size_t lane = 0; lane < picture.lanes.size(); ++lane) {
        if (!picture.lanes[lane]) continue;
        const std::uint64_t first = *picture.lanes[lane] / kSectorBytes;
        const std::uint64_t last = (*picture.lanes[lane] + std::max(picture.element_bytes, 1U) - 1) / kSectorBytes;
        for (std::uint64_t sector = first; sector <= last; ++sector) {
            PictureRow& place = found[sector];
            place.name = fmt::format("bytes {} to {}", thousands(sector * kSectorBytes),
                                     thousands(sector * kSectorBytes + kSectorBytes - 1));
            place.turn_of_lane[lane] = 0;
        }
    }
    std::vector<PictureRow> places;
    places.reserve(found.size());
    for (auto& [sector, place] : found) places.push_back(std::move(place));
    return places;
}

// Words of one bank take turns, in the order of the lanes that ask for them; lanes that ask for one word share a turn.
std::vector<PictureRow> banks_of(const AccessPicture& picture) {
    std::vector<PictureRow> places(kBanks);
    std::vector<std::vector<std::uint64_t>> words(kBanks);
    for (std::size_t bank = 0; bank < kBanks; ++bank) places[bank].name = fmt::format("bank {}", bank);
    for (std::size_t lane = 0; lane < picture.lanes.size(); ++lane) {
        if (!picture.lanes[lane]) continue;
        const std::uint64_t word = *picture.lanes[lane] / kWordBytes;
        std::vector<std::uint64_t>& known = words[word % kBanks];
        const auto at = std::find(known.begin(), known.end(), word);
        PictureRow& place = places[word % kBanks];
        place.turn_of_lane[lane] = static_cast<std::size_t>(at - known.begin());
        if (at == known.end()) known.push_back(word);
        place.turns = std::max<std::size_t>(known.size(), 1);
    }
    return places;
}

// The same, where it was worked out which wavefront serves each lane.
std::vector<PictureRow> served_by(const AccessPicture& picture, const BankService& service) {
    std::vector<PictureRow> places(kBanks);
    for (std::size_t bank = 0; bank < kBanks; ++bank) places[bank].name = fmt::format("bank {}", bank);
    for (std::size_t lane = 0; lane < picture.lanes.size(); ++lane)
        if (picture.lanes[lane])
            places[*picture.lanes[lane] / kWordBytes % kBanks].turn_of_lane[lane] = service.wavefront_of[lane];
    places.front().turns = service.wavefronts;
    return places;
}

std::string words(double x, double y, const std::string& text, double size, const char* color, const char* anchor) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n",
                       x, y, size, color, anchor, svg_escaped(text));
}

std::string access_summary(const AccessPicture& picture, const std::vector<PictureRow>& places) {
    const auto lanes = static_cast<std::uint64_t>(
        std::count_if(picture.lanes.begin(), picture.lanes.end(), [](const auto& lane) { return lane.has_value(); }));
    if (picture.banks) {
        std::size_t turns = 1;
        for (const PictureRow& place : places) turns = std::max(turns, place.turns);
        return fmt::format("{}, one element of {} each: {} at the banks", counted(lanes, "lane"), picture.array,
                           counted(turns, "wavefront"));
    }
    std::set<std::uint64_t> bytes;
    for (const auto& lane : picture.lanes)
        for (std::uint32_t i = 0; lane && i < picture.element_bytes; ++i) bytes.insert(*lane + i);
    const std::uint64_t least = (bytes.size() + kSectorBytes - 1) / kSectorBytes;
    return fmt::format("{}, one element of {} each: {}, {} would hold them", counted(lanes, "lane"), picture.array,
                       counted(places.size(), "sector"), least);
}

}  // namespace

std::string access_svg(const AccessPicture& picture, const BankService* service) {
    const std::vector<PictureRow> places = !picture.banks       ? sectors_of(picture)
                                           : service != nullptr ? served_by(picture, *service)
                                                                : banks_of(picture);
    const auto lanes = static_cast<double>(picture.lanes.size());
    const double width = kPictureSide + kLabels + lanes * kCell + kPictureSide;
    const double bottom = kHead + static_cast<double>(places.size()) * kRow, height = bottom + kNote;
    const std::string title = picture.title.empty() ? "Where a request goes" : picture.title;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "role=\"img\" font-family=\"sans-serif\">\n<title>{2}</title>\n<rect x=\"0\" y=\"0\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" fill=\"{3}\"/>\n",
        width, height, svg_escaped(title), kPaper);
    svg += words(kPictureSide, kPictureSide + 4, title, 17, kSvgInk, "start");
    svg += words(kPictureSide, kPictureSide + 24, access_summary(picture, places), 13, kSvgQuiet, "start");
    svg += words(kPictureSide, kHead - 8, "lane", 12, kSvgQuiet, "start");
    const double left = kPictureSide + kLabels;
    constexpr std::size_t kEvery = 4;
    for (std::size_t lane = 0; lane < picture.lanes.size(); ++lane) {
        const double x = left + static_cast<double>(lane) * kCell;
        if (lane % kEvery == 0 || lane + 1 == picture.lanes.size())
            svg += words(x + kCell / 2, kHead - 8, std::to_string(lane), 12, kSvgQuiet, "middle");
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double y = kHead + static_cast<double>(i) * kRow;
        svg += words(left - 8, y + kRow - 4, places[i].name, 12, places[i].turn_of_lane.empty() ? kSvgQuiet : kSvgInk,
                     "end");
        svg += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"{}\" stroke-width=\"0.7\"/>\n", left, y + kRow,
                           lanes * kCell, kGridRule);
        for (const auto& [lane, turn] : places[i].turn_of_lane) {
            const double x = left + static_cast<double>(lane) * kCell;
            svg += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" fill=\"{}\"/>\n", x + 1,
                y + 1.5, kCell - 2, kRow - 3, kTurns[turn % std::size(kTurns)]);
            if (picture.banks)
                svg += words(x + kCell / 2, y + kRow - 4.5, std::to_string(turn + 1), 10, kPaper, "middle");
        }
    }
    svg += words(kPictureSide, bottom + 22,
                 picture.banks
                     ? "The number is the pass in which a lane is served. Banks count from the array's first word."
                     : "Each row is a sector of 32 bytes; bytes count from the array's first.",
                 12, kSvgQuiet, "start");
    return svg + "</svg>\n";
}

}  // namespace tilescope::views
