#include "scope/explore/pattern.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <set>

#include "scope/explore/index_expression.h"
#include "scope/explore/pattern_cost.h"

namespace tilescope::explore {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::int64_t kBanksBytes = 128, kTileSide = 32;
constexpr std::int64_t kPadsTried = 32;  // behind more than a row of banks the patterns are the same again

// Names of an index, in this order.
enum PatternName : std::uint32_t {
    kTid,
    kThreadX,
    kThreadY,
    kTx,
    kTy,
    kLaneName,
    kWarpName,
    kBlockX,
    kBlockY,
    kRowName,
    kColumnName,
    kGlobalName,
    kWidthName,
    kOwnNames
};

std::vector<IndexName> names_of(const PatternQuestion& question, std::int64_t width) {
    std::vector<IndexName> names(kOwnNames);
    const char* const spelled[] = {"tid",        "threadIdx.x", "threadIdx.y", "tx",  "ty", "lane", "warp",
                                   "blockDim.x", "blockDim.y",  "row",         "col", "i",  "width"};
    for (std::uint32_t i = 0; i < kOwnNames; ++i) names[i].name = spelled[i];
    for (const std::uint32_t built_in : {kThreadX, kThreadY, kBlockX, kBlockY})
        names[built_in].value.is_unsigned = true;
    names[kBlockX].value.value = question.block_x;
    names[kBlockY].value.value = question.block_y;
    names[kWarpName].value.value = question.warp;
    names[kWidthName].value.value = width;
    for (const auto& [name, value] : question.names) names.push_back({name, {value, false}});
    if (question.strides) names.push_back({"stride", {question.strides->first, false}});
    return names;
}

void set_thread(std::vector<IndexName>& names, std::int64_t thread, const PatternQuestion& question) {
    const std::int64_t x = thread % question.block_x, y = thread / question.block_x;
    for (const std::uint32_t name : {kThreadX, kTx, kColumnName}) names[name].value.value = x;
    for (const std::uint32_t name : {kThreadY, kTy, kRowName}) names[name].value.value = y;
    for (const std::uint32_t name : {kTid, kGlobalName}) names[name].value.value = thread;
    names[kLaneName].value.value = thread % kLanes;
}

Diagnostic misuse(const std::string& message, const std::string& hint = {}) {
    return error("pattern-value", {}, message, hint);
}

Status check_numbers(const PatternQuestion& question) {
    const auto threads = std::uint64_t{question.block_x} * question.block_y;
    constexpr std::uint64_t kMostThreads = 1024;
    if (question.block_x == 0 || question.block_y == 0 || threads > kMostThreads)
        return misuse("a block has 1 to 1,024 threads, not " + std::to_string(threads));
    if (std::uint64_t{question.warp} * kLanes >= threads)
        return misuse("there is no warp " + std::to_string(question.warp) + " in a block of " +
                          std::to_string(threads) + " threads",
                      "the last one is warp " + std::to_string((threads - 1) / kLanes));
    const std::uint32_t bytes = question.element_bytes;
    if (bytes == 0 || bytes > 16 || !std::has_single_bit(bytes))
        return misuse("an element that one access loads has 1, 2, 4, 8 or 16 bytes, not " + std::to_string(bytes),
                      bytes == 12 ? "three floats take three accesses of 4 bytes" : "");
    if (question.offset_bytes % bytes != 0)
        return misuse("misaligned: an access of " + std::to_string(bytes) +
                          " bytes needs an address that is a multiple of " + std::to_string(bytes) +
                          ", and the array begins at byte " + std::to_string(question.offset_bytes),
                      "on a GPU this faults: begin at a multiple, or load narrower elements");
    return Success{};
}

// Where an element is kept: a swizzle, then padding behind every row.
class Placement {
public:
    Placement(bool two_dimensional, std::int64_t width, std::int64_t pad)
        : two_dimensional_(two_dimensional), width_(width), pad_(pad) {}

    Status swizzle_by(const std::string& text) {
        names_ = {{"i", {}}, {"width", {width_, false}}};
        if (two_dimensional_) names_ = {{"row", {}}, {"col", {}}, {"width", {width_, false}}};
        auto parsed = parse_indexes(text, names_, 1);
        if (!parsed) return in_swizzle(parsed.errors());
        swizzle_ = std::move(parsed->front());
        return Success{};
    }

