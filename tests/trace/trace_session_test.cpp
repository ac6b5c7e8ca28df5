// Traces of small PTX kernels: what is recorded, and what is said when it cannot be.
#include <gtest/gtest.h>

#include <cstring>

#include "scope/session/session.h"
#include "scope/views/words/phases.h"

namespace tilescope {
namespace {

constexpr const char* kHead = ".version 7.8\n.target sm_80\n.address_size 64\n";

// Eight threads reverse eight floats through shared memory: t[i] = a[i], or 0 from the fifth on; b[i] = t[7-i] * 2 + x,
// where x is a[i], spilled to local memory meanwhile.
constexpr const char* kReverse = R"(
.visible .entry reverse(.param .u64 a, .param .u64 b, .param .f32 factor)
{
    .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>;
    .shared .align 4 .b8 t[32];
    .local .align 4 .b8 spill[4];
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.f32 %f7, [factor];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd1, %rd1, %rd3;
    add.u64 %rd2, %rd2, %rd3;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, t;
    add.u32 %r4, %r3, %r2;
    setp.lt.u32 %p1, %r1, 4;
    ld.global.f32 %f1, [%rd1];
    st.local.f32 [spill], %f1;
    mov.f32 %f2, 0f00000000;
    @%p1 mov.f32 %f2, %f1;
    st.shared.f32 [%r4], %f2;
    bar.sync 0;
    sub.u32 %r5, %r3, %r2;
    ld.shared.f32 %f3, [%r5+28];
    ld.local.f32 %f4, [spill];
    fma.rn.f32 %f5, %f3, %f7, %f4;
    st.global.f32 [%rd2], %f5;
    ret;
}
)";

class Trace : public ::testing::Test {
protected:
    // Runs the kernel with 1 KiB buffers for its pointers (all parameters but an f32 are pointers).
    void run(const std::string& body, std::uint32_t threads, const TraceOptions& trace = {}) {
        SessionOptions options;
        options.jobs = 2;
        options.trace = trace;
        session_ = std::move(Session::create(options)).value();
        const auto module = session_->load_module(kHead + body, "test.ptx");
        ASSERT_TRUE(module) << render(module.errors());
        const KernelId kernel = session_->kernels(*module).front();
        const KernelInfo& info = session_->kernel_info(kernel);
        std::vector<std::byte> parameters(info.parameter_bytes);
        for (const KernelParameter& parameter : info.parameters) {
            if (parameter.size == 8) {
                void* buffer = session_->memory().allocate(1024, machine::AllocationKind::kDevice);
                std::memcpy(parameters.data() + parameter.offset, &buffer, sizeof buffer);
            } else {
                const float two = 2;
                std::memcpy(parameters.data() + parameter.offset, &two, sizeof two);
            }
        }
        LaunchRequest request;
        request.kernel = kernel;
        request.grid = {2, 1, 1};
        request.block = {threads, 1, 1};
        request.parameters = parameters;
        result_ = session_->launch(request);
    }
    const PhaseTable& table() const { return *session_->profile().trace; }
    std::string cell(std::size_t phase, std::size_t thread, std::size_t column) const {
        const PhaseCell& cell = table().phases.at(phase).rows.at(thread).cells.at(column);
        std::string text;
        for (const PhaseStatement& statement : cell)
            text += (text.empty() ? "" : "; ") + views::statement_text(statement, views::kAllTerms);
        return text;
    }
    std::string diagnostics() const { return render(session_->profile().diagnostics); }

