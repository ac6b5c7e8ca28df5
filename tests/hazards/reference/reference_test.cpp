// The race check against the reference detector, over random kernels of few threads, both looking at the same run.
//
// What the check reports must be races of the reference; and of each byte's races it must report one at least.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "scope/machine/program.h"
#include "scope/session/session.h"
#include "scope/views/words/hazards.h"
#include "tests/hazards/reference/detector.h"

namespace tilescope::reference {
namespace {

// Everything that a launch did, for the reference.
class Follower final : public machine::RunObserver {
public:
    explicit Follower(Trace& trace, const machine::Program*& program) : trace_(trace), program_(program) {}
    std::unique_ptr<machine::Observer> on_launch_begin(const machine::LaunchEvent& event) override {
        trace_.threads = event.block[0] * event.block[1] * event.block[2];
        program_ = event.program;
        return std::make_unique<TraceRecorder>(trace_, 1u << 20);
    }

private:
    Trace& trace_;
    const machine::Program*& program_;
};

using Pair = std::tuple<std::string, std::uint32_t, std::uint32_t>;  // space and lines
using Pairs = std::set<Pair>;

Pair pair_of(std::string space, std::uint32_t one, std::uint32_t other) {
    return {std::move(space), std::min(one, other), std::max(one, other)};
}

struct Both {
    std::string problem, messages;
    Pairs checked, reference;
    std::set<Pairs> by_byte;
};

Both run(const std::string& ptx, unsigned blocks, unsigned threads) {
    Both both;
    Trace trace;
    const machine::Program* program = nullptr;
    SessionOptions options;
    options.jobs = 1;
    options.checks = bit_of(Check::kRaces);
    auto session = Session::create(options);
    (*session)->observers().add(std::make_unique<Follower>(trace, program));
    const auto module = (*session)->load_module(ptx, "random.ptx");
    if (!module) return both.problem = render(module.errors()), both;
    const auto buffer =
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(16384, machine::AllocationKind::kDevice));
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {blocks, 1, 1};
    request.block = {threads, 1, 1};
    request.parameters = std::as_bytes(std::span(&buffer, 1));
    const LaunchResult result = (*session)->launch(request);
    if (result.status != LaunchStatus::kOk)
        return both.problem = (result.hazard ? result.hazard->message : "") + render(result.diagnostics), both;
    const Verdict verdict = judge(trace, 1u << 30);
    if (!verdict.is_judged) return both.problem = "the trace is too long", both;
    const auto in_lines = [&](const std::set<Race>& races) {
        Pairs pairs;
        for (const Race& race : races) {
            pairs.insert(pair_of(race.space == machine::Space::kShared ? "shared" : "global",
                                 program->facts[race.op].text_line, program->facts[race.other_op].text_line));
        }
        return pairs;
    };
    both.reference = in_lines(verdict.races);
    for (const std::set<Race>& races : verdict.by_byte) both.by_byte.insert(in_lines(races));
    for (const Hazard& hazard : (*session)->profile().launches.front().hazards) {
        // That volatile orders nothing is no matter of PTX's model: of strong accesses none races there.
        if (hazard.facts.is_volatile && !hazard.facts.is_same_value) continue;
        // Both detectors let a barrier stand for the acquire; this one says so.
        if (hazard.facts.what == HazardCase::kNoAcquire) continue;
        both.messages += views::words::hazard_message(hazard) + "\n";
        both.checked.insert(pair_of(std::string(report::name_of(hazard.space)), hazard.line, hazard.other_line));
    }
    return both;
}

// A kernel of random accesses and synchronisation that ends, whatever the order of its threads.
class Author {
public:
    explicit Author(std::uint32_t seed) : random_(seed) {
        blocks = of<unsigned>({1, 1, 2, 3});
        threads = of<unsigned>({32, 40, 64, 64, 96});
        steps_ = of<unsigned>({0, 0, 1, 2, 3, 4});
        loops_ = one_in(3);
    }

    std::string text() {
        std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<8>;\n"
            ".reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n.shared .align 16 .b8 tile[512];\n.shared .align 8 .b64 object;\n"
            "ld.param.u64 %rd10, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r20, 0;\n"
            "mov.u32 %r30, tile;\nmov.u32 %r31, object;\nshr.u32 %r3, %r1, 5;\n"
            "setp.eq.u32 %p7, %r1, 0;\n@%p7 mbarrier.init.shared.b64 [%r31], " +
            std::to_string(threads) + ";\nbar.sync 0;\n";
        if (loops_) text += "mov.u32 %r25, 0;\nagain:\n";
        for (int left = between(3, 14); left > 0; --left) text += statement();
        if (loops_) text += "add.u32 %r25, %r25, 1;\nsetp.lt.u32 %p6, %r25, 2;\n@%p6 bra again;\n";
        return text +
               "mad.lo.u32 %r4, %r2, 128, %r1;\nmul.wide.u32 %rd1, %r4, 4;\nadd.s64 %rd1, %rd1, %rd10;\n"
               "st.global.u32 [%rd1+8192], %r20;\nret;\n}\n";
    }

