// Lesson: what a folder of lessons/ holds (lessons/README.md is the format), or a file of claims
// (docs/guide/explorers.md).
//
// Owns: Lesson, the reading of lesson.json and of claims in TOML, and the search for lessons. Guarantees: reading is
// safe on any bytes; every error names the file, the part of it and what to do; a lesson that reads has expressions
// that parse, and names only runs that it has. Does not model: what claims come to (check.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/expression.h"

namespace tilescope::lessons {

// The lesson's program under `tilescope run`, or another command.
struct Run {
    std::string name;
    std::vector<std::string> command;  // empty: the program
    std::vector<std::string> arguments, defines, options;
    int status = 0;
    std::string program;  // beside the file, instead of the lesson's
    std::string kernel;   // "": the first launch
    unsigned launch = 0;  // of those that `kernel` selects
};

// A number by itself, or an expression that comes to one.
struct Expected {
    report::Value value;
    std::optional<report::Expression> expression;
};

struct Claim {
    std::vector<std::string> rows;
    std::string says, truth, source, unit;
    bool wrong = false, exercise = false;
    std::string run, kernel;  // kernel: instead of the run's
    std::optional<unsigned> launch;
    report::Expression value;
    std::optional<Expected> expected, at_least, at_most, claimed;
    double within = 0;
    bool relative = false;  // `within` is a share of what is expected
    std::string place;      // "claims[3]", for messages
};

enum class PictureKind : std::uint8_t { kRoofline, kOccupancy, kPhases, kRequest, kBanks, kCurve };

struct CurvePoint {
    std::string run;
    double x = 0;
    report::Expression value;
};

struct Picture {
    std::string name, title;
    PictureKind kind = PictureKind::kRoofline;
    std::vector<std::string> runs;
    std::string device;  // of a roofline over runs
    std::string line;    // of a request or banks
    std::string array;   // the same; "": the first that the line touches
    std::string x, y;    // titles of a curve's axes
    std::vector<CurvePoint> points;
};

struct Time {
    std::string says, run;
    report::Expression measured, modelled;
    std::optional<double> h200;
    std::string date;
};

struct Lesson {
    std::filesystem::path folder;  // as found
    std::string name;              // "01_intensity", or the file's
    std::string title, question;
    std::string program_name;  // instead of the one that the folder's name says
    std::vector<Run> runs;
    std::vector<Claim> claims;  // exercises last
    std::vector<std::string> remember;
    std::vector<Picture> pictures;
    std::vector<Time> times;

    std::filesystem::path program() const;  // the .cu file
    std::filesystem::path program(const Run& run) const;
    std::filesystem::path program_of(std::string_view run) const;  // by name; the lesson's where there is none
    const Run* run(std::string_view name) const;
    std::vector<std::string> rows() const;  // that claims prove, once each, in their order
};

// "01_intensity" to "intensity".
std::string_view word_of(std::string_view name);

// `file` is for messages; `name` is the folder's.
Result<Lesson> parse_lesson(std::string_view json, const std::string& file, const std::string& name);
Result<Lesson> read_lesson(const std::filesystem::path& folder);

// Claims of anybody's notes, as TOML: the keys of a lesson of which most may be missing. Each error names the line.
Result<Lesson> parse_claims(std::string_view toml, const std::string& file);
Result<Lesson> read_claims(const std::filesystem::path& file);

// Folders in `root` that have a lesson's name (two digits, '_', a word), sorted.
std::vector<std::filesystem::path> lesson_folders(const std::filesystem::path& root);
// The one that "1", "01", "intensity" or "01_intensity" means; "lessons-unknown" with the nearest name otherwise.
Result<std::filesystem::path> find_lesson(const std::filesystem::path& root, const std::string& which);

}  // namespace tilescope::lessons
