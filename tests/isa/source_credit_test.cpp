#include "scope/isa/lower/source_credit.h"

#include <gtest/gtest.h>

namespace tilescope::isa {
namespace {

const std::vector<ptx::File> kFiles = {{1, "/home/me/a.cu", {}, {}},
                                       {2, "/usr/local/cuda/include/cooperative_groups.h", {}, {}},
                                       {3, "/usr/local/cuda/include/details/helpers.h", {}, {}},
                                       {4, "/home/me/mine.h", {}, {}}};

ptx::Loc plain(std::uint32_t file, std::uint32_t line, std::uint32_t column) {
    return {file, line, column, {}, 0, 0, 0, 0};
}
ptx::Loc inlined(const ptx::Loc& what, const ptx::Loc& at) {
    return {what.file, what.line, what.column, "$L__info_string0", 0, at.file, at.line, at.column};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> credited(const std::vector<ptx::Loc>& locs) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
    for (const CreditedLine& line : credit_lines(locs, kFiles)) lines.emplace_back(line.file, line.line);
    return lines;
}

using Lines = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(SourceCredit, ALibrarysLinesGoToTheUsersLineHoweverDeep) {
    const ptx::Loc user = plain(1, 10, 9), outer = plain(2, 897, 16), inner = plain(3, 440, 9);
    EXPECT_EQ(credited({user, inlined(outer, user), inlined(inner, outer)}), (Lines{{1, 10}, {1, 10}, {1, 10}}));
}

TEST(SourceCredit, ASecondCallOfTheSameHelperGoesToItsOwnLine) {
    const ptx::Loc first = plain(1, 10, 9), second = plain(1, 20, 9), outer = plain(2, 897, 16),
                   inner = plain(3, 440, 9);
    EXPECT_EQ(credited({first, inlined(outer, first), inlined(inner, outer), second, inlined(outer, second),
                        inlined(inner, outer)}),
              (Lines{{1, 10}, {1, 10}, {1, 10}, {1, 20}, {1, 20}, {1, 20}}));
}

TEST(SourceCredit, AUsersOwnHelpersKeepTheirLines) {
    const ptx::Loc user = plain(1, 10, 9), helper = plain(4, 5, 3), library = plain(2, 7, 1);
    EXPECT_EQ(credited({user, inlined(helper, user), inlined(library, helper)}), (Lines{{1, 10}, {4, 5}, {4, 5}}));
}

TEST(SourceCredit, WhatNobodyInlinedStaysWhereItIs) {
    const ptx::Loc library = plain(2, 7, 1), lost = inlined(plain(3, 1, 1), plain(2, 99, 1));
    EXPECT_EQ(credited({library, lost}), (Lines{{2, 7}, {3, 1}}));
    EXPECT_EQ(credited({inlined(library, plain(1, 4, 4))}), (Lines{{1, 4}}));
}

TEST(SourceCredit, MergedAccessGetsTheLineBeforeIt) {
    const auto lines = credit_lines({plain(1, 0, 0), plain(1, 16, 9), plain(1, 0, 0), plain(1, 18, 9)}, kFiles);
    EXPECT_EQ(credited_line(lines, 2, true).line, 16u);
    EXPECT_EQ(credited_line(lines, 2, false).line, 0u);
    EXPECT_EQ(credited_line(lines, 3, true).line, 18u);
    EXPECT_EQ(credited_line(lines, 0, true).line, 0u);  // nothing is before it
}

}  // namespace
}  // namespace tilescope::isa
