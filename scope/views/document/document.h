// Document: what a report says, as data. Sections of rows, each with label, values, unit, verdict, source and place.
//
// Owns: Value, Row, Section, Document, and how a profile becomes one. Guarantees: a document has everything that any
// renderer shows, also what a short report leaves out (Shown says which); it depends on no width, no colour and no
// renderer; strings are safe to print (report::printable()). A renderer loops over rows by kind and unit and names no
// counter.
// Does not model: anything. Counts are the profile's, what is good or poor is models/verdicts.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scope/models/verdicts.h"
#include "scope/report/chart.h"
#include "scope/report/enums.h"
#include "scope/report/profile.h"
#include "scope/views/document/units.h"

namespace tilescope::views {

using report::name_of;

// One figure. `lead` and `tail` are the words around it in a sentence: "at most" 2.0× "faster".
struct Value {
    std::string_view name;  // for programs: "sectors_per_request"
    std::variant<std::uint64_t, double, std::string> amount;
    Unit unit = Unit::kNone;
    std::optional<double> ideal{};  // what would do, in the same unit
    std::string lead{}, tail{};
    bool matters = false;  // more than those beside it
};

struct Place {
    std::string file;  // as the compiler recorded it
    std::uint32_t line = 0;
    std::string who{};  // of an access: "block (0, 0, 0) thread (1, 0, 0)"
};

// How sure a row's figures are. What the counters say themselves stands in report/counters.h.
enum class RowSource : std::uint8_t { kCounted, kMachineCode, kModelled, kEstimated };
std::string_view name_of(RowSource source);   // in the data of a page
std::string_view words_of(RowSource source);  // as a text shows it: "modeled"

enum class RowKind : std::uint8_t {
    kFigures,  // values side by side: what each request takes, how many in all, and the line where most of it is
    kWords,    // a sentence; its figures stand in `values` once more
    kTable,    // `rows` are lines of a table with `columns`
    kList,     // values one after another
    kCode,     // a line of the program's source, and its share of the launch
    kPeaks,    // how busy each unit is, one after another in a line; those that matter are marked
    kRemedy,   // rule, place, worth and as much of its sentence as a line holds
    kAdvice,   // rule, worth, place and sentence
    kHazard,   // what happened, both ends, remedy
};
std::string_view name_of(RowKind kind);

// Who is shown a row.
enum class Shown : std::uint8_t { kAlways, kInFull, kInShort };

// What follows the first clause of a sentence.
enum class ClauseJoin : std::uint8_t {
    kAside,  // right behind it; where it does not fit the line, it is left out
    kThen,   // behind "; ", or on a line of its own
    kAnd,    // behind ", ", or on a line of its own
};
// What stands between a clause and what is before it: "; ".
std::string_view separator(ClauseJoin join);
struct Clause {
    ClauseJoin join = ClauseJoin::kThen;
    std::string text;
};

struct Row {
    RowKind kind = RowKind::kWords;
    std::string_view key;  // for programs: "global_loads"
    std::string label;     // empty: it goes on with the row before
    std::string text{};
    std::vector<Clause> clauses{};
    bool may_cut = false;  // where the text does not fit it is cut off; else it is broken
    bool is_part = false;  // of the row before, whose source is its own, too
    bool leads = false;    // its section begins with it: what a reader has to know first
    Shown shown = Shown::kAlways;
    std::vector<Value> values{};
    models::Verdict verdict{};
    RowSource source = RowSource::kCounted;
    std::vector<Place> places{};
    std::string remedy{};  // of a hazard
    Severity severity = Severity::kError;
    std::vector<std::string> columns{};  // of a table: its label column, then one for each value
    std::vector<Row> rows{};
    std::uint64_t left_out = 0;  // rows like those before, of which the profile that was read has no more than a number
};

enum class SectionKind : std::uint8_t {
    kHead,     // of the program and the run
    kLaunch,   // launches of one kernel that a reader would call the same
    kWork,     // between host and device
    kNote,     // one remark; the title says it
    kFinding,  // a hazard of host code
};
std::string_view name_of(SectionKind kind);

struct Section {
    SectionKind kind = SectionKind::kLaunch;
    std::string title;
    std::string times{};                    // "(30 times)", of launches
    std::optional<std::uint32_t> launch{};  // its number in the profile
    std::vector<Value> facts{};
    std::vector<Row> rows{};
};

struct Document {
    std::vector<Section> sections;
    std::vector<report::Chart> charts;  // of launches of one kernel that differ
};

// FLOP per byte at which tensor cores, or halves without them, turn from memory-bound to compute-bound; 0: not known.
struct TensorRidges {
    double fp16 = 0, bf16 = 0, tf32 = 0, fp8 = 0, fp64 = 0, halves = 0;
};

struct DocumentOptions {
    bool every_launch = false;  // else past a screenful launches of one kernel have one section together
    // FLOP per byte at which the device turns from memory-bound to compute-bound; 0: not known.
    double ridge_fp32 = 0, ridge_fp64 = 0;
    std::vector<std::string> source_directories;  // where sources may lie, beside their recorded names
    TensorRidges tensor_ridges{};
    bool functions_assumed =
        false;  // approximate functions were not compared with this device's (docs/internals/rules)
};

Document document_of(const Profile& profile, const DocumentOptions& options);

}  // namespace tilescope::views
