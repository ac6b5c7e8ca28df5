#include "tests/observers/reuse_lab.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "scope/machine/grid.h"
#include "scope/observers/counting.h"
#include "tests/places.h"

namespace tilescope::lab {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

using Bytes = std::set<std::pair<std::uint64_t, std::uint64_t>>;  // block, address

// Runs on one worker, so nothing is ever merged.
class Oracle final : public machine::Observer {
public:
    struct Sums {
        std::uint64_t requests = 0, requested_bytes = 0;
        Bytes bytes;
        void add(std::uint64_t block, std::uint64_t address, unsigned width) {
            requests += 1;
            requested_bytes += width;
            for (unsigned i = 0; i < width; ++i) bytes.insert({block, address + i});
        }
        Tiling tiling(bool with_unique) const {
            Tiling tiling{requested_bytes, bytes.size(), requests};
            std::set<std::uint64_t> distinct;
            for (const auto& [block, address] : bytes) distinct.insert(address);
            if (with_unique) tiling.unique_bytes = distinct.size();
            return tiling;
        }
    };
    struct Found {
        const machine::Program* program = nullptr;
        const machine::Memory* memory = nullptr;
        std::map<std::uint32_t, Sums> by_op;
        std::map<std::uint64_t, Sums> by_base;
        Sums whole;
        std::uint64_t written = 0, others = 0;
    };

    explicit Oracle(Found& found) : found_(found) {}
    std::uint32_t wants(const machine::Site&) const override { return bit_of(Space::kGlobal) | bit_of(Space::kShared); }
    machine::View view() const override { return machine::View::kCounted; }
    void begin_block(const machine::BlockPlace& block) override { block_ = block.number; }
    void on_access(const Access& access) override {
        for (unsigned lane = 0; lane < machine::kWarpSize; ++lane) {
            if (!(access.mask >> lane & 1)) continue;
            if (access.space == Space::kShared)
                share(access, lane);
            else if (access.kind == AccessKind::kLoad || access.kind == AccessKind::kAsyncCopyRead)
                load(access, lane);
        }
    }
    void end_block(const machine::BlockPlace&) override {
        found_.written += writer_.size();
        found_.others += others_.size();
        writer_.clear();
        others_.clear();
    }
    std::unique_ptr<Observer> make_shard(const machine::Program&) const override {
        return std::make_unique<Oracle>(found_);
    }
    void merge(const Observer&) override { FAIL() << "the oracle runs on one worker"; }

private:
    void load(const Access& access, unsigned lane) {
        const std::uint64_t address = access.address(lane);
        found_.whole.add(block_, address, access.width);
        found_.by_op[access.op].add(block_, address, access.width);
        found_.by_base[found_.memory->find(address)->base].add(block_, address, access.width);
    }
    void share(const Access& access, unsigned lane) {
        const bool writes = access.kind != AccessKind::kLoad;
        const bool reads = access.kind != AccessKind::kStore && access.kind != AccessKind::kAsyncCopyWrite;
        for (unsigned i = 0; i < access.width; ++i) {
            const std::uint64_t byte = access.address(lane) + i;
            const auto writer = writer_.find(byte);
            if (reads && writer != writer_.end() && writer->second != access.thread + lane) others_.insert(byte);
            if (writes) writer_[byte] = access.thread + lane;
        }
    }

    Found& found_;
    std::uint64_t block_ = 0;
    std::map<std::uint64_t, std::uint32_t> writer_;
    std::set<std::uint64_t> others_;
};

// The oracle's sums, by line and by parameter.
Expected expected_of(const Oracle::Found& found, const std::vector<std::optional<std::uint64_t>>& pointers) {
    Expected expected;
    expected.whole = found.whole.tiling(true);
    std::map<std::pair<std::string, std::uint32_t>, Oracle::Sums> lines;
    for (const auto& [op, sums] : found.by_op) {
        const machine::SourcePlace place = found.program->facts[op].place;
        Oracle::Sums& line = lines[{found.program->files[place.file], place.line}];
        line.requests += sums.requests;
        line.requested_bytes += sums.requested_bytes;
        line.bytes.insert(sums.bytes.begin(), sums.bytes.end());
    }
    for (const auto& [place, sums] : lines) expected.lines[place] = sums.tiling(false);
    for (std::size_t i = pointers.size(); i-- > 0;) {  // the first parameter into an allocation names it
        const auto allocation = pointers[i] ? found.memory->find(*pointers[i]) : std::nullopt;
        if (!allocation || found.by_base.count(allocation->base) == 0) continue;
        for (std::size_t later = i + 1; later < pointers.size(); ++later)
            if (pointers[later] && allocation->contains(*pointers[later], 1))
                expected.buffers.erase(static_cast<std::uint32_t>(later));
        expected.buffers[static_cast<std::uint32_t>(i)] = found.by_base.at(allocation->base).tiling(true);
    }
    expected.written_bytes = found.written;
    expected.read_by_others_bytes = found.others;
    return expected;
}

void expect_equal(const Tiling& said, const Tiling& expected, const std::string& what) {
    EXPECT_EQ(said.requests, expected.requests) << what;
    EXPECT_EQ(said.requested_bytes, expected.requested_bytes) << what;
    EXPECT_EQ(said.unique_bytes_per_block, expected.unique_bytes_per_block) << what;
    EXPECT_EQ(said.unique_bytes, expected.unique_bytes) << what;
}

}  // namespace

