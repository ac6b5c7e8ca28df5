// Pictures that follow from answers, and their colours.
#include "scope/lessons/pictures.h"

#include <regex>
#include <set>

#include "scope/views/render/chart.h"
#include "scope/views/render/phase_view.h"
#include "scope/views/render/picture_view.h"
#include "tests/lessons/sample_lesson.h"

namespace tilescope::lessons {
namespace {

// A warp that reads a column of tile[32][WIDTH] on line 7, and every second float of `in`.
PhaseTable column_of(std::uint64_t width) {
    PhaseTable table;
    table.arrays = {{"in", PhaseSpace::kGlobal, 4096, 4, {}},
                    {"tile", PhaseSpace::kShared, 32 * 4 * width, 4, {32, width}}};
    Phase phase;
    phase.first = phase.last = 1;
    phase.columns = {{ColumnKind::kCompute, "", 0, {7}}};
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        PhaseStatement statement;
        statement.kind = StatementKind::kCompute;
        statement.target = "sum";
        statement.terms = {"subtile[9][9] * tile[" + std::to_string(lane) + "][3]",
                           "in[" + std::to_string(2 * lane) + "]"};
        phase.rows.push_back({lane, {{statement}}, {}});
    }
    table.phases = {phase};
    return table;
}

Picture picture_of(PictureKind kind) {
    Picture picture;
    picture.name = "p";
    picture.kind = kind;
    picture.runs = {"naive"};
    picture.line = "[inner]";
    return picture;
}

class LessonPictures : public ::testing::Test {
protected:
    void trace(const PhaseTable& table) { sample_.run.profile->trace = table; }
    std::size_t count(const std::string& text, const std::string& part) const {
        std::size_t found = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
        return found;
    }
    SampleLesson sample_;
};

TEST_F(LessonPictures, BanksOfAColumn) {
    trace(column_of(32));
    const auto all = access(picture_of(PictureKind::kBanks), sample_.answers);
    ASSERT_TRUE(all) << render(all.errors());
    EXPECT_EQ(all->array, "tile");
    EXPECT_EQ(all->lanes[5], (5U * 32 + 3) * 4);
    EXPECT_NE(views::access_svg(*all).find("32 lanes, one element of tile each: 32 wavefronts at the banks"),
              std::string::npos);
    trace(column_of(33));
    const auto padded = access(picture_of(PictureKind::kBanks), sample_.answers);
    EXPECT_NE(views::access_svg(*padded).find("32 lanes, one element of tile each: 1 wavefront at the banks"),
              std::string::npos);
}

TEST_F(LessonPictures, SectorsOfARequest) {
    trace(column_of(32));
    const auto request = access(picture_of(PictureKind::kRequest), sample_.answers);
    ASSERT_TRUE(request) << render(request.errors());
    EXPECT_EQ(request->lanes[31], 62U * 4);
    const std::string data = views::access_data(*request);
    EXPECT_EQ(data.substr(0, data.find("\"title\"")), "{\"kind\":\"sectors\",") << data;
    EXPECT_NE(data.find("\"lanes\":["), std::string::npos) << data;
    const std::string svg = views::access_svg(*request);
    EXPECT_NE(svg.find("32 lanes, one element of in each: 8 sectors, 4 would hold them"), std::string::npos) << svg;
    EXPECT_EQ(count(svg, "rx=\"2\""), 32U);
}

TEST_F(LessonPictures, WhatCannotBeDrawnSaysWhy) {
    const auto failure = [&](const Picture& picture) {
        const auto drawn = access(picture, sample_.answers);
        return drawn ? std::string() : render(drawn.errors());
    };
    Picture picture = picture_of(PictureKind::kBanks);
    EXPECT_NE(failure(picture).find("traced nothing"), std::string::npos);
    trace(column_of(32));
    picture.line = "[nowhere]";
    EXPECT_NE(failure(picture).find("no line of the program"), std::string::npos);
    picture.line = "[store]";
    EXPECT_NE(failure(picture).find("no access to memory was traced"), std::string::npos);
    picture.line = "[inner]";
    picture.array = "subtile";
    EXPECT_NE(failure(picture).find("no access to subtile"), std::string::npos);
}

TEST_F(LessonPictures, ACurveOverRuns) {
    Picture picture = picture_of(PictureKind::kCurve);
    picture.x = "stride";
    picture.y = "bytes";
    for (const double x : {32., 1., 4.}) picture.points.push_back({"naive", x, expression("dram_read_bytes / 640")});
    const auto chart = curve(picture, sample_.answers);
    ASSERT_TRUE(chart) << render(chart.errors());
    EXPECT_TRUE(chart->x.logarithmic);
    EXPECT_EQ(chart->x.least, 1);
    EXPECT_EQ(chart->curves[0].points.front(), std::make_pair(1., 1.));
    EXPECT_EQ(chart->subtitle, "modelled");
    EXPECT_EQ(chart->marks[0].name, "1");
    const std::string data = views::chart_data(*chart);
    EXPECT_NE(data.find(R"("logarithmic":true,"least":1.0)"), std::string::npos) << data;
    EXPECT_NE(data.find(R"("points":[[1.0,1.0])"), std::string::npos) << data;
    picture.points[0].value = expression("1000 / 3");
    picture.points[1].value = expression("100000 / 3");
    EXPECT_EQ(curve(picture, sample_.answers)->marks[0].name, "333");
    EXPECT_EQ(curve(picture, sample_.answers)->marks[1].name, "33333");
    picture.points[1].value = expression("kernel");
    EXPECT_FALSE(curve(picture, sample_.answers));
    picture.points = {{"naive", 1, expression("1")}, {"naive", 1, expression("2")}};
    EXPECT_FALSE(curve(picture, sample_.answers));
}

// A colour without a dark counterpart would be unreadable on a dark page.
TEST_F(LessonPictures, EveryColourHasADarkOne) {
    trace(column_of(32));
    Picture picture = picture_of(PictureKind::kCurve);
    picture.points = {{"naive", 1, expression("1")}, {"naive", 2, expression("2")}};
    const auto chart = curve(picture, sample_.answers);
    ASSERT_TRUE(chart);
    for (const std::string& svg : {views::access_svg(*access(picture_of(PictureKind::kBanks), sample_.answers)),
                                   views::access_svg(*access(picture_of(PictureKind::kRequest), sample_.answers)),
                                   views::chart_svg(*chart), views::phase_svg_view(column_of(32), false)}) {
        const std::string themed = views::for_light_and_dark(svg, "a <title>");
        EXPECT_NE(themed.find("<title>a &lt;title&gt;</title>"), std::string::npos);
        const std::string style =
            themed.substr(themed.find("<style>"), themed.find("</style>") - themed.find("<style>"));
        const std::regex color("(fill|stroke)=\"(#[0-9a-f]{6})\"");
        std::set<std::string> used;
        for (std::sregex_iterator at(svg.begin(), svg.end(), color), end; at != end; ++at) used.insert(at->str());
        EXPECT_FALSE(used.empty());
        for (const std::string& each : used) EXPECT_NE(style.find("[" + each + "]{"), std::string::npos) << each;
    }
}

}  // namespace
}  // namespace tilescope::lessons
