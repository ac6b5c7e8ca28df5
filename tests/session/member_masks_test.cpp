// Warp-wide instructions whose lanes name groups of their own: random partitions of a warp, lanes that ended before and
// lanes that come another way, against a scalar reading of the PTX specification.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

struct Lanes {
    Words mask, value, from;
    std::uint32_t alive = ~0u;
};

struct Instruction {
    const char* text;  // %r1 value, %r2 mask, %r3 lane to read from, %rd1 wide value, %p1 value odd; result %r4, %r5
    std::function<std::pair<std::uint32_t, std::uint32_t>(const Lanes&, std::uint32_t group, unsigned lane)> oracle;
};

template <class F>
std::uint32_t fold(const Lanes& lanes, std::uint32_t group, F apply) {
    std::uint32_t total = lanes.value[static_cast<unsigned>(std::countr_zero(group))];
    for (std::uint32_t left = group & (group - 1); left != 0; left &= left - 1)
        total = apply(total, lanes.value[static_cast<unsigned>(std::countr_zero(left))]);
    return total;
}

std::uint32_t odd(const Lanes& lanes, std::uint32_t group) {
    std::uint32_t votes = 0;
    for (unsigned i = 0; i < 32; ++i) votes |= (lanes.value[i] & group >> i & 1u) << i;
    return votes;
}

std::uint32_t alike(const Lanes& lanes, std::uint32_t group, unsigned lane) {
    std::uint32_t same = 0;
    for (unsigned i = 0; i < 32; ++i)
        if ((group >> i & 1) && lanes.value[i] == lanes.value[lane]) same |= 1u << i;
    return same;
}

using Result = std::pair<std::uint32_t, std::uint32_t>;
using S = std::int32_t;

const std::vector<Instruction>& instructions() {
    static const std::vector<Instruction> kAll = {
        {"vote.sync.ballot.b32 %r4, %p1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{odd(l, g), 0};
         }},
        {"vote.sync.ballot.b32 %r4, !%p1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{g & ~odd(l, g), 0};
         }},
        {"vote.sync.all.pred %p2, %p1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{0, odd(l, g) == g};
         }},
        {"vote.sync.any.pred %p2, %p1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{0, odd(l, g) != 0};
         }},
        {"vote.sync.uni.pred %p2, %p1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{0, odd(l, g) == g || odd(l, g) == 0};
         }},
        {"match.any.sync.b32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned i) {
             return Result{alike(l, g, i), 0};
         }},
        {"match.any.sync.b64 %r4, %rd1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned i) {
             return Result{alike(l, g, i), 0};
         }},
        {"match.all.sync.b32 %r4|%p2, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned i) {
             const bool all = alike(l, g, i) == g;
             return Result{all ? g : 0, all};
         }},
        {"match.all.sync.b64 %r4|%p2, %rd1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned i) {
             const bool all = alike(l, g, i) == g;
             return Result{all ? g : 0, all};
         }},
        {"redux.sync.add.u32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return a + b; }), 0};
         }},
        {"redux.sync.min.u32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return a < b ? a : b; }), 0};
         }},
        {"redux.sync.max.s32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return S(a) > S(b) ? a : b; }), 0};
         }},
        {"redux.sync.min.s32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return S(a) < S(b) ? a : b; }), 0};
         }},
        {"redux.sync.max.u32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return a > b ? a : b; }), 0};
         }},
        {"redux.sync.and.b32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return a & b; }), 0};
         }},
        {"redux.sync.or.b32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return a | b; }), 0};
         }},
        {"redux.sync.xor.b32 %r4, %r1, %r2;",
         [](const Lanes& l, std::uint32_t g, unsigned) {
             return Result{fold(l, g, [](auto a, auto b) { return a ^ b; }), 0};
         }},
        {"elect.sync %r4|%p2, %r2;",
         [](const Lanes&, std::uint32_t g, unsigned i) {
             const auto leader = static_cast<unsigned>(std::countr_zero(g));
             return Result{leader, leader == i};
         }},
        {"shfl.sync.idx.b32 %r4|%p2, %r1, %r3, 31, %r2;",
         [](const Lanes& l, std::uint32_t, unsigned i) {
             return Result{l.value[l.from[i]], 1};
         }},
    };
    return kAll;
}

