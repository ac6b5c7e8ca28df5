// What it takes before the first instruction runs: parsing, decoding, and the start of the whole program.
#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/kernels.h"
#include "scope/isa/lower.h"
#include "scope/ptx/parser.h"
#include "tests/places.h"

extern char** environ;

namespace tilescope::bench {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

// A megabyte of distinct kernels: the products under new names, again and again.
std::string megabyte_of_ptx() {
    const std::string whole = kernel_text("matmul");
    const std::size_t first = whole.find(".visible .entry"), last = whole.find("\t.file");
    const std::string head = whole.substr(0, first), kernels = whole.substr(first, last - first);
    std::string text = head;
    for (int copy = 0; text.size() < kMegabyte; ++copy) {
        std::string next = kernels;
        const std::string suffix = std::to_string(copy);
        replace_all(next, "matmul_", "m" + suffix + "_");
        text += next;
    }
    return text + whole.substr(last);
}

void parse_megabyte(benchmark::State& state) {
    const std::string text = megabyte_of_ptx();
    for (auto _ : state) {
        auto module = ptx::parse(text, "megabyte.ptx");
        if (!module) required(std::move(module));
        benchmark::DoNotOptimize(module);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

// Parsing, and lowering of every kernel, launched or not: the figure that has a goal. (A session lowers a kernel when
// it is first launched.)
void decode_megabyte(benchmark::State& state) {
    const std::string text = megabyte_of_ptx();
    std::size_t ops = 0;
    for (auto _ : state) {
        const ptx::Module module = required(ptx::parse(text, "megabyte.ptx"));
        ops = 0;
        for (const ptx::Function& function : module.functions) {
            isa::LowerRequest request;
            request.module = &module;
            request.entry = function.name;
            request.address_of = [](std::string_view) { return std::nullopt; };
            ops += required(isa::lower(request))->ops.size();
        }
        benchmark::DoNotOptimize(ops);
    }
    state.counters["instructions"] = static_cast<double>(ops);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

// The program from the shell's point of view: start, read a small .ptx, run one warp, report, end.
void start(benchmark::State& state) {
    const std::string program = tilescope_program(), file = source_dir() + "/bench/kernels/copy.ptx";
    std::vector<std::string> words{program,  "launch", "-q",      "--kernel", "nothing",
                                   "--grid", "1",      "--block", "32",       file};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (auto _ : state) {
        pid_t child = 0;
        int status = 0;
        if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ) != 0 ||
            waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            state.SkipWithError("the program did not run");
            break;
        }
    }
    posix_spawn_file_actions_destroy(&actions);
}

BENCHMARK(parse_megabyte)->Unit(benchmark::kMillisecond);
BENCHMARK(decode_megabyte)->Unit(benchmark::kMillisecond);
BENCHMARK(start)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilescope::bench

BENCHMARK_MAIN();