    unsigned blocks = 1, threads = 32;

private:
    int between(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    bool one_in(int n) { return between(1, n) == 1; }
    template <class T>
    T of(std::initializer_list<T> all) {
        return all.begin()[random_() % all.size()];
    }
    std::string label() { return "l" + std::to_string(++labels_); }

    // %r5: an index of a word, by thread.
    std::string index() {
        switch (between(0, 7)) {
            case 0:
            case 1: return "mov.u32 %r5, %r1;\n";
            case 2: return "xor.b32 %r5, %r1, 1;\n";
            case 3: return "xor.b32 %r5, %r1, 32;\n";
            case 4: return "shr.u32 %r5, %r1, 1;\n";
            case 5: return "add.u32 %r5, %r1, 1;\n";
            case 6: return "and.b32 %r5, %r1, 3;\n";
            default: return "mov.u32 %r5, " + std::to_string(between(0, 3)) + ";\n";
        }
    }

    // The address in %r6 or %rd6, and how it is written.
    std::string address(bool is_shared, unsigned bytes) {
        std::string text = index() + "and.b32 %r5, %r5, 127;\n";
        if (bytes != 4) text += "shr.u32 %r5, %r5, " + std::to_string(bytes == 8 ? 1 : 0) + ";\n";
        const std::string scale = std::to_string(bytes);
        if (is_shared) return text + "mad.lo.u32 %r6, %r5, " + scale + ", %r30;\n";
        if (one_in(3)) text += "mad.lo.u32 %r5, %r2, 128, %r5;\n";
        return text + "mul.wide.u32 %rd6, %r5, " + scale + ";\nadd.s64 %rd6, %rd6, %rd10;\n";
    }

    // Which threads do it; nothing: all.
    std::string guard(std::string& text) {
        if (!one_in(3)) return "";
        switch (between(0, 3)) {
            case 0: text += "setp.eq.u32 %p1, %r1, " + std::to_string(between(0, 33)) + ";\n"; break;
            case 1: text += "setp.lt.u32 %p1, %r1, " + std::to_string(between(1, 40)) + ";\n"; break;
            case 2: text += "and.b32 %r7, %r1, 1;\nsetp.eq.u32 %p1, %r7, 0;\n"; break;
            default: text += "setp.eq.u32 %p1, %r2, 0;\n"; break;
        }
        return "@%p1 ";
    }

    std::string access() {
        const bool is_shared = one_in(2);
        const std::string space = is_shared ? ".shared" : ".global", at = is_shared ? "[%r6]" : "[%rd6]";
        const std::string scope = of<const char*>({".cta", ".gpu", ".gpu", ".sys"});
        const int kind = steps_ == 0 ? between(0, 3) : between(0, 7);
        const unsigned bytes = kind < 4 ? of<unsigned>({4, 4, 4, 4, 1, 2, 8}) : 4;
        std::string text = address(is_shared, bytes);
        const std::string head = guard(text);
        const std::string type = bytes == 8 ? ".b64 " : bytes == 4 ? ".b32 " : bytes == 2 ? ".u16 " : ".u8 ";
        const std::string value = bytes == 8 ? "%rd8" : bytes == 4 ? "%r8" : "%r8";
        const std::string narrow = bytes < 4 ? (bytes == 2 ? ".u16 " : ".u8 ") : type;
        const std::string fresh =
            "mad.lo.u32 %r8, %r1, 7, " + std::to_string(++values_) + ";\ncvt.u64.u32 %rd8, %r8;\n";
        const std::string use =
            bytes == 8 ? "cvt.u32.u64 %r8, %rd8;\nadd.u32 %r20, %r20, %r8;\n" : "add.u32 %r20, %r20, %r8;\n";
        switch (kind) {
            case 0:
            case 1:
                return text + "mov.u32 %r8, 0;\nmov.u64 %rd8, 0;\n" + head + "ld" + space + narrow + value + ", " + at +
                       ";\n" + use;
            case 2:
            case 3: return text + fresh + head + "st" + space + narrow + at + ", " + value + ";\n";
            case 4:
                return text + "mov.u32 %r8, 0;\n" + head + "ld" +
                       of<std::string>({".relaxed" + scope, ".acquire" + scope, ".volatile"}) + space + ".b32 %r8, " +
                       at + ";\n" + use;
            case 5:
                return text + fresh + head + "st" +
                       of<std::string>({".relaxed" + scope, ".release" + scope, ".volatile"}) + space + ".b32 " + at +
                       ", %r8;\n";
            case 6:
                return text + "mov.u32 %r8, 0;\n" + head + "atom" +
                       of<const char*>({".relaxed", ".acquire", ".release", ".acq_rel", ".relaxed"}) + scope + space +
                       ".add.u32 %r8, " + at + ", 1;\n" + use;
            default:
                return text + head + "red" + of<const char*>({".relaxed", ".release"}) + scope + space + ".add.u32 " +
                       at + ", 1;\n";
        }
    }

    std::string warps_meet() {
        const unsigned warps = threads / 32;
        if (warps < 2 || threads % 32 != 0) return "bar.sync 0;\n";
        const std::string number = std::to_string(between(1, 3));
        std::string text = "setp.lt.u32 %p2, %r3, 2;\n";
        if (one_in(2)) return text + "@%p2 barrier.sync.aligned " + number + ", 64;\n";
        // A warp that came round would stand for the one that waits.
        if (loops_) text = "bar.sync 0;\n";
        text += "setp.eq.u32 %p3, %r3, 0;\nsetp.eq.u32 %p4, %r3, 1;\n";
        const std::string own = std::to_string(4 + pairs_++ % 12);  // or two arrivals of one warp would do
        return text + "@%p3 barrier.arrive.aligned " + own + ", 64;\n@%p4 barrier.sync.aligned " + own + ", 64;\n";
    }

    std::string lanes_meet() {
        if (one_in(2)) return "activemask.b32 %r9;\nbar.warp.sync %r9;\n";
        const std::string on = label();
        return "and.b32 %r7, %r1, 31;\nsetp.ge.u32 %p5, %r7, 8;\n@%p5 bra " + on + ";\nbar.warp.sync 255;\n" + on +
               ":\n";
    }

    std::string object() {
        const std::string again = label();
        return "mbarrier.arrive.shared.b64 %rd20, [%r31];\n" + again +
               ":\nmbarrier.test_wait.shared.b64 %p5, [%r31], %rd20;\n@!%p5 bra " + again + ";\n";
    }

    std::string copy() {
        std::string text = address(false, 4) + index() + "and.b32 %r5, %r5, 127;\nmad.lo.u32 %r6, %r5, 4, %r30;\n";
        text += "cp.async.ca.shared.global [%r6], [%rd6], 4;\n";
        if (one_in(2)) text += "cp.async.commit_group;\n";
        if (one_in(3)) text += "cp.async.mbarrier.arrive.shared.b64 [%r31];\n";
        return text;
    }

    std::string statement() {
        const int kind = between(0, 11);
        if (kind < 7) return access();
        if (kind == 7) return "bar.sync 0;\n";
        if (steps_ == 0) return access();
        if (kind == 8)
            return "fence" + std::string(of<const char*>({".acq_rel", ".sc"})) +
                   of<const char*>({".cta", ".gpu", ".gpu", ".sys"}) + ";\n";
        if (kind == 9 && steps_ >= 2) return lanes_meet();
        if (kind == 10 && steps_ >= 3) return warps_meet();
        if (kind == 11 && steps_ >= 4)
            return one_in(3)   ? object()
                   : one_in(2) ? std::string(of<const char*>({"cp.async.wait_all;\n", "cp.async.wait_group 0;\n",
                                                              "cp.async.wait_group 1;\n", "cp.async.commit_group;\n"}))
                               : copy();
        return access();
    }

    std::mt19937 random_;
    unsigned steps_ = 0;  // how much there is beside accesses and barriers of the block
    bool loops_ = false;
    unsigned labels_ = 0, values_ = 0, pairs_ = 0;
};

std::string words_of(const Pairs& pairs) {
    std::string text;
    for (const auto& [space, low, high] : pairs)
        text += space + " " + std::to_string(low) + " " + std::to_string(high) + "\n";
    return text;
}

class RandomKernels : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomKernels, AreJudgedAsTheReferenceJudgesThem) {
    unsigned with_races = 0;
    constexpr std::uint32_t kEach = 250;
    for (std::uint32_t seed = GetParam() * kEach; seed < (GetParam() + 1) * kEach; ++seed) {
        Author author(seed);
        const std::string text = author.text();
        const Both both = run(text, author.blocks, author.threads);
        ASSERT_EQ(both.problem, "") << "seed " << seed << "\n" << text;
        with_races += !both.reference.empty();
        for (const Pair& pair : both.checked)
            ASSERT_TRUE(both.reference.contains(pair))
                << "seed " << seed << ": false alarm " << words_of({pair}) << both.messages << author.blocks << " x "
                << author.threads << "\n"
                << text;
        for (const Pairs& pairs : both.by_byte) {
            const bool is_found =
                std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) { return both.checked.contains(pair); });
            ASSERT_TRUE(is_found) << "seed " << seed << ": missed, one of\n"
                                  << words_of(pairs) << author.blocks << " x " << author.threads << "\n"
                                  << text;
        }
    }
    EXPECT_GT(with_races, kEach / 4);
    EXPECT_LT(with_races, kEach);
}
// More of them where TILESCOPE_RANDOM_KERNELS says how many times 250.
unsigned groups() {
    const char* const text = std::getenv("TILESCOPE_RANDOM_KERNELS");
    return text == nullptr ? 8u : static_cast<unsigned>(std::max(1, std::atoi(text)));
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Range(0u, groups()));

}  // namespace
}  // namespace tilescope::reference