    std::unique_ptr<Session> session_;
    LaunchResult result_;
};

TEST_F(Trace, FollowsValuesThroughRegistersPredicatesAndLocalMemory) {
    run(kReverse, 8);
    ASSERT_EQ(result_.status, LaunchStatus::kOk);
    ASSERT_TRUE(session_->profile().trace) << diagnostics();
    ASSERT_EQ(table().phases.size(), 1u);  // fill, barrier, use
    EXPECT_EQ(table().phase_count, 1u);
    const Phase& phase = table().phases[0];
    ASSERT_EQ(phase.columns.size(), 3u);
    EXPECT_EQ(phase.columns[0].kind, ColumnKind::kLoad);  // kept beyond the barrier
    EXPECT_EQ(phase.columns[0].array, "arg0");
    EXPECT_EQ(phase.columns[1].array, "t");
    EXPECT_EQ(phase.columns[2].array, "arg1");
    EXPECT_EQ(cell(0, 1, 1), "arg0[1] → t[1]");
    EXPECT_EQ(cell(0, 4, 0), "arg0[4]");
    EXPECT_EQ(cell(0, 4, 1), "0 → t[4]");
    EXPECT_EQ(cell(0, 1, 2), "arg0[1] + arg2·t[6] → arg1[1]");
    EXPECT_EQ(table().least, table().most);
    EXPECT_EQ(table().most, (PhaseCounts{1, 1, 1, 1, 0, 2}));
    EXPECT_EQ(table().total.flop, 16u);
}

TEST_F(Trace, ThePtxMayTellOfItsSource) {
    const std::string facts =
        "// tilescope: kernel reverse\n// tilescope: parameter in\n// tilescope: parameter \n"
        "// tilescope: parameter factor\n// tilescope: shared t 2x4 float\n";
    run(kReverse + facts, 8);
    ASSERT_TRUE(session_->profile().trace) << diagnostics();
    EXPECT_EQ(cell(0, 1, 1), "in[1] → t[0][1]");
    EXPECT_EQ(cell(0, 1, 2), "in[1] + factor·t[1][2] → arg1[1]");
    // What has another number of parameters is another kernel's.
    run(kReverse + facts + "// tilescope: parameter more\n", 8);
    EXPECT_EQ(cell(0, 1, 1), "arg0[1] → t[1]");
}

TEST_F(Trace, ThreadsThatAreNotShownAreCounted) {
    TraceOptions options;
    options.block = {1, 0, 0};
    options.first_thread = 2;
    options.last_thread = 3;
    options.shapes = {*parse_shape("t=2x4"), *parse_shape("half=4@arg1+16")};
    run(kReverse, 8, options);
    ASSERT_TRUE(session_->profile().trace) << diagnostics();
    const Phase& phase = table().phases[0];
    ASSERT_EQ(phase.rows.size(), 2u);
    EXPECT_EQ(phase.rows[0].thread, 2u);
    EXPECT_EQ(cell(0, 0, 0), "arg0[2] → t[0][2]");
    EXPECT_EQ(phase.other_threads, 6u);
    EXPECT_EQ(phase.others, (PhaseCounts{6, 6, 6, 6, 0, 12}));
    EXPECT_EQ(table().block_index, (Dim3{1, 0, 0}));
    EXPECT_EQ(table().arrays.back().name, "half");
}

TEST_F(Trace, PhasesThatAreNotShownAreCounted) {
    TraceOptions options;
    options.first_phase = options.last_phase = 2;
    run(kReverse, 8, options);
    ASSERT_TRUE(session_->profile().trace);
    ASSERT_EQ(table().phases.size(), 1u);
    EXPECT_TRUE(table().phases[0].rows.empty());
    EXPECT_EQ(table().phases[0].others, (PhaseCounts{8, 8, 8, 8, 0, 16}));
    EXPECT_EQ(table().notes, std::vector<std::string>{"the block has 1 phase"});
}

TEST_F(Trace, CountsAndResultsAreThoseOfAnUntracedRun) {
    run(kReverse, 8);
    const CounterSet traced = session_->profile().launches[0].counters;
    TraceOptions elsewhere;
    elsewhere.block = {9, 0, 0};
    run(kReverse, 8, elsewhere);
    EXPECT_FALSE(session_->profile().trace);
    EXPECT_EQ(traced.values, session_->profile().launches[0].counters.values);
}

TEST_F(Trace, WhatIsNotThereIsNamed) {
    TraceOptions options;
    options.block = {2, 0, 0};
    run(kReverse, 8, options);
    EXPECT_EQ(result_.status, LaunchStatus::kOk);
    EXPECT_NE(diagnostics().find("there is no block (2, 0, 0) in a grid of 2"), std::string::npos) << diagnostics();
    options = {};
    options.first_thread = options.last_thread = 8;
    run(kReverse, 8, options);
    EXPECT_NE(diagnostics().find("there is no thread 8 in a block of 8"), std::string::npos) << diagnostics();
    options = {};
    options.shapes = {*parse_shape("M=4x4")};
    run(kReverse, 8, options);
    EXPECT_NE(diagnostics().find("it has arg0, arg1, t"), std::string::npos) << diagnostics();
    EXPECT_FALSE(session_->profile().trace);
    options.shapes = {*parse_shape("t=2x3:4")};
    run(kReverse, 8, options);
    EXPECT_NE(diagnostics().find("a trace does not know rows that begin apart"), std::string::npos) << diagnostics();
    options.shapes = {*parse_shape("t=33")};
    run(kReverse, 8, options);
    EXPECT_NE(diagnostics().find("t=33 has 33 bytes, but only 32 are there"), std::string::npos) << diagnostics();
    // Nobody says how wide the elements are until they are accessed.
    options.shapes = {*parse_shape("t=3x3")};
    run(kReverse, 8, options);
    ASSERT_TRUE(session_->profile().trace) << diagnostics();
    EXPECT_NE(diagnostics().find("t has room for 8 elements of 4 bytes"), std::string::npos) << diagnostics();
    EXPECT_EQ(cell(0, 1, 1), "arg0[1] → t[1]");
}

TEST_F(Trace, WhatACallBringsIsUnknown) {
    run(R"(
.func (.reg .f32 %out) double_it(.reg .f32 %in) { add.f32 %out, %in, %in; ret; }
.visible .entry caller(.param .u64 a)
{
    .reg .b64 %rd<2>; .reg .f32 %f<4>;
    ld.param.u64 %rd1, [a];
    ld.global.f32 %f1, [%rd1];
    add.f32 %f1, %f1, 0f3F800000;
    call (%f2), double_it, (%f1);
    st.global.f32 [%rd1+4], %f2;
    ret;
}
)",
        1);
    ASSERT_EQ(result_.status, LaunchStatus::kOk) << render(result_.diagnostics);
    ASSERT_TRUE(session_->profile().trace) << diagnostics();
    EXPECT_EQ(table().phases[0].columns.back().kind, ColumnKind::kStore);
    EXPECT_EQ(cell(0, 0, table().phases[0].columns.size() - 1), "? → arg0[1]");
}

