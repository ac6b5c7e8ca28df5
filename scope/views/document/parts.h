// The parts of a document, each from its part of a profile. For document.cpp and launch.cpp alone.
#pragma once

#include <string>
#include <vector>

#include "scope/report/source_text.h"
#include "scope/views/document/document.h"
#include "scope/views/document/groups.h"

namespace tilescope::views {

using namespace report;  // what is shown

// What the sections of one document share.
struct DocumentContext {
    const Profile& profile;
    const DocumentOptions& options;
    SourceText& sources;
    const LaunchProfile* baseline = nullptr;  // the first launch shown, to compare the later ones with
};

// A launch that `count` others are like.
Section launch_section(DocumentContext& context, const LaunchGroup& group);

// What a reader has to know first of a launch: its time and what binds it, how busy the units are, the best remedy.
void add_lead(const LaunchProfile& launch, std::vector<Row>& rows);
// The same of a program that spends most of its time on something else than kernels.
void add_program_lead(const Profile& profile, std::vector<Row>& rows);

// What kernels did beside what they asked for: a row of intensity, and of padding where that is worth one.
void add_intensity(const DocumentContext& context, const LaunchProfile& launch, std::vector<Row>& rows);
// What each request took, memory by memory: rows of a table.
void add_global_requests(const LaunchProfile& launch, std::vector<Row>& rows);
void add_shared_requests(const LaunchProfile& launch, std::vector<Row>& rows);
void add_local_requests(const LaunchProfile& launch, std::vector<Row>& rows);
void add_constant_requests(const LaunchProfile& launch, std::vector<Row>& rows);
void add_texel_requests(const LaunchProfile& launch, std::vector<Row>& rows);
void add_lanes(const LaunchProfile& launch, std::vector<Row>& rows);
// What tiling could save; beside shared memory that is not used its row says it.
std::string reuse_text(const LaunchProfile& launch);
// What caches had and missed, by launch and by buffer.
void add_caches(const LaunchProfile& launch, std::vector<Row>& rows);
// "L1 93 % first touch, 7 % capacity; L2 all first touch"; empty when nothing was missed.
std::string misses_text(const CounterSet& counters);
bool is_worth_reasons(const LaunchProfile& launch, const LineProfile& line);
// Blocks and warps on an SM, waves, how even SMs have it, and the next step.
void add_occupancy(const LaunchProfile& launch, std::vector<Row>& rows);
// What the time is spent on, part by part.
void add_time(const LaunchProfile& launch, std::vector<Row>& rows);
// What its instructions are, and what its bytes cost.
void add_instructions(const LaunchProfile& launch, std::vector<Row>& rows);
void add_energy(const LaunchProfile& launch, std::vector<Row>& rows);
void add_variables(const LaunchProfile& launch, std::vector<Row>& rows);
void add_hazards(const LaunchProfile& launch, std::vector<Row>& rows);
void add_hot_lines(DocumentContext& context, const LaunchProfile& launch, std::vector<Row>& rows);
// `microseconds`: that a launch or a program takes, if that is known. saved_of: "≈ 11.7 of 19.0 µs".
Value saved_of(const Advice& advice, std::optional<double> microseconds);
void add_advice(const std::vector<Advice>& all, std::optional<double> microseconds, std::vector<Row>& rows);

// Nothing for a program that copies nothing.
void add_work(const Profile& profile, std::vector<Section>& sections);

// `is_of_some`: its count is that of some of the launches that are one entry.
Row hazard_row(const Hazard& hazard, bool is_of_some = false);

}  // namespace tilescope::views
