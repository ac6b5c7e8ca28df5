// The C++ library: modules, buffers, launches, and what is read of them; and every way that it refuses.
#include "scope/library/tilescope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "scope/report/json.h"
#include "tests/library/kernels.h"

namespace tilescope::library {
namespace {

struct Ready {
    Session session;
    Module module;
};

Ready ready(Options options = {}) {
    options.ptxas = false;
    auto session = Session::create(options);
    EXPECT_TRUE(session) << session.error().text();
    auto module = session->load_ptx(kCopy, "copy.ptx");
    EXPECT_TRUE(module) << module.error().text();
    return {*session, *module};
}

std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
    return values;
}

TEST(Library, RunsAKernelAndReadsWhatItDid) {
    auto [session, module] = ready();
    const auto in = session.buffer(counting(8192));
    const auto out = session.buffer<float>(1024);
    ASSERT_TRUE(in && out);
    const auto launch = session.launch(*module.kernel("copy"), {{4}, {256}}, *in, *out, 8u);
    ASSERT_TRUE(launch) << launch.error().text();
    const auto values = out->read();
    ASSERT_TRUE(values);
    EXPECT_EQ((*values)[0], 0);
    EXPECT_EQ((*values)[1023], 8184);

    EXPECT_EQ(launch->kernel, "copy");
    EXPECT_EQ(launch->grid.x, 4u);
    EXPECT_EQ(launch->block.x, 256u);
    // 32 warps; a stride of 32 bytes is a sector for each lane.
    EXPECT_EQ(launch->counters.at("global_load_requests"), 32u);
    EXPECT_EQ(launch->counters.at("global_load_sectors"), 1024u);
    EXPECT_EQ(*launch->value("global_load_sectors_per_request"), 32);
    EXPECT_EQ(*launch->value("global_store_sectors_per_request"), 4);
    EXPECT_EQ(*launch->value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 1024);
    ASSERT_TRUE(launch->microseconds);
    EXPECT_GT(*launch->microseconds, 0);
    EXPECT_FALSE(launch->bound.empty());
    EXPECT_TRUE(launch->hazards.empty());
    ASSERT_FALSE(launch->lines.empty());
    const auto said = std::find_if(launch->advice.begin(), launch->advice.end(),
                                   [](const Advice& advice) { return advice.rule == "coalesce"; });
    ASSERT_NE(said, launch->advice.end());
    EXPECT_FALSE(said->message.empty());
}

TEST(Library, WithoutCachesThereIsNoTime) {
    Options options;
    options.caches = false;
    auto [session, module] = ready(options);
    const auto in = session.buffer<float>(1024), out = session.buffer<float>(1024);
    const auto launch = session.launch(*module.kernel("copy"), {{4}, {256}}, *in, *out, 1u);
    ASSERT_TRUE(launch) << launch.error().text();
    EXPECT_FALSE(launch->microseconds);
    EXPECT_EQ(launch->value("l1_hit_rate").error().code, "library-no-value");
}

TEST(Library, NamesThatAreNoneAreRefusedWithTheNearest) {
    auto [session, module] = ready();
    const auto in = session.buffer<float>(32), out = session.buffer<float>(32);
    const auto launch = session.launch(*module.kernel("copy"), {{1}, {32}}, *in, *out, 1u);
    ASSERT_TRUE(launch);
    const auto value = launch->value("global_load_sector");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, "library-no-metric");
    EXPECT_NE(value.error().hint.find("global_load_sectors"), std::string::npos) << value.error().text();
    EXPECT_EQ(module.kernel("cpoy").error().code, "library-no-kernel");
    EXPECT_NE(module.kernel("cpoy").error().hint.find("copy"), std::string::npos);
    EXPECT_EQ(module.variable("count").error().code, "library-no-variable");
    EXPECT_NE(Session::create({.device = "h900"}).error().text().find("h900"), std::string::npos);
    EXPECT_EQ(Session::create({.checks = {"race"}}).error().code, "library-option");
    EXPECT_FALSE(session.load("no_such_file.ptx"));
    EXPECT_FALSE(session.load_ptx("this is no PTX", "words"));
}

