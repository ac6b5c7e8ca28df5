#include "scope/views/document/pattern.h"

#include <string>

#include "scope/models/verdicts.h"
#include "scope/report/format.h"
#include "scope/views/words/pattern.h"

namespace tilescope::views {
namespace {

Value told(std::string_view name, std::string text) {
    Value value;
    value.name = name;
    value.amount = std::move(text);
    value.unit = Unit::kText;
    return value;
}
Value number(std::string_view name, std::uint64_t amount, Unit unit = Unit::kPlain) {
    Value value;
    value.name = name;
    value.amount = amount;
    value.unit = unit;
    return value;
}
Value each_request(std::string_view name, std::uint64_t amount, std::uint64_t ideal, Unit unit) {
    Value value;
    value.name = name;
    value.amount = static_cast<double>(amount);
    value.unit = unit;
    value.ideal = static_cast<double>(ideal);
    return value;
}

Row sentence_row(std::string_view key, std::string label, std::string text) {
    Row row;
    row.key = key;
    row.label = std::move(label);
    row.text = std::move(text);
    return row;
}

Section pattern_head(const Pattern& pattern) {
    Section head;
    head.kind = SectionKind::kHead;
    head.title = report::printable(pattern.index);
    head.facts = {number("element_bytes", pattern.element_bytes, Unit::kBytes),
                  told("kind", pattern.stores ? "a store" : "a load"),
                  told("block", "block " + std::to_string(pattern.block_x) + "×" + std::to_string(pattern.block_y)),
                  told("warp", "warp " + std::to_string(pattern.warp))};
    if (pattern.pad != 0)
        head.facts.push_back(told("pad", report::counted(static_cast<std::uint64_t>(pattern.pad), "unused element") +
                                             " after each row of " +
                                             report::thousands(static_cast<std::uint64_t>(pattern.width))));
    if (!pattern.swizzle.empty())
        head.facts.push_back(told("swizzle", "stored at " + report::printable(pattern.swizzle)));
    if (pattern.offset_bytes != 0)
        head.facts.push_back(told("offset", "from byte " + std::to_string(pattern.offset_bytes)));
    return head;
}

Row stride_table(const Pattern& pattern) {
    Row table;
    table.kind = RowKind::kTable;
    table.key = "strides";
    table.label = "strides";
    table.columns = {"stride", "sectors", "lines", "wavefronts", "conflicts", "divisor", "padding"};
    for (const PatternStrideRow& each : pattern.strides) {
        Row row;
        row.label = std::to_string(each.stride);
        row.values = {number("sectors", each.cost.sectors), number("lines", each.cost.lines)};
        if (each.cost.fits_shared) {
            row.values.push_back(number("wavefronts", each.cost.wavefronts));
            row.values.push_back(number("conflicts", each.cost.conflicts));
            row.values.push_back(each.reason.factor != 0 ? number("divisor", each.reason.factor)
                                                         : told("divisor", "-"));
            const std::string none = each.cost.conflicts == 0 ? "-" : "none";
            row.values.push_back(told("padding", each.padding ? std::to_string(each.padding->pad) + " per " +
                                                                    std::to_string(each.padding->width)
                                                              : none));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

Document pattern_document(const Pattern& pattern) {
    Section head = pattern_head(pattern);
    if (!pattern.strides.empty()) {
        head.rows.push_back(stride_table(pattern));
        return {{head}, {}};
    }
    const PatternCost& cost = pattern.cost;
    head.rows.push_back(sentence_row("lanes", "elements", lanes_text(pattern)));
    Row global;
    global.kind = RowKind::kFigures;
    global.key = "global_memory";
    global.label = "global memory";
    global.verdict = models::sectors_verdict(cost.sectors, cost.ideal_sectors);
    global.values = {each_request("sectors_per_request", cost.sectors, cost.ideal_sectors, Unit::kSectorsPerRequest),
                     told("lines", report::counted(cost.lines, "line"))};
    head.rows.push_back(std::move(global));
    head.rows.push_back(sentence_row("sectors_reason", "", sectors_reason(pattern)));
    if (cost.fits_shared) {
        Row shared;
        shared.kind = RowKind::kFigures;
        shared.key = "shared_memory";
        shared.label = "shared memory";
        shared.verdict = models::bank_verdict(cost.conflicts);
        shared.values = {
            each_request("wavefronts_per_request", cost.wavefronts, cost.ideal_wavefronts, Unit::kWavefrontsPerRequest),
            number("conflicts", cost.conflicts, Unit::kConflicts)};
        head.rows.push_back(std::move(shared));
    }
    head.rows.push_back(sentence_row("banks_reason", cost.fits_shared ? "" : "shared memory", banks_reason(pattern)));
    if (std::string text = padding_text(pattern); !text.empty())
        head.rows.push_back(sentence_row("padding", "padding", std::move(text)));
    if (std::string text = swizzle_text(pattern); !text.empty())
        head.rows.push_back(sentence_row("swizzle", "swizzle", std::move(text)));
    return {{head}, {}};
}

}  // namespace tilescope::views