void expect_agreement(const Answer& answer, const std::string& what) {
    const LaunchProfile& said = answer.said;
    ASSERT_TRUE(said.tiling) << what;
    expect_equal(*said.tiling, answer.expected.whole, what);
    std::size_t lines = 0;
    for (const LineProfile& line : said.lines) {
        if (!line.tiling) continue;
        ++lines;
        const auto wanted = answer.expected.lines.find({line.file, line.line});
        ASSERT_NE(wanted, answer.expected.lines.end()) << what << " line " << line.line;
        expect_equal(*line.tiling, wanted->second, what + " line " + std::to_string(line.line));
    }
    EXPECT_EQ(lines, answer.expected.lines.size()) << what;
    ASSERT_EQ(said.buffers.size(), answer.expected.buffers.size()) << what;
    auto wanted = answer.expected.buffers.begin();
    for (const BufferReuse& buffer : said.buffers) {
        EXPECT_EQ(buffer.parameter, wanted->first) << what;
        expect_equal(buffer.tiling, wanted->second, what + " parameter " + std::to_string(wanted->first));
        ++wanted;
    }
    std::uint64_t written = 0, others = 0;
    for (const SharedReuse& shared : said.shared_reuse) {
        written += shared.written_bytes;
        others += shared.read_by_others_bytes;
    }
    EXPECT_EQ(written, answer.expected.written_bytes) << what;
    EXPECT_EQ(others, answer.expected.read_by_others_bytes) << what;
}

Lab::Lab(const std::string& path) {
    std::ifstream file(source_dir() + "/" + path);
    std::ostringstream text;
    text << file.rdbuf();
    auto module = LoadedModule::load(text.str(), path, memory_);
    if (!module) throw std::runtime_error(render(module.errors()));
    module_ = std::move(*module);
}

void Lab::place(const void* value, std::size_t size) {
    const std::size_t at = (parameters_.size() + size - 1) / size * size;
    parameters_.resize(at + size);
    std::memcpy(parameters_.data() + at, value, size);
    places_.push_back(at);
    sizes_.resize(places_.size());
    sizes_.back() = size;
}

Answer Lab::run(const std::string& entry, Dim3 grid, Dim3 block) {
    const auto& program = module_->program(entry);
    if (!program) throw std::runtime_error(render(program.errors()));
    machine::GridRequest request;
    machine::InstructionBudget budget;
    request.program = program->get();
    request.memory = &memory_;
    request.budget = &budget;
    request.workers = jobs;
    request.sample = sample;
    request.parameters = parameters_;
    std::copy(grid.begin(), grid.end(), request.shape.grid);
    std::copy(block.begin(), block.end(), request.shape.block);
    request.shape.dynamic_shared_bytes = dynamic_shared_bytes;
    request.shape.shared_bytes = ((*program)->static_shared_bytes + 15) / 16 * 16 + dynamic_shared_bytes;
    request.shape.local_bytes = (*program)->max_local_bytes;

    observers::LaunchContext context;
    context.memory = &memory_;
    context.shared_bytes = request.shape.shared_bytes;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        std::uint64_t value = 0;
        if (sizes_[i] == sizeof value) std::memcpy(&value, parameters_.data() + places_[i], sizeof value);
        context.pointers.push_back(sizes_[i] == sizeof value ? std::optional(value) : std::nullopt);
    }
    const auto reuse = observers::make_reuse(), sharing = observers::make_sharing();
    reuse->prepare(context);
    sharing->prepare(context);
    Oracle::Found found;
    found.program = program->get();
    found.memory = &memory_;
    const Oracle oracle(found);
    request.observers = {reuse.get(), sharing.get()};
    if (jobs == 1) request.observers.push_back(&oracle);
    const machine::GridResult result = machine::run_grid(request);
    if (result.fault) throw std::runtime_error(entry + ": " + result.fault->message);

    Answer answer;
    answer.said.grid = grid;
    answer.said.block = block;
    answer.said.blocks_run = result.blocks_run;
    answer.said.sampled = sample < 1;
    for (std::size_t i = 0; i < 2; ++i)
        static_cast<const observers::CountingObserver&>(*result.observers[i]).add_to_profile(**program, answer.said);
    answer.expected = expected_of(found, context.pointers);
    return answer;
}

}  // namespace tilescope::lab
