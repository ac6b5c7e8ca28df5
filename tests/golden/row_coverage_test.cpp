// No row of the instruction table without a golden case or a line in the table of what hardware gave.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scope/isa/families.h"
#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"
#include "tests/golden/case.h"
#include "tests/places.h"
#include "tests/truth/isa/kernels.h"
#include "tests/truth/isa/table.h"

namespace tilescope::golden {
namespace {

// Rows that these kernels of a module use.
std::set<const isa::Row*> rows_of(const std::string& ptx, const std::string& path,
                                  const std::set<std::string>& kernels) {
    std::set<const isa::Row*> rows;
    const auto module = ptx::parse(ptx, path);
    EXPECT_TRUE(module || kernels.empty()) << path;
    if (!module) return rows;
    for (const std::string& kernel : kernels) {
        isa::LowerRequest request;
        request.module = &*module;
        request.entry = kernel;
        request.address_of = [](std::string_view) { return std::optional<std::uint64_t>(1 << 20); };
        request.on_row = [&](const isa::Row& row) { rows.insert(&row); };
        const auto program = isa::lower(request);
        EXPECT_TRUE(program) << path << ", kernel " << kernel;
    }
    return rows;
}

std::set<const isa::Row*> rows_of(const GoldenFile& file) {
    std::set<std::string> kernels;
    for (const Case& which : file.cases)
        if (which.errors.empty()) kernels.insert(which.kernel);  // the others do not run
    return rows_of(file.text, file.path, kernels);
}

std::set<const isa::Row*> rows_of(const truth::Table& table) {
    std::vector<const truth::Line*> lines;
    std::set<std::string> kernels;
    for (const truth::Line& line : table.lines) {
        lines.push_back(&line);
        kernels.insert(truth::kernel_name(line));
    }
    return rows_of(truth::ptx_for(lines), truth::table_file(), kernels);
}

TEST(RowCoverage, EveryRowHasAGolden) {
    std::set<const isa::Row*> covered = rows_of(truth::read_table(truth::text_of_file(truth::table_file())));
    ASSERT_FALSE(covered.empty());
    for (const std::string& path : golden_files(source_dir() + "/tests/golden/isa"))
        covered.merge(rows_of(read_golden(path)));
    for (const isa::Family* family : isa::families())
        for (std::size_t i = 0; i < family->count; ++i) {
            const isa::Row& row = family->rows[i];
            if (row.syntax.starts_with('%')) continue;  // made by the lowering, never written in PTX
            EXPECT_TRUE(covered.count(&row))
                << family->name << ": " << row.syntax << "  " << row.operands
                << "\nadd it to tests/truth/isa/h200.tsv (tilescope_isa_table --propose OPCODE) or tests/golden/isa";
        }
}

}  // namespace
}  // namespace tilescope::golden
