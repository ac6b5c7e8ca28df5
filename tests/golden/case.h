// A golden file: PTX whose leading comments say how to launch it and what must come out.
//
//   // launch: KERNEL grid=2,1,1 block=64,1,1 shared=0 stack=1024 max-instructions=0   starts a case; the lines below
//                                   belong to it
//   // launch: KERNEL measured=NVIDIA-H200,580.159.04,2026-11-22    its expectations are what that device gave
//   // arg: u32=5                      a scalar            // arg: value:u32[3]=1 2 3      bytes of a structure
//   // arg: buffer:u32[64]=iota        device memory       // arg: buffer:f32[4]=1 2 0f7fffffff -0
//   // expect: arg 1 = 0 1 2           what buffer argument 1 (counted from 0) holds afterwards, whole
//   // expect: arg 1 within 2 ulp = …    or "within 2 ulp or 1e-6": either will do
//   // counter: global_load_sectors = 8
//   // fault: out-of-bounds line 17    the hazard that ends the launch, and its line in this file
//   // hazard: out-of-bounds line 17   one that ends no launch, as on a card, and is told all the same
//   // error: isa-unsupported-instruction line 12     an error at load, one line for each
// A long list goes on in lines that start with "//" and four spaces. A case without fault or error must end well.
// scripts/check_goldens_on_gpu.py writes `measured`, and nothing of ours writes over such expectations.
// Other comments are just that. A directive that does not read is an error: nothing is skipped silently.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/report/counters.h"
#include "tests/golden/values.h"

namespace tilescope::golden {

// Where a directive stands, so that it can be rewritten: lines counted from 0.
struct Place {
    std::size_t first = 0, lines = 0;
};

struct Argument {
    bool is_buffer = false;
    ValueType type;
    std::vector<std::byte> bytes;
};

struct Expectation {
    Place place;
    std::size_t argument = 0;
    std::string tolerance;  // as written: "", "within 2 ulp", "within 2 ulp or 1e-6"
    Tolerance within;
    std::string values;
};

struct CounterLine {
    Place place;
    Counter counter = Counter::kCount;
    std::uint64_t value = 0;
};

// A fault's kind or an error's code, with its line.
struct Failure {
    Place place;
    std::string what;
    std::uint32_t line = 0;
};

struct Case {
    std::string kernel;
    std::string measured;  // device, driver and date that the expectations are from; "" when they are ours
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint64_t shared_bytes = 0, max_instructions = 0, stack_bytes = 0;  // 0: CUDA's default
    std::vector<Argument> arguments;
    std::vector<Expectation> expectations;
    std::vector<CounterLine> counters;
    std::vector<Failure> faults, hazards, errors;
};

struct GoldenFile {
    std::string path, text;
    std::vector<std::string> lines;
    std::vector<Case> cases;
    std::vector<std::string> problems;  // directives that did not read
};

GoldenFile read_golden(const std::string& path);

// All .ptx files below `folder`, sorted.
std::vector<std::string> golden_files(const std::string& folder);

}  // namespace tilescope::golden
