// Parts of a comparison's document. For comparison.cpp and compared_launch.cpp alone.
#pragma once

#include <string>
#include <vector>

#include "scope/report/comparison.h"
#include "scope/views/document/document.h"

namespace tilescope::views {

using namespace report;  // what is shown

// "before → after", or what both are.
std::string both_text(const std::string& before, const std::string& after);
// "gone", "new", or nothing.
std::string word_of(Presence presence);
// "bound: L1/shared → DRAM"; what it is where it did not change.
std::string bound_text(const ComparedTime& time);
// Before, after, by how much and how many times as fast.
std::vector<Value> values_of(const ComparedTime& time);

// What of a launch's findings, or of the program's, is gone, new or changed.
void add_compared_advice(const std::vector<ComparedFinding>& advice, std::vector<Row>& rows);
void add_compared_hazards(const std::vector<ComparedFinding>& hazards, const NotCompared& others,
                          std::vector<Row>& rows);
// Two launches: time, findings, figures, lines.
Section compared_section(const ComparedLaunch& launch);

}  // namespace tilescope::views
