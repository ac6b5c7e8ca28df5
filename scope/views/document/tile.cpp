#include "scope/views/document/tile.h"

#include <fmt/format.h>

#include <string>

#include "scope/report/format.h"
#include "scope/views/words/tile.h"

namespace tilescope::views {
namespace {

Row tile_sentence(std::string_view key, std::string label, std::string text, RowSource source = RowSource::kCounted) {
    Row row;
    row.key = key;
    row.label = std::move(label);
    row.text = std::move(text);
    row.source = source;
    return row;
}

Value tile_words(std::string_view name, std::string text) {
    Value value;
    value.name = name;
    value.amount = std::move(text);
    value.unit = Unit::kText;
    return value;
}
Value tile_figure(std::string_view name, double amount, Unit unit) {
    Value value;
    value.name = name;
    value.amount = amount;
    value.unit = unit;
    return value;
}
Value tile_count(std::string_view name, std::uint64_t amount) {
    Value value;
    value.name = name;
    value.amount = amount;
    value.unit = Unit::kPlain;
    return value;
}

Row tile_line(const TileTable& table, std::size_t index) {
    const TileRow& tile = table.rows[index];
    Row row;
    row.label = fmt::format("{}{}×{}", table.best == index ? "→ " : "  ", tile.tile, tile.tile);
    row.source = RowSource::kEstimated;
    const bool runs = tile.refusal == TileRefusal::kNone;
    row.values = {tile_count("results_per_thread", tile.results),
                  tile_words("intensity", fmt::format("{:.3g}", tile.intensity)),
                  tile_count("phases", tile.phases),
                  tile_words("requested_elements", report::with_prefix(static_cast<double>(tile.requested_elements))),
                  tile_figure("shared_bytes_per_thread", tile.shared_per_thread, Unit::kPlain),
                  tile_count("shared_bytes", tile.shared_bytes),
                  tile_count("registers", tile.registers),
                  tile_words("textbook_occupancy", report::percent(tile.textbook_occupancy)),
                  tile_words("occupancy", report::percent(tile.occupancy)),
                  tile_words("padding", tile.padding > 0 ? report::percent(tile.padding) : "-"),
                  tile.microseconds ? tile_words("microseconds", fmt::format("{:.1f}", *tile.microseconds))
                                    : tile_words("microseconds", "-")};
    if (!runs) row.rows.push_back(tile_sentence("refusal", "", tile_refusal_text(tile)));
    return row;
}

}  // namespace

Document tile_document(const TileTable& table) {
    Section head;
    head.kind = SectionKind::kHead;
    head.title = "matrix product " + report::thousands(table.m) + " × " + report::thousands(table.k) + " by " +
                 report::thousands(table.k) + " × " + report::thousands(table.n);
    head.facts = {tile_words("type", table.type), tile_words("device", table.device)};
    head.rows.push_back(tile_sentence("ridge", "ridge", tile_ridge_text(table)));
    head.rows.push_back(tile_sentence("requests", "requests", tile_requests_text(table)));
    head.rows.push_back(tile_sentence("shared_memory", "shared memory", tile_shared_text(table)));
    if (table.kernel) head.rows.push_back(tile_sentence("kernel", "kernel", tiled_kernel_text(table)));
    head.rows.push_back(tile_sentence("best", "best", best_tile_text(table), RowSource::kEstimated));
    return {{head}, {}};
}

Row tile_table(const TileTable& table) {
    Row rows;
    rows.kind = RowKind::kTable;
    rows.key = "tiles";
    rows.source = RowSource::kEstimated;
    rows.columns = {"  tile",  "each", "FLOP/B", "phases", "requests", "B/thread",
                    "B/block", "regs", "book",   "card",   "pad",      "µs"};
    for (std::size_t i = 0; i < table.rows.size(); ++i) rows.rows.push_back(tile_line(table, i));
    return rows;
}

}  // namespace tilescope::views
