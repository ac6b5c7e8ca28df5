#include "scope/report/clean.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scope/report/comparison.h"
#include "scope/report/fold.h"
#include "scope/report/journal.h"
#include "scope/report/json.h"
#include "scope/views/render/comparison_view.h"
#include "scope/views/view.h"
#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

// Title of the window, a line of its own, a byte that some terminals take for the begin of a command.
const std::string kEvil =
    "\x1b]0;owned\x07\rgone\x7f \xc2\x9b"
    "2J\u202e";

bool is_clean(const std::string& text) {
    for (const char* bad : {"\x7f", "\xc2\x9b", "\u202e"})
        if (text.find(bad) != std::string::npos) return false;
    return std::none_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\t';
    });
}

// The sample with that in every name and sentence that comes from elsewhere.
Profile evil_profile() {
    Profile profile = sample_profile();
    for (std::string* text : {&profile.program, &profile.compiler, &profile.device, &profile.ended}) *text += kEvil;
    for (LaunchProfile& launch : profile.launches) {
        for (std::string* text : {&launch.kernel, &launch.entry}) *text += kEvil;
        for (LineProfile& line : launch.lines) line.file += kEvil, line.shared_variable += kEvil;
        for (Variable& variable : launch.variables) variable.name += kEvil;
        for (CachedBuffer& buffer : launch.cached_buffers) buffer.name += kEvil;
        for (BufferReuse& buffer : launch.buffers) buffer.name += kEvil;
        for (Advice& advice : launch.advice) advice.file += kEvil, advice.message += kEvil;
        for (Hazard& hazard : launch.hazards)
            for (std::string* text : {&hazard.file, &hazard.other_file, &hazard.kernel, &hazard.message, &hazard.hint})
                *text += kEvil;
    }
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.line = 3;
    hazard.file = hazard.message = hazard.hint = kEvil;
    HazardFacts& facts = hazard.facts;
    for (std::string* text : {&facts.act.function, &facts.other.at.file, &facts.memory.name, &facts.from.allocated.file,
                              &facts.stored.function, &facts.option})
        *text = kEvil;
    profile.hazards.push_back(hazard);
    FailedCall failed;
    failed.call = failed.error = failed.reason = failed.kernel = failed.file = kEvil;
    failed.line = 3;
    profile.failed_calls.push_back(failed);
    Transfer transfer;
    transfer.file = kEvil;
    profile.transfers.push_back(transfer);
    BudgetResult budget;
    budget.budget = budget.kernel = budget.values = kEvil;
    profile.budgets.push_back(budget);
    profile.unfinished.emplace().kernel = kEvil;
    profile.diagnostics.push_back(error(kEvil, {kEvil, 1, 0}, kEvil, kEvil));
    return profile;
}

TEST(Clean, EveryViewOfAStrangersProfileIsSafeToPrint) {
    const auto profile = from_json(to_json(evil_profile()), "p.json");
    ASSERT_TRUE(profile) << render(profile.errors());
    EXPECT_TRUE(is_clean(to_json(*profile)));
    for (const bool verbose : {false, true})
        for (const views::View& view : views::all_views()) {
            views::ViewOptions options;
            options.verbose = verbose;
            const std::string text = view.render(*profile, options);
            EXPECT_TRUE(is_clean(text)) << view.name << "\n" << text;
            EXPECT_TRUE(is_clean(view.render(fold(*profile), options))) << view.name;
        }
    EXPECT_TRUE(is_clean(views::comparison_text(compare(*profile, *profile), {})));
    EXPECT_TRUE(is_clean(views::comparison_json(compare(*profile, *profile))));
}

TEST(Clean, SoIsAProfileOutOfAJournalOrOfThisProcess) {
    JournalWriter writer;
    const Profile evil = evil_profile();
    auto read = read_journal(writer.news(evil) + failed_call_line(0, evil.failed_calls.back()), "journal");
    ASSERT_TRUE(read) << render(read.errors());
    EXPECT_TRUE(is_clean(to_json(*read)));
    EXPECT_EQ(read->launches.size(), evil.launches.size());
    Profile own = evil;
    clean(own);
    EXPECT_TRUE(is_clean(to_json(own)));
    EXPECT_EQ(own.hazards.back().message, "\\x1b]0;owned\\x07\\x0dgone\\x7f \\x9b2J\\u202e");
}

TEST(Clean, WhatIsCleanStaysAsItIs) {
    Profile profile = sample_profile();
    clean(profile);
    EXPECT_EQ(to_json(profile), to_json(sample_profile()));
}

}  // namespace
}  // namespace tilescope::report
