#include "scope/cli/tile_answer.h"

#include <nlohmann/json.hpp>

#include "scope/cli/help.h"
#include "scope/report/enums.h"
#include "scope/views/document/tile.h"
#include "scope/views/render/table_text.h"
#include "scope/views/view.h"
#include "scope/views/words/tile.h"

namespace tilescope::cli {
namespace {

using TileJson = nlohmann::ordered_json;

TileJson optional_json(const std::optional<double>& value) { return value ? TileJson(*value) : TileJson(nullptr); }

TileJson row_json(const TileRow& row) {
    TileJson json = {{"tile", row.tile},
                     {"results_per_thread", row.results},
                     {"threads", row.threads},
                     {"blocks", row.blocks},
                     {"phases", row.phases},
                     {"requested_elements", row.requested_elements},
                     {"intensity", row.intensity},
                     {"padding", row.padding},
                     {"shared_bytes", row.shared_bytes},
                     {"shared_bytes_per_thread", row.shared_per_thread},
                     {"registers_per_thread", row.registers},
                     {"registers_from", "estimate"},
                     {"textbook_occupancy", row.textbook_occupancy},
                     {"occupancy", row.occupancy},
                     {"blocks_per_sm", row.blocks_per_sm},
                     {"microseconds", optional_json(row.microseconds)},
                     {"microseconds_from", "estimate"}};
    if (row.microseconds) json["bound"] = report::name_of(row.bound);
    if (row.refusal != TileRefusal::kNone) json["refused"] = views::tile_refusal_text(row);
    return json;
}

}  // namespace

std::string tile_text(const TileTable& table, bool color) {
    constexpr std::size_t kMargin = 2;
    views::ViewOptions view;
    view.color = color;
    view.width = kTextWidth;
    std::string text = views::document_text(views::tile_document(table), view) + "\n";
    for (const std::string& line : views::table_lines(views::tile_table(table), kTextWidth)) text += line + "\n";
    return text + std::string(kMargin, ' ') +
           "estimated: registers, time; occupancy: the textbook's (book) and the hardware's (card)\n";
}

std::string tile_json(const TileTable& table) {
    TileJson json = {{"device", table.device},
                     {"m", table.m},
                     {"n", table.n},
                     {"k", table.k},
                     {"type", table.type},
                     {"element_bytes", table.element_bytes},
                     {"ridge", table.ridge > 0 ? TileJson(table.ridge) : TileJson(nullptr)},
                     {"full_shared_bytes_per_thread", table.full_shared_per_thread}};
    if (table.kernel)
        json["kernel"] = {{"name", table.kernel->name},
                          {"asked_times", table.kernel->asked_times},
                          {"intensity", table.kernel->intensity},
                          {"occupancy", table.kernel->occupancy},
                          {"microseconds", optional_json(table.kernel->microseconds)}};
    TileJson rows = TileJson::array();
    for (const TileRow& row : table.rows) rows.push_back(row_json(row));
    json["tiles"] = std::move(rows);
    json["best"] = table.best ? row_json(table.rows[*table.best]) : TileJson(nullptr);
    json["why"] = views::best_tile_text(table);
    return json.dump(2, ' ', false, TileJson::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::cli
