// The journal of a run: a profile in the making, written line by line so that whatever ends the program leaves what
// finished before.
//
// Owns: JournalWriter and read_journal(). Each line is a JSON object with one key that says what it holds; lines are
// only ever added. A line that was cut off by the program's end is ignored.
// Several processes may write: what one writes at a time begins with an empty line, which ends whatever another one was
// cut off in, and a line that says whose it is. Their launches follow each other process by process, in the order in
// which these began; so do their time lines, as processes take turns on a device.
// A launch that came out as an earlier one did is told in a line that names it: programs make thousands of them.
// Guarantees: reading is safe on any bytes; what was written comes back as the same profile.
// Does not model: where the lines go (scope/runtime/service/journal_file.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/profile.h"

namespace tilescope::report {

// Tells what is new of a profile that grows.
class JournalWriter {
public:
    // Lines for what came since the last call.
    std::string news(const Profile& profile);
    // The profile has no more those launches of which lines were made.
    void launches_were_dropped() { launches_ = 0; }

private:
    std::string launch_line(const LaunchProfile& launch);
    std::string work_lines(const Profile& profile);
    std::string begin_line(const UnfinishedLaunch& launch);
    std::string code_lines(const Profile& profile);

    // Launches that were written in full, for those that come out the same.
    std::vector<LaunchProfile> recent_;
    std::size_t next_recent_ = 0;
    bool begun_ = false, traced_ = false;
    std::vector<bool> code_;  // whether it was one of several when it was written
    std::size_t launches_ = 0, diagnostics_ = 0;
    std::vector<std::uint64_t> hazards_;    // counts as they were written
    std::vector<std::uint64_t> transfers_;  // likewise
    std::size_t spans_ = 0;
    std::optional<PageReport> pages_;       // as it was written
    std::optional<TimelineTotals> totals_;  // likewise
    std::optional<EventTimes> event_times_;
    Outcome outcome_ = Outcome::kOk;
    std::optional<UnfinishedLaunch> under_way_;  // that was written in full
    std::optional<std::uint32_t> begun_launch_;
};

// The first line of each process that writes: who it is.
std::string process_line(const ProcessOfRun& process);
// What whatever a process writes at a time begins with. `writer`: no other process, and no other program of the same
// process, has it; no quotes.
std::string writer_lines(std::string_view writer);
// One that stands for itself, from whoever has no profile.
std::string diagnostic_line(const Diagnostic& diagnostic);
// A failed call by the number that its writer gave it; a later line of the same number replaces the earlier one.
std::string failed_call_line(std::uint32_t number, const FailedCall& failed);

// The process that began the journal; nothing where none did.
std::optional<int> first_process(std::string_view journal);

// The profile as far as it came, without `ended`. An error where a line is none of these.
Result<Profile> read_journal(std::string_view journal, const std::string& name);

}  // namespace tilescope::report