    Status place(PatternLane& lane, const std::string& who) {
        std::int64_t row = lane.row, column = lane.column, index = lane.index;
        if (swizzle_) {
            names_[0].value.value = two_dimensional_ ? row : index;
            if (two_dimensional_) names_[1].value.value = column;
            const auto kept = evaluate(*swizzle_, names_, who);
            if (!kept) return in_swizzle(kept.errors());
            (two_dimensional_ ? column : index) = kept->value;
            if (two_dimensional_ && (column < 0 || column >= width_))
                return misuse("--swizzle: " + who + " would find its element in column " + std::to_string(column) +
                                  " of a row of " + std::to_string(width_),
                              "a swizzle stays in the row: col ^ row % " + std::to_string(width_));
        }
        if (!two_dimensional_) {
            row = index >= 0 ? index / width_ : -((width_ - 1 - index) / width_);
            column = index - row * width_;
        }
        lane.place = row * (width_ + pad_) + column;
        return Success{};
    }

private:
    static Diagnostics in_swizzle(Diagnostics errors) {
        for (Diagnostic& each : errors) each.message = "--swizzle: " + each.message;
        return errors;
    }
    bool two_dimensional_;
    std::int64_t width_, pad_;
    std::optional<IndexExpression> swizzle_;
    std::vector<IndexName> names_;
};

struct PlacedLanes {
    std::array<std::optional<PatternLane>, kLanes> lanes;
    PlacedWarp warp;
};

// The same lanes where other padding or another swizzle puts them.
Result<PlacedLanes> placed(const PatternQuestion& question, const Pattern& pattern, std::int64_t pad,
                           const std::string& swizzle) {
    PlacedLanes result{pattern.lanes, {}};
    result.warp.element_bytes = question.element_bytes;
    result.warp.stores = question.stores;
    result.warp.offset_bytes = question.offset_bytes;
    Placement placement(pattern.two_dimensional, pattern.width, pad);
    if (!swizzle.empty())
        if (const Status good = placement.swizzle_by(swizzle); !good) return good.errors();
    std::set<std::pair<std::int64_t, std::int64_t>> elements;
    std::set<std::int64_t> places;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
        if (!result.lanes[i]) continue;
        PatternLane& lane = *result.lanes[i];
        if (const Status good = placement.place(lane, "lane " + std::to_string(i)); !good) return good.errors();
        elements.insert(pattern.two_dimensional ? std::pair{lane.row, lane.column}
                                                : std::pair{lane.index, std::int64_t{0}});
        places.insert(lane.place);
        result.warp.places[i] = lane.place;
    }
    if (!swizzle.empty() && places.size() != elements.size())
        return misuse("--swizzle: " + std::to_string(elements.size()) + " elements get " +
                          std::to_string(places.size()) + " places: this is no swizzle",
                      "every element needs a place of its own, as i ^ (i / 32 % 32) gives it");
    return result;
}

Status evaluate_lanes(const PatternQuestion& question, const std::vector<IndexExpression>& forms,
                      std::vector<IndexName>& names, Pattern& pattern) {
    constexpr std::int64_t kHighest = (std::int64_t{1} << 31) - 1;
    const auto threads = std::int64_t{question.block_x} * question.block_y;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
        const std::int64_t thread = std::int64_t{question.warp} * kLanes + i;
        pattern.lanes[i].reset();
        if (thread >= threads) continue;
        set_thread(names, thread, question);
        PatternLane lane;
        lane.thread_x = static_cast<std::uint32_t>(thread % question.block_x);
        lane.thread_y = static_cast<std::uint32_t>(thread / question.block_x);
        const std::string who = "lane " + std::to_string(i);
        std::array<std::int64_t, 2> found{};
        for (std::size_t form = 0; form < forms.size(); ++form) {
            const auto value = evaluate(forms[form], names, who);
            if (!value) return value.errors();
            if (value->is_unsigned && value->value > kHighest)
                return misuse(
                    who + " requests element " + std::to_string(value->value) +
                        ": an unsigned number below 0 has wrapped around\n" +
                        pointed(forms[form].text, forms[form].steps.back().begin, forms[form].steps.back().end),
                    "threadIdx and blockDim are unsigned; tid, tx, ty, row, col and i are ints");
            found[form] = value->value;
        }
        lane.row = forms.size() > 1 ? found[0] : 0;
        lane.column = forms.size() > 1 ? found[1] : 0;
        lane.index = forms.size() > 1 ? lane.row * pattern.width + lane.column : found[0];
        pattern.lanes[i] = lane;
    }
    return Success{};
}

// The smallest padding with which no lanes meet, behind rows of that many elements.
std::optional<PatternCure> padding_behind(const PatternQuestion& question, Pattern pattern, std::int64_t width) {
    pattern.width = width;
    for (std::int64_t pad = 1; pad <= kPadsTried; ++pad) {
        const auto lanes = placed(question, pattern, pad, pattern.swizzle);
        if (!lanes) return std::nullopt;
        const PatternCost cost = cost_of(lanes->warp);
        if (cost.fits_shared && cost.conflicts == 0) return PatternCure{pad, width, {}, cost};
    }
    return std::nullopt;
}

// Where rows as long as the banks are wide do not help an index by itself, those from lane to lane: a structure that is
// made larger. Who says how long rows are gets no others.
std::optional<PatternCure> find_padding(const PatternQuestion& question, const Pattern& pattern) {
    if (auto found = padding_behind(question, pattern, pattern.width)) return found;
    const auto& stride = pattern.reason.stride;
    if (pattern.two_dimensional || question.width != 0 || question.pad != 0 || !stride) return std::nullopt;
    const std::int64_t apart = std::abs(*stride);
    if (apart < 2 || apart > kMaxWidth) return std::nullopt;
    return padding_behind(question, pattern, apart);
}

