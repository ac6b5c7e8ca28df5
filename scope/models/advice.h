// Advice: what a launch's counts say could be done better, and what that would save at most.
//
// Owns: the table of rules and advise(). Guarantees: a pure function of a profile and a device. What an advice saves in
// bytes is traffic that the launch would not have; its speedup is the launch's least time (bounds.h) over that of the
// same work without what is saved, so it is an upper bound: caches may catch part of what is saved, and the launch may
// be bound by something that these bounds do not know. Advice worth less than kLeastSpeedup is not given, except where
// a rule says that it judges effort rather than time; those may have a speedup of 1. Savings that a launch of few
// blocks cannot show are told with what they come to on a full device.
// Does not model: which of several pieces of advice exclude each other; what a change costs in registers or in code.
// docs/ADVICE.md says for each rule what it looks at and what it cannot know.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// Below 5 % a change drowns in what differs from run to run and from the bounds to the truth.
inline constexpr double kLeastSpeedup = 1.05;
// A hundredth of what starting a kernel takes (some 2 microseconds): nothing that saves less can be seen.
inline constexpr double kLeastSeconds = 20e-9;
// A twentieth of what a launch takes at least: what saves less is told with what it would save on a full device.
inline constexpr double kSeenSeconds = 0.2e-6;
inline constexpr std::size_t kMaxAdvice = 5, kMaxLinesPerRule = 2;

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