// Groups of lanes at random; each lane reads from a living lane of its own group. Ended lanes may stay in the masks.
Lanes random_lanes(std::mt19937& random) {
    Lanes lanes;
    const unsigned groups = 1 + random() % 8;
    if (random() % 3 == 0) lanes.alive = random() | 1u << random() % 32;
    Words label(32);
    std::vector<std::uint32_t> members(groups);
    for (unsigned i = 0; i < 32; ++i) members[label[i] = random() % groups] |= 1u << i;
    const std::uint32_t few = random() % 2 ? 3 : ~0u;
    for (unsigned i = 0; i < 32; ++i) {
        lanes.mask.push_back(members[label[i]]);
        lanes.value.push_back(random() & few);
        const std::uint32_t living = members[label[i]] & lanes.alive;
        unsigned from = random() % 32;
        while (living != 0 && !(living >> from & 1)) from = random() % 32;
        lanes.from.push_back(from);
    }
    return lanes;
}

constexpr const char* kLoadLanes = R"(
mov.u32 %r10, %tid.x;
mul.wide.u32 %rd20, %r10, 4;
add.u64 %rd21, %rd10, %rd20;
ld.global.u32 %r1, [%rd21];
ld.global.u32 %r2, [%rd21+128];
ld.global.u32 %r3, [%rd21+256];
ld.global.u32 %r11, [%rd21+384];
ld.global.u32 %r12, [%rd21+512];
cvt.u64.u32 %rd1, %r1;
shl.b64 %rd1, %rd1, 20;
and.b32 %r13, %r1, 1;
setp.ne.u32 %p1, %r13, 0;
setp.eq.u32 %p3, %r11, 0;
@%p3 exit;
mov.u32 %r4, 0;
setp.ne.u32 %p2, %r4, 0;
)";
constexpr const char* kStoreLanes = R"(
add.u64 %rd22, %rd11, %rd20;
selp.u32 %r5, 1, 0, %p2;
st.global.u32 [%rd22], %r4;
st.global.u32 [%rd22+128], %r5;
ret;
)";

std::string once(const std::string& text) { return kLoadLanes + text + kStoreLanes; }
// The same instruction at two places: lanes go one way or the other.
std::string in_two_branches(const std::string& text) {
    return kLoadLanes +
           ("setp.ne.u32 %p4, %r12, 0;\n@%p4 bra other;\n" + text + "\nmov.u32 %r20, 1;\nbra both;\nother:\n" + text +
            "\nmov.u32 %r20, 2;\nboth:\n") +
           kStoreLanes;
}
// Each lane comes in a trip of its own.
std::string in_two_trips(const std::string& text) {
    return kLoadLanes +
           ("mov.u32 %r20, 0;\nagain:\nsetp.ne.u32 %p4, %r12, %r20;\n@%p4 bra skip;\n" + text +
            "\nskip:\nadd.u32 %r20, %r20, 1;\nsetp.lt.u32 %p4, %r20, 2;\n@%p4 bra again;\n") +
           kStoreLanes;
}

void expect_all_agree(std::string (*body)(const std::string&), unsigned seed) {
    std::mt19937 random(seed);
    for (const Instruction& instruction : instructions()) {
        const std::string ptx = ptx_kernel(body(instruction.text), 2);
        for (unsigned round = 0; round < 12; ++round) {
            const Lanes lanes = random_lanes(random);
            Words input = lanes.value;
            input.insert(input.end(), lanes.mask.begin(), lanes.mask.end());
            input.insert(input.end(), lanes.from.begin(), lanes.from.end());
            for (unsigned i = 0; i < 32; ++i) input.push_back(lanes.alive >> i & 1);
            for (unsigned i = 0; i < 32; ++i) input.push_back(random() % 2);
            const KernelRun run = run_kernel(ptx, "k", {input, Words(64, 77)});
            ASSERT_EQ(run.problem + run.fault, "") << instruction.text;
            EXPECT_TRUE(run.hazards.empty()) << instruction.text << ": " << run.hazards.front().message;
            for (unsigned i = 0; i < 32; ++i) {
                if (!(lanes.alive >> i & 1)) continue;
                const Result expected = instruction.oracle(lanes, lanes.mask[i] & lanes.alive, i);
                ASSERT_EQ(run.buffers[1][i], expected.first) << instruction.text << " lane " << i;
                ASSERT_EQ(run.buffers[1][32 + i], expected.second) << instruction.text << " lane " << i;
            }
        }
    }
}

TEST(MemberMasks, EachLaneActsInItsOwnGroup) { expect_all_agree(&once, 1); }
TEST(MemberMasks, LanesMeetFromTwoBranches) { expect_all_agree(&in_two_branches, 2); }
TEST(MemberMasks, LanesMeetFromTwoTripsOfALoop) { expect_all_agree(&in_two_trips, 3); }

}  // namespace
}  // namespace tilescope::test
