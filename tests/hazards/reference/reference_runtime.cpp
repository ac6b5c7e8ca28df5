// A CUDA runtime with the reference detector in it: programs run under it as under tilescope's own.
//
// What it finds goes to the file that TILESCOPE_REFERENCE names, a JSON object for each launch on a line of its own:
// `kernel`; `judged`, false where the launch was too large; `races`, each with space, lines and files; `by_byte`, lists
// of indices into these, one for each set of races that some byte has.
#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include "scope/machine/program.h"
#include "scope/runtime/service/runtime.h"
#include "tests/hazards/reference/detector.h"

namespace tilescope::reference {
namespace {

constexpr std::size_t kEvents = 400'000;
constexpr std::uint64_t kComparisons = 60'000'000;

class ReferenceRun final : public machine::RunObserver {
public:
    explicit ReferenceRun(const char* path) : file_(path, std::ios::app) {}

    std::unique_ptr<machine::Observer> on_launch_begin(const machine::LaunchEvent& event) override {
        trace_ = Trace();
        trace_.threads = event.block[0] * event.block[1] * event.block[2];
        return std::make_unique<TraceRecorder>(trace_, kEvents);
    }

    void on_launch_end(const machine::LaunchEvent& event, const machine::Observer*) override {
        const Verdict verdict = judge(trace_, kComparisons);
        nlohmann::json line{{"kernel", std::string(event.kernel)}, {"judged", verdict.is_judged}};
        nlohmann::json races = nlohmann::json::array(), by_byte = nlohmann::json::array();
        std::map<Race, std::size_t> numbers;
        for (const Race& race : verdict.races) {
            numbers.emplace(race, numbers.size());
            races.push_back({{"space", race.space == machine::Space::kShared ? "shared" : "global"},
                             {"one", place_of(*event.program, race.op)},
                             {"other", place_of(*event.program, race.other_op)}});
        }
        for (const std::set<Race>& set : verdict.by_byte) {
            nlohmann::json list = nlohmann::json::array();
            for (const Race& race : set) list.push_back(numbers.at(race));
            by_byte.push_back(std::move(list));
        }
        line["races"] = std::move(races);
        line["by_byte"] = std::move(by_byte);
        file_ << line.dump() << std::endl;
        trace_ = Trace();
    }

private:
    static nlohmann::json place_of(const machine::Program& program, std::uint32_t op) {
        const machine::OpFacts& facts = program.facts[op];
        if (facts.place.line == 0) return {"", facts.text_line};
        return {program.files[facts.place.file], facts.place.line};
    }

    std::ofstream file_;
    Trace trace_;
};

__attribute__((constructor)) void begin() {
    const char* const path = std::getenv("TILESCOPE_REFERENCE");
    if (path == nullptr) return;
    runtime::Runtime& runtime = runtime::Runtime::get();
    if (runtime.enter_to_ask() != runtime::Status::kOk) return;
    runtime.session().observers().add(std::make_unique<ReferenceRun>(path));
}

}  // namespace
}  // namespace tilescope::reference
