// What spellings need, against the verdicts of ptxas 13.0 (targets_ptxas.txt); and what of a module is refused by its
// own target, or missing on a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "scope/isa/families.h"
#include "scope/isa/table/row_index.h"
#include "scope/isa/targets.h"
#include "scope/ptx/parser.h"
#include "tests/places.h"

namespace tilescope::isa {
namespace {

std::vector<std::string> modifiers_of(const std::string& ending) {
    std::vector<std::string> words;
    std::istringstream text(ending);
    for (std::string word; std::getline(text, word, '.');)
        if (!word.empty()) words.push_back(word);
    return words;
}

// The least of the rows that have this spelling.
Requirement least_of(RowIndex& rows, const std::string& opcode, const std::vector<std::string>& modifiers) {
    const std::vector<Candidate>& candidates = rows.find(opcode, modifiers);
    EXPECT_FALSE(candidates.empty()) << opcode;
    return candidates.empty() ? Requirement{{}} : requirement_of(*candidates.front().row, candidates.front().form);
}

TEST(Targets, SpellingsNeedWhatPtxasAsks) {
    std::ifstream file(source_dir() + "/tests/isa/targets_ptxas.txt");
    ASSERT_TRUE(file);
    RowIndex rows(families());
    std::size_t checked = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        std::istringstream words(line);
        unsigned major = 0, minor = 0, sm = 0;
        std::string version, target, opcode;
        words >> version >> target >> opcode;
        ASSERT_EQ(std::sscanf(version.c_str(), "%u.%u", &major, &minor), 2) << line;
        ASSERT_EQ(std::sscanf(target.c_str(), "sm_%u", &sm), 1) << line;
        for (std::string ending; words >> ending; ++checked) {
            const Requirement needed = least_of(rows, opcode, modifiers_of(ending));
            EXPECT_EQ(std::max<unsigned>(needed.needs.ptx, 10), 10 * major + minor) << opcode << ending;
            EXPECT_EQ(needed.needs.sm, sm) << opcode << ending;
        }
    }
    EXPECT_GT(checked, 4000u);
}

ptx::Module module_of(const std::string& head, const std::string& body) {
    auto module = ptx::parse(head + "\n.address_size 64\n.visible .entry k() {\n" + body + "\nret;\n}\n", "case.ptx");
    EXPECT_TRUE(module);
    return std::move(module).value();
}

struct Head {
    Target target;
    unsigned major = 0, minor = 0;
    std::string words;
};

std::vector<Head> heads_of(const std::string& line) {
    std::vector<Head> heads;
    std::istringstream text(line);
    std::string word;
    for (text >> word; text >> word;) {
        const std::size_t slash = word.find('/');
        Head head{target_named(word.substr(slash + 1)), 0, 0, word};
        EXPECT_EQ(std::sscanf(word.c_str(), "%u.%u", &head.major, &head.minor), 2) << word;
        heads.push_back(head);
    }
    return heads;
}

// With the declarations that instructions of scripts/record_targets.py use.
ptx::Module module_with(const std::string& instruction) {
    const std::string wide = instruction.find("%q") == std::string::npos ? "" : ".reg .b128 %q<64>;\n";
    auto module = ptx::parse(
        ".version 9.0\n.target sm_50\n.address_size 64\n.const .align 32 .b8 table[64];\n"
        ".func leaf() { ret; }\n.visible .entry k(.param .u64 buffer, .param .b8 number[64]) {\n"
        ".reg .pred %p<64>;\n.reg .b16 %h<64>;\n.reg .b32 %r<200>;\n.reg .b64 %d<200>;\n" +
            wide +
            ".shared .align 32 .b8 tile[256];\n.local .align 32 .b8 stack[64];\n"
            "TARGETS: .branchtargets L1, L1, L1, L1, L1;\n" +
            instruction + ";\nL1:\nret;\n}\n",
        "asked.ptx");
    EXPECT_TRUE(module) << instruction;
    return module ? std::move(module).value() : ptx::Module{};
}

// The rows of word_needs_rows.h were made from what ptxas says of one version and one target; these are its answers
// under others, most of them for spellings that the rows were not made from.
TEST(Targets, InstructionsAreTakenWherePtxasTakesThem) {
    std::ifstream file(source_dir() + "/tests/isa/targets_asked.txt");
    ASSERT_TRUE(file);
    std::vector<Head> heads;
    std::size_t asked = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        if (line.starts_with("heads")) {
            heads = heads_of(line);
            continue;
        }
        ASSERT_GT(line.size(), heads.size());
        ptx::Module module = module_with(line.substr(heads.size() + 1));
        for (std::size_t i = 0; i < heads.size(); ++i, ++asked) {
            module.version_major = heads[i].major;
            module.version_minor = heads[i].minor;
            module.target = {heads[i].target.name()};
            const Diagnostics errors = check_own_target(module);
            EXPECT_EQ(errors.empty(), line[i] == '1') << heads[i].words << ": " << line << "\n" << render(errors);
        }
    }
    EXPECT_GT(asked, 12000u);
}

