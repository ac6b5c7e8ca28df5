// All that loading and launching put into the profile, whoever asks for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "scope/image/load.h"
#include "scope/session/session.h"
#include "tests/session/kernel_runner.h"

namespace tilescope::test {
namespace {

std::unique_ptr<Session> new_session() {
    auto session = Session::create({});
    EXPECT_TRUE(session);
    return std::move(session).value();
}

const Diagnostic kNothingRuns = error("test-no-ptx", {}, "nothing here runs");

std::string module_with(const std::string& name, const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name + "()\n{\n.reg .b32 %r<2>;\n" +
           body + "\n}\n";
}

TEST(Loading, TakesWhatTheDeviceRunsAndWhatIsKnownOfIt) {
    const auto session = new_session();
    image::LoadedImage image;
    image.ptx = {{"old.cu", 80, false, false, module_with("old", "ret;")},
                 {"new.cu", 100, false, false, "not even PTX"}};
    image::KernelResources& resources = image.resources.emplace_back();
    resources.name = "old";
    resources.registers = 77;
    resources.barriers = 3;
    image.resources_from = image::ResourcesFrom::kCubin;
    image.notes = {{Severity::kNote, "test-note", {}, "a note", {}}};
    const auto module = session->load(image, kNothingRuns);
    ASSERT_TRUE(module) << render(module.errors());
    const auto found = session->find_kernel(*module, "old");
    ASSERT_TRUE(found);
    EXPECT_EQ(session->kernel_info(*found).registers, 77u);
    EXPECT_EQ(session->kernel_info(*found).registers_from, RegistersFrom::kCubin);
    EXPECT_EQ(session->kernel_info(*found).barriers, 3u);
    ASSERT_EQ(session->profile().diagnostics.size(), 1u);
    EXPECT_EQ(session->profile().diagnostics[0].code, "test-note");
    EXPECT_EQ(session->profile().outcome, Outcome::kOk);
}

TEST(Loading, ReportsOnceWhatADriverWouldRefuseToo) {
    const auto session = new_session();
    image::LoadedImage image;
    image.ptx = {};
    for (int i = 0; i < 2; ++i) {
        const auto module = session->load(image, kNothingRuns);
        ASSERT_FALSE(module);
        EXPECT_EQ(module.errors().front().code, "test-no-ptx");
    }
    ASSERT_EQ(session->profile().diagnostics.size(), 1u);  // said once
    EXPECT_EQ(session->profile().outcome, Outcome::kOk);
}

// ptxas refuses it as well; which of the two would be meant is anybody's guess.
TEST(Loading, ANameThatIsDefinedTwiceIsRefused) {
    const auto session = new_session();
    const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (const std::string defined : {".weak .global .u32 g = 1;\n", ".visible .const .u32 g;\n",
                                      ".visible .entry g() { ret; }\n", ".weak .func g() { ret; }\n"}) {
        const auto module = session->load_module(head + defined + defined, "twice.ptx");
        ASSERT_FALSE(module) << defined;
        EXPECT_EQ(module.errors().front().code, "session-defined-twice");
        EXPECT_EQ(module.errors().front().location.line, 5u);
    }
    const std::string declared = ".extern .global .u32 g;\n.extern .func f();\n";
    EXPECT_TRUE(session->load_module(
        head + declared + declared + ".visible .global .u32 g;\n.visible .func f() { ret; }\n", "declared.ptx"));
}

TEST(Loading, RejectsMoreParametersThanTheVersionAllows) {
    const auto session = new_session();
    const auto load = [&](const char* version, const std::string& parameters) {
        return session->load_module(std::string(".version ") + version + "\n.target sm_90\n.address_size 64\n" +
                                        ".visible .entry k(" + parameters + ") { ret; }\n",
                                    "parameters.ptx");
    };
    EXPECT_TRUE(load("8.0", ".param .b8 p[4352]"));
    EXPECT_TRUE(load("8.1", ".param .b8 p[32764]"));
    for (const auto& [version, parameters, size] : {
             std::tuple{"8.0", ".param .b8 p[4353]", "4,353 bytes of parameters, and at most 4,352"},
             std::tuple{"8.1", ".param .b8 p[32765]", "32,765 bytes of parameters, and at most 32,764"},
             std::tuple{"8.0", ".param .b8 p[60000000000]", "60,000,000,000 bytes"},
             std::tuple{"8.1", ".param .b8 p[4294967300]", "4,294,967,300 bytes"},
             std::tuple{"8.1", ".param .u32 p, .param .align 2147483648 .b8 q[4]", "2,147,483,652 bytes"},
             std::tuple{"8.1", ".param .b64 p[281474976710656]", "more than 2^48 bytes"},
         }) {
        const auto module = load(version, parameters);
        ASSERT_FALSE(module) << parameters;
        EXPECT_EQ(module.errors().front().code, "session-too-many-parameters") << parameters;
        EXPECT_NE(module.errors().front().message.find(size), std::string::npos) << module.errors().front().message;
    }
}

TEST(Loading, RejectsDeclarationsThatNoCompilerWrites) {
    const auto session = new_session();
    const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
    const auto load = [&](const std::string& variable, const std::string& body) {
        return session->load_module(head + variable + ".visible .entry k() { " + body + " ret; }\n", "sizes.ptx");
    };
    EXPECT_TRUE(load(".global .align 2097152 .b8 g[4];\n", ".reg .b32 %r<4194304>;"));
    for (const auto& [variable, body, code] : {
             std::tuple{".global .align 4194304 .b8 g[4];\n", "", "session-alignment-too-large"},
             std::tuple{".shared .align 2147483648 .b8 g[4];\n", "", "session-alignment-too-large"},
             std::tuple{"", ".local .align 2147483648 .b8 l[4];", "session-alignment-too-large"},
             std::tuple{"", "{ .reg .b32 %r<16777216>; }", "session-too-many-registers"},
             std::tuple{"", ".reg .b32 %r<4194304>; .reg .b64 %d;", "session-too-many-registers"},
         }) {
        const auto module = load(variable, body);
        ASSERT_FALSE(module) << variable << body;
        EXPECT_EQ(module.errors().front().code, code);
    }
}

// Of cards whose tensor cores nobody measured the result is another's, and that is said once.
TEST(Loading, SumsOfAnotherCardsTensorCoresAreMarked) {
    const std::string floats =
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1,%r1,%r1,%r1}, {%r1,%r1,%r1,%r1}, {%r1,%r1}, "
        "{%r1,%r1,%r1,%r1};\nret;";
    const std::string integers =
        "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r1,%r1,%r1,%r1}, {%r1,%r1}, {%r1}, {%r1,%r1,%r1,%r1};\nret;";
    const auto marks = [](const std::string& device, const std::string& body) {
        SessionOptions options;
        options.device = device;
        auto session = Session::create(options);
        const auto module = (*session)->load_module(module_with("k", body), "k.ptx");
        LaunchRequest request;
        request.kernel = *(*session)->find_kernel(*module, "k");
        request.block = {32, 1, 1};
        for (int i = 0; i < 2; ++i) EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
        const Diagnostics& said = (*session)->profile().diagnostics;
        return std::count_if(said.begin(), said.end(),
                             [](const Diagnostic& one) { return one.code == "tensor-sums-of-hopper"; });
    };
    EXPECT_EQ(marks("a100", floats), 1);
    EXPECT_EQ(marks("rtx4090", floats), 1);
    EXPECT_EQ(marks("h100", floats), 0);
    EXPECT_EQ(marks("a100", integers), 0);
}

TEST(Loading, ALaunchSaysHowItEnded) {
    const auto session = new_session();
    const auto module = session->load_module(module_with("strange", "frobnicate.u32 %r1, 1;\nret;"), "strange.ptx");
    ASSERT_TRUE(module);
    LaunchRequest request;
    request.kernel = *session->find_kernel(*module, "strange");
    request.block = {2000, 1, 1};
    EXPECT_EQ(session->launch(request).status, LaunchStatus::kInvalidConfiguration);
    EXPECT_EQ(session->profile().outcome, Outcome::kOk);  // refused: the caller may try again
    request.block = {32, 1, 1};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(session->launch(request).status, LaunchStatus::kUnsupported);
    EXPECT_EQ(session->profile().outcome, Outcome::kUnsupported);
    EXPECT_EQ(session->profile().diagnostics.size(), 1u);
    // The first bad end stays.
    const auto other = session->load_module(module_with("bad", "trap;\nret;"), "bad.ptx");
    ASSERT_TRUE(other);
    request.kernel = *session->find_kernel(*other, "bad");
    EXPECT_EQ(session->launch(request).status, LaunchStatus::kFault);
    EXPECT_EQ(session->profile().outcome, Outcome::kUnsupported);
}

TEST(Loading, SharedMemoryMayBeAllThatTheDeviceGives) {
    const auto session = new_session();
    const auto module = session->load_module(module_with("k", "ret;"), "k.ptx");
    ASSERT_TRUE(module);
    LaunchRequest request;
    request.kernel = *session->find_kernel(*module, "k");
    request.dynamic_shared_bytes = 49 * 1024;
    EXPECT_EQ(session->launch(request).status, LaunchStatus::kTooMuchShared);
    request.max_dynamic_shared_bytes = std::nullopt;
    EXPECT_EQ(session->launch(request).status, LaunchStatus::kOk);
    request.dynamic_shared_bytes = session->device().shared_bytes_per_block_optin + 1;
    EXPECT_EQ(session->launch(request).status, LaunchStatus::kTooMuchShared);
}

}  // namespace
}  // namespace tilescope::test