TEST_F(Trace, AtomicsCopiesAndUnusedArithmetic) {
    run(R"(
.visible .entry several(.param .u64 a)
{
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<4>;
    .shared .align 16 .b8 s[32];
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, s;
    cp.async.ca.shared.global [%r1], [%rd1], 16, 8;
    cp.async.wait_all;
    bar.sync 0;
    red.global.add.u32 [%rd1+32], 7;
    ld.shared.f32 %f1, [%r1];
    mul.f32 %f2, %f1, 0f40000000;
    setp.gt.f32 %p1, %f2, 0f00000000;
    @%p1 st.global.f32 [%rd1], %f1;
    mov.f32 %f3, 0f40400000;
    mul.f32 %f3, %f3, %f3;
    st.global.f32 [%rd1+4], %f3;
    ret;
}
)",
        1);
    ASSERT_EQ(result_.status, LaunchStatus::kOk) << render(result_.diagnostics);
    ASSERT_TRUE(session_->profile().trace) << diagnostics();
    std::string all;
    for (std::size_t p = 0; p < table().phases.size(); ++p)
        for (std::size_t c = 0; c < table().phases[p].columns.size(); ++c) all += cell(p, 0, c) + "\n";
    for (const char* expected :
         {"arg0[0..1] → s[0..1]", "0 → s[2..3]", "atomic add: 7 → arg0[8]", "v1 = 2·s[0]", "1 mul", "9 → arg0[1]"})
        EXPECT_NE(all.find(expected), std::string::npos) << expected << " is not in\n" << all;
}

TEST_F(Trace, TheRecordIsBounded) {
    run(R"(
.visible .entry endless(.param .u64 a)
{
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<4>;
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, 0;
    mov.f32 %f1, 0f00000000;
again:
    ld.global.f32 %f2, [%rd1];
    fma.rn.f32 %f1, %f2, %f2, %f1;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 1000000;
    @%p1 bra again;
    st.global.f32 [%rd1], %f1;
    ret;
}
)",
        1);
    ASSERT_TRUE(session_->profile().trace) << diagnostics();
    EXPECT_TRUE(table().phases[0].rows.empty());
    EXPECT_EQ(table().most.global_loads, 1000000u);
    EXPECT_EQ(table().most.flop, 2000000u);
    ASSERT_EQ(table().notes.size(), 1u);
    EXPECT_NE(table().notes[0].find("--threads"), std::string::npos);
}

}  // namespace
}  // namespace tilescope
