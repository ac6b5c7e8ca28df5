// What is good, what is poor, and why: every threshold by which a report judges a launch.
//
// Guarantees: pure functions of counts; enums and figures, never words. views/document asks them; what prints asks
// nobody.
// Does not model: what a change would bring. That is advice.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::models {

enum class Grade : std::uint8_t { kNone, kGood, kPoor };
enum class Why : std::uint8_t {
    kNone,
    kScattered,        // requests take more sectors than their bytes need
    kBanksMeet,        // lanes meet in a bank
    kAddressesDiffer,  // lanes ask a broadcast memory for different addresses
    kConstantsMiss,    // the SM's cache for constants does not hold them
    kLanesIdle,        // warps run with part of their lanes
    kBranchesPart,     // branches send lanes of one warp two ways
};
std::string_view name_of(Grade grade);
std::string_view name_of(Why why);

struct Verdict {
    Grade grade = Grade::kNone;
    Why why = Why::kNone;
    bool is_poor() const { return grade == Grade::kPoor; }
};

// Sectors that a request takes, beside what its bytes would need; an ideal of 0 is not known.
Verdict sectors_verdict(double each, double ideal);
// Whether requests that spread over lines leave much of each: sectors a line, of four.
bool is_line_left(std::uint64_t sectors, std::uint64_t lines, std::uint64_t requests);
Verdict bank_verdict(std::uint64_t conflicts);
Verdict constant_verdict(double passes_per_request);
Verdict constant_cache_verdict(double hit_rate);
// Of a launch's lanes; good ones are what everybody expects and need no word.
Verdict lanes_verdict(const CounterSet& counters);

// What a block's loads ask for more than once.
enum class ReuseVerdict : std::uint8_t {
    kUnknown,
    kNone,            // no byte is asked for twice
    kLittle,          // hardly any: what edges of tiles come to is no potential
    kOwn,             // by one thread mostly, over and over in memory
    kOwnInRegisters,  // the same, where registers could keep it
    kEven,            // by several threads, all buffers alike
    kUneven,          // by several threads, some buffers more than others
};
ReuseVerdict reuse_verdict(const LaunchProfile& launch);
// From how many times on a byte asked for is asked for again.
inline constexpr double kAskedAgain = 1.1;

// What binds a launch: the largest part of its modelled time, which every view goes by. A place under a roofline says
// how far away the roofs are, never what a launch is spent on.
LaunchBinding binding_of(const TimeProfile& time);
// Whether the side of the ridge that a launch stands on says what binds it: not where its modelled time says otherwise.
bool does_ridge_decide(const LaunchProfile& launch, bool is_beyond);

// Whether occupancy is low enough for more warps to be worth a thought.
bool is_occupancy_low(double occupancy);

// Of the launch's arithmetic, whether a type's part is large enough to be named, and whether its padding is.
bool is_worth_naming(std::uint64_t flop, std::uint64_t all);
bool is_padding_seen(std::uint64_t padded, std::uint64_t all);
// Of what lines load and put into tiles, the share that is no data: where tiles hang over an edge. 0: none to speak of.
double unfilled_share(const LaunchProfile& launch);
// How many times the intensity of the first launch this one has; 0 where it is other work, or hardly differs.
double intensity_gain(const LaunchProfile& launch, const LaunchProfile& first);

// Shares of misses, or of bytes, that need not be named, that are most of all, and of a line's that explain a launch.
bool is_share_seen(double share);
bool is_share_most(double share);
// Whether the line's loads miss so much of what the launch's do, and that again, that its reasons are worth a row.
bool is_worth_reasons(std::uint64_t its_misses, std::uint64_t its_first_touches, std::uint64_t all_misses);

// Whether so many launches of a kernel, whose shares of hits differ by so much at most, are worth a curve.
bool is_worth_curve(std::size_t launches, double difference);

// Whether a unit is so near its peak that it holds a launch up, and whether a part of a time is worth naming.
bool is_near_peak(double share);
bool is_part_seen(double share);

// What a program's time line is spent on for the most part.
enum class ProgramRuler : std::uint8_t { kKernels, kCopies, kPages, kIdle };
// What each of them takes, in the order of the enumeration: microseconds that add up to the whole line. Nothing without
// a time line.
struct ProgramPart {
    ProgramRuler what = ProgramRuler::kKernels;
    double microseconds = 0;
};
std::optional<std::array<ProgramPart, 4>> program_parts(const Profile& profile);
std::string_view name_of(ProgramRuler ruler);
struct ProgramVerdict {
    ProgramRuler ruler = ProgramRuler::kKernels;
    double microseconds = 0, share = 0;  // what it takes, and of the whole line
    double kernels = 0;                  // what they take without waiting for pages
};
// Nothing without a time line, or where nothing takes most of it. What copies hide behind kernels is the kernels'; what
// waits for pages of managed memory is theirs, whoever waits; what is left, nobody uses the device.
std::optional<ProgramVerdict> program_verdict(const Profile& profile);

// Whether advice promises less time (else it spares effort), and whether its modelled time can be told.
bool promises_speed(const Advice& advice);
bool tells_time(const Advice& advice);

}  // namespace tilescope::models
