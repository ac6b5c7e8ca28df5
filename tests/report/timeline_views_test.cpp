// Copies, the time line and managed pages: through JSON, through the journal, and as text and Chrome trace.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scope/report/format.h"
#include "scope/report/journal.h"
#include "scope/report/json.h"
#include "scope/views/view.h"

namespace tilescope::report {
namespace {

TimelineSpan span(SpanKind kind, SpanLane lane, std::string name, double begin, double microseconds) {
    TimelineSpan it;
    it.kind = kind;
    it.lane = lane;
    it.name = std::move(name);
    it.begin = begin;
    it.microseconds = microseconds;
    return it;
}

Profile profile_with_work() {
    Profile profile;
    profile.program = "overlap.cu";
    Transfer up;
    up.direction = CopyDirection::kHtoD;
    up.host_memory = HostMemory::kPinned;
    up.stream = 2;
    up.is_async = true;
    up.count = 3;
    up.bytes = 3 << 20;
    up.microseconds = 66.5;
    up.file = "/home/somebody/overlap.cu";
    up.line = 42;
    profile.transfers.push_back(up);
    Transfer within;
    within.direction = CopyDirection::kDtoD;
    within.count = 1;
    within.bytes = 512;
    profile.transfers.push_back(within);
    TimelineSpan copy = span(SpanKind::kCopy, SpanLane::kToDevice, "copy HtoD, pinned", 4, 22.5);
    copy.stream = 2;
    copy.bytes = 1 << 20;
    TimelineSpan kernel = span(SpanKind::kKernel, SpanLane::kCompute, "scale(float*)", 10, 30);
    kernel.stream = 3;
    kernel.launch = 7;
    profile.timeline = {copy, kernel, span(SpanKind::kWait, SpanLane::kHost, "cudaDeviceSynchronize", 12, 28)};
    profile.timeline_totals = TimelineTotals{40, 30, 22.5, 16.5, 28, 2, 5, 9};
    PageReport pages;
    pages.managed_bytes = 1 << 24;
    pages.total.faults = 48;
    pages.total.evicted_bytes = 1 << 20;
    pages.trouble = PageTrouble::kThrash;
    pages.message = "pages thrash: " + std::string(200, 'x') + " work on pieces";
    pages.launches.push_back({0, pages.total});
    profile.pages = pages;
    return profile;
}

TEST(TimelineJson, ComesBack) {
    const Profile profile = profile_with_work();
    const auto back = from_json(to_json(profile), "profile");
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(to_json(*back), to_json(profile));
    ASSERT_EQ(back->timeline.size(), 3u);
    EXPECT_EQ(back->timeline[1].launch, 7u);
    EXPECT_EQ(back->pages, profile.pages);
}

TEST(TimelineJson, SaysNothingOfAProgramThatDoesNotCopy) {
    const auto json = nlohmann::json::parse(to_json(Profile{}));
    for (const char* key : {"transfers", "timeline", "overlap", "pages"}) {
        EXPECT_FALSE(json.contains(key)) << key;
    }
}

TEST(TimelineJournal, BringsBackWhatGrew) {
    Profile profile = profile_with_work();
    const Profile whole = profile;
    profile.timeline.pop_back();
    profile.transfers.pop_back();
    profile.transfers[0].count = 2;
    profile.timeline_totals->microseconds = 10;
    profile.pages->total.faults = 1;
    JournalWriter writer;
    std::string journal = process_line({7, 0, "program"}) + writer.news(profile);
    journal += writer.news(whole);
    EXPECT_EQ(writer.news(whole), "");
    const auto back = read_journal(journal, "journal");
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(to_json(*back), to_json(whole));
}

// A program that replaces itself by another one: the second line begins behind the first.
TEST(TimelineJournal, TheLineOfASuccessorFollows) {
    const Profile profile = profile_with_work();
    std::string journal = process_line({7, 0, "program"}) + JournalWriter().news(profile);
    journal += JournalWriter().news(profile);
    const auto back = read_journal(journal, "journal");
    ASSERT_TRUE(back) << render(back.errors());
    ASSERT_EQ(back->timeline.size(), 6u);
    EXPECT_EQ(back->timeline[3].begin, 44);
    EXPECT_EQ(back->timeline_totals->microseconds, 80);
    EXPECT_EQ(back->transfers.size(), 4u);
}

TEST(ChromeTrace, HasEverySpanInItsStreamAndOnItsEngine) {
    const auto trace = nlohmann::json::parse(views::chrome_trace_view(profile_with_work(), {}));
    std::map<std::pair<int, int>, std::string> threads;
    std::vector<std::string> spans;
    for (const auto& event : trace["traceEvents"]) {
        if (event["name"] == "thread_name") threads[{event["pid"], event["tid"]}] = event["args"]["name"];
        if (event["ph"] == "X")
            spans.push_back(event["name"].get<std::string>() + " on " + threads[{event["pid"], event["tid"]}]);
    }
    EXPECT_EQ(spans, (std::vector<std::string>{"copy HtoD, pinned on stream 2", "copy HtoD, pinned on copies HtoD",
                                               "scale(float*) on stream 3", "scale(float*) on SMs",
                                               "cudaDeviceSynchronize on host"}));
}

TEST(TimelineText, StaysWithinTheWidth) {
    const Profile profile = profile_with_work();
    const std::string text = views::text_view(profile, {});
    EXPECT_NE(text.find("HtoD pinned"), std::string::npos) << text;
    EXPECT_NE(text.find("overlap.cu:42"), std::string::npos);
    EXPECT_NE(text.find("73 % of the copy time overlaps"), std::string::npos) << text;
    EXPECT_NE(text.find("it ends before launch 9"), std::string::npos);
    EXPECT_NE(text.find("2 launches of graphs"), std::string::npos) << text;
    EXPECT_NE(text.find("1,048,576 B evicted"), std::string::npos);
    for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
        const std::string line = text.substr(at, end - at);
        if (line.find("xxx") != std::string::npos) continue;
        EXPECT_LE(columns(line), 100u) << line;
    }
    EXPECT_EQ(views::text_view(Profile{}, {}).find("host and device"), std::string::npos);
}

TEST(TimelineText, IsDrawnWithTheStreamThatKeepsEachEngineBusy) {
    Profile profile = profile_with_work();
    views::ViewOptions options;
    options.width = 54;  // 40 places, one for each microsecond
    EXPECT_EQ(views::time_line_view(profile, options),
              "timeline, 40.0 µs (modeled)\n"
              "  host        ············wwwwwwwwwwwwwwwwwwwwwwwwwwww\n"
              "  to device   ····22222222222222222222222·············\n"
              "  SMs         ··········333333333333333333333333333333\n"
              "              0                   20.0 µs\n"
              "  a digit: the stream that keeps it busy, 0 the\n"
              "  default one; w: the host waits; ·: nothing; 5 more\n"
              "  pieces behind these are left out\n");
    EXPECT_EQ(views::text_view(profile, options).find("default one; w"), std::string::npos);
    options.verbose = true;
    EXPECT_NE(views::text_view(profile, options).find("default one; w"), std::string::npos);
    // The smallest piece has a place; times that nobody can have draw nothing.
    profile.timeline.push_back(span(SpanKind::kCopy, SpanLane::kToHost, "copy DtoH, pinned", 39.95, 0.01));
    EXPECT_NE(views::time_line_view(profile, options).find("  to host     ·"), std::string::npos);
    profile.timeline[0].begin = 1e308;
    profile.timeline[0].microseconds = 1e308;
    EXPECT_EQ(views::time_line_view(profile, options), "");
    EXPECT_EQ(views::time_line_view(Profile{}, options), "");
}

TEST(TimelineText, NamesTheCallsThatWait) {
    Profile profile = profile_with_work();
    profile.timeline.push_back(span(SpanKind::kWait, SpanLane::kHost, "cudaMemcpy", 40, 30));
    profile.timeline.push_back(span(SpanKind::kWait, SpanLane::kHost, "cudaMemcpy", 70, 30));
    views::ViewOptions options;
    options.verbose = true;
    const std::string text = views::text_view(profile, options);
    EXPECT_NE(text.find("the host waits in cudaMemcpy (2 times, 60.0 µs), cudaDeviceSynchronize (1 time"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace tilescope::report
