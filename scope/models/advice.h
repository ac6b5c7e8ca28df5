// Advice: what a launch's counts say could be done better, and what that would save.
//
// Owns: the table of rules and advise(). Guarantees: a pure function of a profile and a device. Where the launch has a
// modelled time, what a piece of advice saves is that time less the time model's with the change made: one figure, by
// which advice is ranked and left out. Where it has none, the least times at the device's peak rates stand for it
// (bounds.h). Advice worth less than kLeastShare of the launch is not given, except where a rule says that it judges
// effort rather than time; those may have a speedup of 1. Savings that a launch of few blocks cannot show are told with
// what they come to on a full device. One piece of advice is one change, in however many lines.
// Does not model: which of several pieces of advice exclude each other; what a change costs in registers or in code.
// docs/guide/advice.md says for each rule what it looks at and what it cannot know.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// Of the launch's modelled time: below, a change drowns in what differs from run to run and from the model to the
// truth.
inline constexpr double kLeastShare = 0.03;
// The same where no time is modelled: bounds are further from the truth.
inline constexpr double kLeastSpeedup = 1.05;
// A hundredth of what starting a kernel takes (some 2 microseconds): nothing that saves less can be seen.
inline constexpr double kLeastSeconds = 20e-9;
// A twentieth of what a launch takes at least: what saves less is told with what it would save on a full device.
inline constexpr double kSeenSeconds = 0.2e-6;
inline constexpr std::size_t kMaxAdvice = 5;

struct Case;  // advice_rules.h
struct Finding;

struct AdviceRule {
    AdviceKind kind;         // as in Advice::rule
    std::string_view looks;  // what it looks for
    std::vector<Finding> (*find)(const Case&);
};

std::span<const AdviceRule> advice_rules();

// The most rewarding first. Nothing for a launch that was not observed or that faulted.
std::vector<Advice> advise(const LaunchProfile& launch, const Device& device);

}  // namespace tilescope::models
