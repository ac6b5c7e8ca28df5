// Every spelling of an instruction that accesses or orders memory binds when PTX allows it for sm_90, and is refused by
// name when not: the table against the rules, and the rules against NVIDIA's assembler.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scope/image/process.h"
#include "scope/image/toolchain.h"
#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"
#include "tests/isa/spelling_rules.h"

namespace tilescope::isa::spelling {
namespace {

// What is said of each refused spelling, by its number.
using Refusals = std::map<std::size_t, std::string>;

void lower_once(const std::vector<Spelling>& spellings, const std::vector<std::size_t>& numbers, Refusals& refusals) {
    std::vector<Spelling> some;
    for (const std::size_t number : numbers) some.push_back(spellings[number]);
    unsigned first_line = 0;
    const auto module = ptx::parse(module_of(some, first_line), "spellings.ptx");
    ASSERT_TRUE(module) << render(module.errors());
    LowerRequest request;
    request.module = &*module;
    request.entry = "k";
    const auto program = lower(request);
    if (program) return;
    for (const Diagnostic& error : program.errors()) {
        ASSERT_GE(error.location.line, first_line) << render(error);
        refusals.emplace(numbers.at(error.location.line - first_line), error.message);
    }
}

// A few at a time, as a module that is all wrong is not read to its end. Binding comes after all operands were read, so
// what fails there is seen once the rest is gone.
Refusals refused_by_us(const std::vector<Spelling>& spellings) {
    constexpr std::size_t kAtOnce = 16;
    Refusals refusals;
    for (std::size_t first = 0; first < spellings.size(); first += kAtOnce) {
        std::size_t known = 0;
        do {
            known = refusals.size();
            std::vector<std::size_t> numbers;
            for (std::size_t i = first; i < std::min(first + kAtOnce, spellings.size()); ++i)
                if (refusals.count(i) == 0) numbers.push_back(i);
            lower_once(spellings, numbers, refusals);
        } while (refusals.size() != known);
    }
    return refusals;
}

// "atom" of "atom.add.u32 %r1, ...".
std::string opcode_of_line(const std::string& line) { return line.substr(0, line.find_first_of(". ;")); }

void check(const std::vector<Spelling>& spellings) {
    const Refusals refusals = refused_by_us(spellings);
    for (std::size_t i = 0; i < spellings.size(); ++i) {
        const auto refusal = refusals.find(i);
        EXPECT_EQ(refusal == refusals.end(), spellings[i].is_legal)
            << spellings[i].line << (refusal == refusals.end() ? "" : "\n" + refusal->second);
        if (refusal != refusals.end()) {
            EXPECT_NE(refusal->second.find(opcode_of_line(spellings[i].line)), std::string::npos)
                << spellings[i].line << "\n"
                << refusal->second;
        }
    }
}

TEST(Spelling, Atomics) { check(atomics()); }
TEST(Spelling, LoadsAndStores) { check(loads_and_stores()); }
TEST(Spelling, Fences) { check(fences()); }
TEST(Spelling, BarrierObjects) { check(barrier_objects()); }
TEST(Spelling, InAnyOrder) { check(permutations()); }

// ---- NVIDIA's assembler ---------------------------------------------------------------------------------------------

class Assembler : public ::testing::Test {
protected:
    void SetUp() override {
        program_ = image::find_ptxas();
        if (program_.empty()) GTEST_SKIP() << "no ptxas";
        auto folder = image::TemporaryFolder::create();
        ASSERT_TRUE(folder) << render(folder.errors());
        folder_.emplace(std::move(*folder));
    }

    void check(std::vector<Spelling> spellings) {
        if (IsSkipped()) return;
        spellings.push_back({"no.such.instruction;", false});  // there is an error, so it stops before it optimizes
        unsigned first_line = 0;
        const std::filesystem::path text = folder_->path() / "spellings.ptx";
        std::ofstream(text) << module_of(spellings, first_line);
        const auto output = image::run_process({program_.string(), "-arch=sm_90", "-o", "/dev/null", text.string()});
        ASSERT_TRUE(output) << render(output.errors());
        const std::string said = output->output + output->errors;
        if (said.find("Unsupported .version") != std::string::npos) GTEST_SKIP() << "this ptxas is too old";
        Refusals refusals;
        for (std::size_t at = 0; (at = said.find(", line ", at)) != std::string::npos; ++at) {
            const std::size_t end = said.find('\n', at);
            const std::string message = said.substr(at, end - at);
            if (message.find("error") == std::string::npos) continue;
            const auto line = static_cast<unsigned>(std::strtoul(message.c_str() + 7, nullptr, 10));
            if (line >= first_line && line < first_line + spellings.size())
                refusals.emplace(line - first_line, message);
        }
        ASSERT_FALSE(refusals.empty()) << said.substr(0, 1000);
        for (std::size_t i = 0; i < spellings.size(); ++i) {
            const auto refusal = refusals.find(i);
            EXPECT_EQ(refusal == refusals.end(), spellings[i].is_legal)
                << spellings[i].line << (refusal == refusals.end() ? "" : "\n" + refusal->second);
        }
    }

private:
    std::filesystem::path program_;
    std::optional<image::TemporaryFolder> folder_;
};

TEST_F(Assembler, AgreesOnAtomics) { check(atomics()); }
TEST_F(Assembler, AgreesOnLoadsAndStores) { check(loads_and_stores()); }
TEST_F(Assembler, AgreesOnFences) { check(fences()); }
TEST_F(Assembler, AgreesOnBarrierObjects) { check(barrier_objects()); }
TEST_F(Assembler, AgreesOnAnyOrder) { check(permutations()); }

}  // namespace
}  // namespace tilescope::isa::spelling
