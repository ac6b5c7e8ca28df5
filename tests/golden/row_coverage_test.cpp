// No row of the instruction table without a golden.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scope/isa/lower.h"
#include "scope/isa/table/families.h"
#include "scope/ptx/parser.h"
#include "tests/golden/case.h"

namespace tilescope::golden {
namespace {

// Rows that the kernels of cases which run use.
std::set<const isa::Row*> rows_of(const GoldenFile& file) {
    std::set<const isa::Row*> rows;
    const auto module = ptx::parse(file.text, file.path);
    if (!module) return rows;
    std::set<std::string> done;
    for (const Case& which : file.cases) {
        if (!which.errors.empty() || !done.insert(which.kernel).second) continue;
        isa::LowerRequest request;
        request.module = &*module;
        request.entry = which.kernel;
        request.address_of = [](std::string_view) { return std::optional<std::uint64_t>(1 << 20); };
        request.on_row = [&](const isa::Row& row) { rows.insert(&row); };
        const auto program = isa::lower(request);
        EXPECT_TRUE(program) << file.path << ", kernel " << which.kernel;
    }
    return rows;
}

TEST(RowCoverage, EveryRowHasAGolden) {
    std::set<const isa::Row*> covered;
    for (const std::string& path : golden_files(TILESCOPE_SOURCE_DIR "/tests/golden/isa"))
        covered.merge(rows_of(read_golden(path)));
    ASSERT_FALSE(covered.empty());
    for (const isa::Family* family : isa::families())
        for (std::size_t i = 0; i < family->count; ++i) {
            const isa::Row& row = family->rows[i];
            if (row.syntax.starts_with('%')) continue;  // made by the lowering, never written in PTX
            EXPECT_TRUE(covered.count(&row))
                << family->name << ": " << row.syntax << "  " << row.operands << "\nadd it to tests/golden/isa";
        }
}

}  // namespace
}  // namespace tilescope::golden
