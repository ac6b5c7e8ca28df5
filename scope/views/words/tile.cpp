#include "scope/views/words/tile.h"

#include <fmt/format.h>

#include "scope/report/format.h"
#include "scope/views/words/binding.h"

namespace tilescope::views {
namespace {

using report::counted;
using report::microseconds_text;
using report::plain_number;
using report::thousands;

std::string threads_text(const TileRow& row) {
    return fmt::format("{0}×{0} threads with {1} each", row.tile, counted(row.results, "result"));
}

// Of two figures to three digits.
std::string flop_per_byte(double value) { return fmt::format("{:.3g} FLOP/B", value); }

}  // namespace

std::string best_tile_text(const TileTable& table) {
    if (!table.best) return "none of these tiles can be launched";
    const TileRow& best = table.rows[*table.best];
    std::string text = threads_text(best) + ": ";
    if (best.microseconds) {
        text += microseconds_text(*best.microseconds) + " is the shortest time (estimated), limited by " +
                bound_words(best.bound);
        // The same tile with one result, and what more of them bring.
        for (const TileRow& row : table.rows)
            if (row.tile == best.tile && row.results == 1 && best.results != 1 && row.microseconds)
                text += "; with one result per thread " + microseconds_text(*row.microseconds);
    } else {
        text += "the highest intensity; no time, because the device file of " + table.device + " lacks ";
        for (std::size_t i = 0; i < table.missing.size(); ++i) text += (i == 0 ? "" : ", ") + table.missing[i];
    }
    text += "; " + flop_per_byte(best.intensity) + " requested";
    if (table.ridge > 0)
        text += best.intensity < table.ridge ? ", below the ridge: caches must serve part of it" : ", beyond the ridge";
    if (best.padding > 0) text += "; " + report::percent(best.padding) + " of its products are padding";
    return text;
}

std::string tile_requests_text(const TileTable& table) {
    const double each = static_cast<double>(table.m) * static_cast<double>(table.n) * static_cast<double>(table.k);
    return "without tiles 2 × " + thousands(table.m) + " × " + thousands(table.n) + " × " + thousands(table.k) + " = " +
           report::with_prefix(2 * each) +
           " elements; tiles of T × T request 1/T of them, and R results per thread 1/R of " + "the elements of N";
}

std::string tile_ridge_text(const TileTable& table) {
    if (table.ridge <= 0) return "unknown for " + table.device;
    return flop_per_byte(table.ridge) + " in " + table.type + "; tiles of T × T reach T / " +
           std::to_string(table.element_bytes) + " with one result per thread, " +
           fmt::format("{:.0f}", table.ridge * table.element_bytes) + " is needed";
}

std::string tile_shared_text(const TileTable& table) {
    return "each thread uses " + std::to_string(2 * table.element_bytes) + " B at any tile size, " +
           std::to_string(table.element_bytes) + " B more per further result; up to " +
           fmt::format("{:.1f}", table.full_shared_per_thread) + " B keep an SM of the " + table.device + " full";
}

std::string tiled_kernel_text(const TileTable& table) {
    if (!table.kernel) return {};
    const TiledKernel& kernel = *table.kernel;
    std::string text = report::printable(kernel.name) + ": each requested element serves " +
                       report::times_text(kernel.asked_times) + " results, " + flop_per_byte(kernel.intensity) +
                       ", occupancy " + report::percent(kernel.occupancy);
    if (kernel.microseconds)
        text += ", " + microseconds_text(*kernel.microseconds) + " (modeled); the table's times start from that";
    return text;
}

std::string tile_refusal_text(const TileRow& row) {
    switch (row.refusal) {
        case TileRefusal::kNone: return {};
        case TileRefusal::kShared:
            return "cannot be launched: " + thousands(row.shared_bytes) +
                   " B of shared memory exceed the limit per block";
        case TileRefusal::kRegisters:
            return "cannot be launched: " + std::to_string(row.registers) + " registers exceed the limit per thread";
        case TileRefusal::kNoBlock: return "cannot be launched: no block fits on an SM";
    }
    return {};
}

}  // namespace tilescope::views