TEST(Library, ArgumentsAreHeldAgainstTheParameters) {
    auto [session, module] = ready();
    const auto in = session.buffer<float>(32), out = session.buffer<float>(32);
    const auto kernel = module.kernel("copy");
    EXPECT_EQ(session.launch(*kernel, {{1}, {32}}, *in, *out).error().code, "library-argument");
    EXPECT_EQ(session.launch(*kernel, {{1}, {32}}, *in, *out, std::uint64_t{1}).error().code, "library-argument");
    EXPECT_EQ(session.launch(*kernel, {{1}, {2048}}, *in, *out, 1u).error().code, "library-launch");
    auto other = ready();
    EXPECT_EQ(other.session.launch(*kernel, {{1}, {32}}, *in, *out, 1u).error().code, "library-argument");
    EXPECT_TRUE(session.launch(*kernel, {{1}, {32}}, *in, *out, 1u));
}

TEST(Library, AFaultIsAnErrorAndTheSessionGoesOn) {
    auto [session, module] = ready();
    const auto in = session.buffer<float>(32), out = session.buffer<float>(32);
    const auto bad = session.launch(*module.kernel("copy"), {{1}, {32}}, *in, *out, 1u << 16);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, "library-fault");
    EXPECT_NE(bad.error().line, 0u);
    EXPECT_TRUE(session.launch(*module.kernel("copy"), {{1}, {32}}, *in, *out, 1u));
}

TEST(Library, ALimitEndsWhatWouldNotEnd) {
    Options options;
    options.max_instructions = 100000;
    auto [session, module] = ready(options);
    const auto ended = session.launch(*module.kernel("endless"), {{1}, {32}});
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, "library-limit") << ended.error().text();
}

TEST(Library, HazardsOfAsManyChecksAsWereAskedFor) {
    for (const bool asked : {false, true}) {
        Options options;
        if (asked) options.checks = {"races"};
        auto [session, module] = ready(options);
        const auto out = session.buffer<unsigned>(1);
        const auto launch = session.launch(*module.kernel("race"), {{1}, {64}}, *out);
        ASSERT_TRUE(launch) << launch.error().text();
        ASSERT_EQ(launch->hazards.empty(), !asked);
        if (!asked) continue;
        EXPECT_EQ(launch->hazards.front().kind, "race");
        EXPECT_FALSE(launch->hazards.front().message.empty());
        EXPECT_NE(launch->hazards.front().at.line, 0u);
    }
}

TEST(Library, VariablesAndBuffersAreReadAndWrittenWithinTheirEnds) {
    auto [session, module] = ready();
    auto variable = module.variable("counted");
    ASSERT_TRUE(variable);
    ASSERT_EQ(variable->bytes(), 4u);
    unsigned value = 0;
    ASSERT_TRUE(variable->read(&value, 4));
    EXPECT_EQ(value, 7u);
    value = 9;
    ASSERT_TRUE(variable->write(&value, 4));
    value = 0;
    ASSERT_TRUE(variable->read(&value, 4));
    EXPECT_EQ(value, 9u);
    EXPECT_EQ(variable->read(&value, 4, 1).error().code, "library-range");
    EXPECT_EQ(variable->write(&value, 8).error().code, "library-range");
    EXPECT_EQ(variable->read(&value, 4, UINT64_MAX).error().code, "library-range");

    auto buffer = session.buffer<int>(4);
    ASSERT_TRUE(buffer);
    EXPECT_TRUE(buffer->write({5, 6}, 2));
    EXPECT_EQ(*buffer->read(), (std::vector<int>{0, 0, 5, 6}));
    EXPECT_FALSE(buffer->write({5, 6}, 3));
    EXPECT_EQ(session.buffer<int>(SIZE_MAX).error().code, "library-memory");
    EXPECT_FALSE(session.memory(std::uint64_t{1} << 60));
}

TEST(Library, BuffersOutliveTheirSession) {
    std::optional<Buffer<int>> kept;
    {
        auto session = Session::create({});
        ASSERT_TRUE(session);
        kept.emplace(std::move(*session->buffer(std::vector<int>{1, 2})));
    }
    EXPECT_EQ(*kept->read(), (std::vector<int>{1, 2}));
}

TEST(Library, ItsProfileIsTheProgramsOwn) {
    auto [session, module] = ready();
    const auto in = session.buffer<float>(32), out = session.buffer<float>(32);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(session.launch(*module.kernel("copy"), {{1}, {32}}, *in, *out, 1u));
    const auto json = session.json();
    ASSERT_TRUE(json);
    const auto profile = report::from_json(*json, "json");
    ASSERT_TRUE(profile);
    ASSERT_EQ(profile->launches.size(), 3u);
    EXPECT_EQ(profile->launches[2].kernel, "copy");
    EXPECT_EQ(profile->tilescope_version, version());
}

}  // namespace
}  // namespace tilescope::library