constexpr const char* kRedux = ".reg .b32 %r<4>;\nredux.sync.add.s32 %r1, 1, 0xffffffff;";

TEST(Targets, InstructionNewerThanVersionIsRefusedByName) {
    const auto errors = check_own_target(module_of(".version 6.0\n.target sm_90", kRedux));
    ASSERT_EQ(errors.size(), 2u) << render(errors);
    EXPECT_EQ(errors[0].code, "isa-newer-than-version");
    EXPECT_NE(errors[0].message.find(".version 6.0 does not support .target sm_90"), std::string::npos);
    EXPECT_NE(errors[1].message.find("'redux.sync.add.s32' needs PTX .version 7.0"), std::string::npos)
        << errors[1].message;
    EXPECT_EQ(errors[1].location.line, 6u);
}

TEST(Targets, InstructionNewerThanTargetIsRefusedByName) {
    const auto errors = check_own_target(module_of(".version 7.0\n.target sm_75", kRedux));
    ASSERT_EQ(errors.size(), 1u) << render(errors);
    EXPECT_EQ(errors[0].code, "isa-newer-than-target");
    EXPECT_NE(errors[0].message.find("'redux.sync.add.s32' needs .target sm_80 or later; this file's is sm_75"),
              std::string::npos)
        << errors[0].message;
    EXPECT_TRUE(check_own_target(module_of(".version 7.0\n.target sm_80", kRedux)).empty());
}

TEST(Targets, WgmmaNeedsTheFullNameOfHopper) {
    constexpr const char* kFence = "wgmma.fence.sync.aligned;";
    EXPECT_TRUE(check_own_target(module_of(".version 8.0\n.target sm_90a", kFence)).empty());
    for (const char* head :
         {".version 8.0\n.target sm_90", ".version 8.8\n.target sm_100a", ".version 8.8\n.target sm_120"})
        EXPECT_EQ(check_own_target(module_of(head, kFence)).size(), 1u) << head;
    const auto module = module_of(".version 8.0\n.target sm_90a", kFence);
    EXPECT_TRUE(missing_on(module, 90).empty());
    for (const std::uint32_t capability : {80u, 89u, 100u, 120u}) {
        const auto missing = missing_on(module, capability);
        ASSERT_EQ(missing.size(), 1u) << capability;
        EXPECT_EQ(missing[0].what, "'wgmma.fence.sync.aligned'");
    }
}

TEST(Targets, SpecialRegisterNewerThanTargetIsRefusedByName) {
    constexpr const char* kRank = ".reg .b32 %r<4>;\nmov.u32 %r1, %cluster_ctarank;";
    const auto errors = check_own_target(module_of(".version 7.8\n.target sm_80", kRank));
    ASSERT_EQ(errors.size(), 1u) << render(errors);
    EXPECT_NE(errors[0].message.find("'%cluster_ctarank' needs .target sm_90"), std::string::npos) << errors[0].message;
}

TEST(Targets, LimitsReplaceTheHeadOfTheText) {
    const TargetLimits limits{{90, 'a'}, kNewestPtx};
    EXPECT_TRUE(
        check_own_target(module_of(".version 7.5\n.target sm_80", "wgmma.fence.sync.aligned;"), limits).empty());
}

TEST(Targets, OneSpellingIsToldOnce) {
    const std::string twice = std::string(kRedux) + "\nredux.sync.add.s32 %r2, 1, 0xffffffff;";
    const auto errors = check_own_target(module_of(".version 7.0\n.target sm_75", twice));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].message.find("(2 places)"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::isa