// Exclusive or of some low bits of the place with bits of the row, the fewest that do. Each element of a row stays in
// the row; of an index by itself the bits that change are below those that change them, so that no two elements meet.
std::optional<PatternCure> find_swizzle(const PatternQuestion& question, const Pattern& pattern) {
    constexpr int kMostBits = 5, kMostShift = 10;
    const bool flat = !pattern.two_dimensional;
    for (int bits = 1; bits <= kMostBits; ++bits)
        for (int base = 0; base + bits <= kMostBits; ++base) {
            if (pattern.width % (std::int64_t{1} << (base + bits)) != 0) break;
            const std::int64_t mask = ((std::int64_t{1} << bits) - 1) << base;
            for (int shift = flat ? bits : -base; shift <= kMostShift; ++shift) {
                const std::string moved = shift == 0  ? ""
                                          : shift < 0 ? " << " + std::to_string(-shift)
                                                      : " >> " + std::to_string(shift);
                const std::string by = moved + " & " + std::to_string(mask) + ")";
                const std::string text = flat ? "i ^ (i" + by : "col ^ (row" + by;
                const auto lanes = placed(question, pattern, pattern.pad, text);
                if (!lanes) continue;
                const PatternCost cost = cost_of(lanes->warp);
                if (cost.fits_shared && cost.conflicts == 0) return PatternCure{0, 0, text, cost};
            }
        }
    return std::nullopt;
}

void draw(const PlacedLanes& lanes, Pattern& pattern) {
    AccessPicture picture;
    picture.element_bytes = pattern.element_bytes;
    picture.title = pattern.index;
    picture.array = "a";
    // Offsets are counted from the line, or the row of banks, that the lowest lane's element lies in.
    constexpr auto kRow = static_cast<std::uint64_t>(kBanksBytes);
    std::uint64_t low = ~std::uint64_t{0};
    const std::uint64_t begin = lanes.warp.byte(0);
    for (const auto& place : lanes.warp.places)
        if (place) low = std::min(low, lanes.warp.byte(*place));
    low = std::min(low, begin - begin % kRow);
    low -= low % kRow;
    for (const auto& place : lanes.warp.places)
        picture.lanes.push_back(place ? std::optional(lanes.warp.byte(*place) - low) : std::nullopt);
    pattern.sectors = picture;
    picture.banks = true;
    pattern.banks = picture;
    pattern.service = service_of(lanes.warp);
}

}  // namespace

Result<Pattern> explore_pattern(const PatternQuestion& question) {
    if (const Status good = check_numbers(question); !good) return good.errors();
    Pattern pattern;
    pattern.index = question.index;
    pattern.element_bytes = question.element_bytes;
    pattern.stores = question.stores;
    pattern.block_x = question.block_x;
    pattern.block_y = question.block_y;
    pattern.warp = question.warp;
    pattern.pad = question.pad;
    pattern.swizzle = question.swizzle;
    pattern.offset_bytes = question.offset_bytes;
    pattern.pads_tried = kPadsTried;
    // `width` may stand in the index, whose form says what it is if nobody does.
    std::vector<IndexName> names = names_of(question, question.width);
    const auto forms = parse_indexes(question.index, names, 2);
    if (!forms) return forms.errors();
    pattern.two_dimensional = forms->size() > 1;
    const std::int64_t natural =
        pattern.two_dimensional ? kTileSide : std::min(kTileSide, kBanksBytes / std::int64_t{question.element_bytes});
    pattern.width = question.width != 0 ? question.width : natural;
    names[kWidthName].value.value = pattern.width;
    const auto stride = static_cast<std::uint32_t>(names.size() - 1);
    const auto uses_stride = [&](const IndexExpression& form) { return form.uses(stride); };
    if (question.strides && std::none_of(forms->begin(), forms->end(), uses_stride))
        return misuse("--strides: the index does not name the stride", "write it as 'tid*stride'");

    const std::int64_t first = question.strides ? question.strides->first : 0;
    const std::int64_t last = question.strides ? question.strides->second : 0;
    for (std::int64_t value = first; value <= last; ++value) {
        Pattern one = pattern;
        if (question.strides) names.back().value.value = value;
        if (const Status good = evaluate_lanes(question, *forms, names, one); !good) return good.errors();
        auto lanes = placed(question, one, question.pad, question.swizzle);
        if (!lanes) return lanes.errors();
        one.lanes = lanes->lanes;
        one.cost = cost_of(lanes->warp);
        one.reason = reason_of(lanes->warp, one.cost);
        const bool conflicts = one.cost.conflicts != 0;
        if (conflicts) one.padding = find_padding(question, one);
        if (!question.strides) {
            if (conflicts) one.swizzling = find_swizzle(question, one);
            draw(*lanes, one);
            return one;
        }
        PatternStrideRow row{value, one.cost, one.reason, std::nullopt};
        row.padding = one.padding;
        if (value == first) {
            one.strides = std::move(pattern.strides);
            pattern = std::move(one);
        }
        pattern.strides.push_back(std::move(row));
    }
    return pattern;
}

}  // namespace tilescope::explore
