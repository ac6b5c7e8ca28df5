// The committed page says what the table says. scripts/make_instruction_page rewrites it.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "scope/isa/families.h"
#include "scope/isa/table/form.h"
#include "tests/docs/instruction_page.h"
#include "tests/docs/ptx_opcodes.h"
#include "tests/places.h"

namespace tilescope::docs {
namespace {

TEST(InstructionPage, IsUpToDate) {
    std::ifstream file(source_dir() + "/docs/reference/instructions.md", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == instruction_page())
        << "run scripts/make_instruction_page and commit docs/reference/instructions.md";
}

// Else an instruction could be neither supported nor not supported.
TEST(InstructionPage, ListOfOpcodesHoldsAllThatAreSupported) {
    std::set<std::string_view> all(ptx_opcodes().begin(), ptx_opcodes().end());
    EXPECT_EQ(all.size(), ptx_opcodes().size()) << "an opcode is listed twice";
    for (const isa::Family* family : isa::families())
        for (std::size_t i = 0; i < family->count; ++i) {
            const std::string_view opcode = isa::opcode_of(family->rows[i].syntax);
            if (family->name == "device_library" || family->name == "system_call" || opcode.starts_with('%')) continue;
            EXPECT_TRUE(all.count(opcode)) << opcode;
        }
}

}  // namespace
}  // namespace tilescope::docs
