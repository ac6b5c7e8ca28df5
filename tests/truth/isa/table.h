// The table of what hardware gave for single instructions: reading it, comparing with it, writing what is ours.
//
// A line is: origin, tolerance, instruction, and a column of outputs for each result, with tabs between.
//
//   h200 <tab> 4 ulp or 1e-6 <tab> sin.approx.f32 =f32, angle <tab> 0 80000000 fff7ffff ...
//
// Origin: `h200`, what the device in the head of the file gave, or `ours`, what the emulator gave, for want of a
// device. Tolerance: `exact` (bit for bit), `any nan`, `2 ulp` or `2 ulp or 5e-4`; all but `exact` take any NaN for
// another. Instruction: PTX, several with `;`, where `=type` stands for a result, `~type` for a register that nobody
// looks at, and the name of a list for a value of it: lane 0 takes the list's first, or the sixth of `list+5`.
// `low:high` is 128 bits of two lists. All else is itself. `__nv_...` is called. Outputs: lane by lane, hexadecimal;
// V*N is N times V.
//
// Guarantees: what does not read is a problem with its line, nothing is skipped; lines of hardware are never rewritten.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/values.h"
#include "tests/places.h"

namespace tilescope::truth {

inline constexpr unsigned kLanes = 16;

// The file of the table.
inline std::string table_file() { return source_dir() + "/tests/truth/isa/h200.tsv"; }

struct Bits {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Bits&) const = default;
};

using Lanes = std::vector<Bits>;  // kLanes of them

struct ValueList {
    std::string name, type;
    std::vector<std::uint64_t> values;  // kLanes of them
};

// Bits of a type by its PTX name, or pred, f16x2, bf16x2; 0 for other words.
unsigned bits_of(std::string_view type);

// One word of an instruction or what stands between two.
struct Word {
    enum class Use { kText, kResult, kScratch, kInput } use = Use::kText;
    std::string text;  // kText: as it stands; kResult and kScratch: the type
    struct Source {
        const ValueList* list = nullptr;
        unsigned turn = 0;  // elements that lane 0 begins behind the first
    };
    std::vector<Source> sources;  // kInput: one, or the low and the high half
};

enum class Origin { kHardware, kOurs };

struct Closeness {
    bool any_nan = false;
    golden::Tolerance within;
};

struct Line {
    std::size_t number = 0;  // in the file, counted from 1
    Origin origin = Origin::kOurs;
    Closeness closeness;
    std::string instruction;
    std::vector<Word> words;
    std::vector<std::string> results;  // types
    std::vector<Lanes> outputs;        // as many as results; none yet in a line of ours that is new
};

struct Table {
    std::string text;
    std::map<std::string, std::string, std::less<>> facts;  // device, driver, cuda, date
    std::map<std::string, ValueList, std::less<>> lists;
    std::vector<Line> lines;
    std::vector<std::string> problems;
};

Table read_table(std::string text);
std::string text_of_file(const std::string& path);

// What a line is about: the opcode of the first instruction that has a result, or "device_library".
std::string opcode_of(const Line& line);

bool is_close(std::string_view type, const Bits& wanted, const Bits& got, const Closeness& closeness);
std::string print_lanes(const Lanes& lanes);

// The table's text with outputs put into one line; nothing when that line is not ours.
std::optional<std::string> with_outputs(const Table& table, const Line& line, const std::vector<Lanes>& outputs);

}  // namespace tilescope::truth
