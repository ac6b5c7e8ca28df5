// Drawn charts: expected pictures, and what must hold of any chart, however odd. TILESCOPE_UPDATE_GOLDENS=1 writes the
// pictures anew; look at them before committing.
#include "scope/views/render/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "scope/report/format.h"
#include "scope/views/render/chart_scale.h"
#include "scope/views/render/svg_text.h"
#include "tests/report/golden_file.h"
#include "tests/report/svg_reader.h"

namespace tilescope::report {
using namespace views;
namespace {

// Slopes, ceilings and points close to each other, on logarithmic axes.
Chart slopes() {
    Chart chart;
    chart.title = "Slopes & ceilings";
    chart.subtitle = "three slopes, five ceilings, marks on and off them";
    chart.x = {"intensity, FLOP/byte", true, 0.01, 1000};
    chart.y = {"FLOP/s", true, 1e10, 1e15};
    const auto slope = [&](const char* name, double bandwidth, double top, bool strong) {
        chart.curves.push_back({name, {{1e-3, bandwidth * 1e-3}, {top / bandwidth, top}}, false, strong});
    };
    const auto flat = [&](const char* name, double peak, bool strong) {
        chart.curves.push_back({name, {{peak / 1.555e12, peak}, {1e5, peak}}, false, strong});
    };
    slope("DRAM 1.56 TB/s", 1.555e12, 19.5e12, true);
    flat("fp32 19.5 TFLOP/s", 19.5e12, true);
    slope("L2 4.6 TB/s", 4.6e12, 312e12, false);
    slope("L1 19.5 TB/s", 19.5e12, 312e12, false);
    flat("fp64 9.7 TFLOP/s", 9.7e12, false);
    flat("fp16 78 TFLOP/s", 78e12, false);
    flat("tf32 tensor 156 TFLOP/s", 156e12, false);
    flat("fp16 tensor 312 TFLOP/s", 312e12, false);
    chart.marks = {{"naive<float>", 0.25, 388.75e9, true},  {"tiled<16>", 3.94, 3.94 * 1.555e12, false},
                   {"tiled<64>", 60, 19.5e12, false},       {"beside tiled<64>", 60, 19.4e12, false},
                   {"far too slow to show", 0.5, 1, false}, {"alone", 300, 1e11, false}};
    chart.notes = {"What is below a roof could be faster; what is at one could not."};
    return chart;
}

// Steps on linear axes, two curves that partly coincide.
Chart steps() {
    Chart chart;
    chart.title = "Warps on an SM";
    chart.x = {"threads per block", false, 0, 1024};
    chart.y = {"warps", false, 0, 64};
    Curve exact{"by whole blocks", {}, true, true}, divided{"by division", {}, true, false};
    for (int threads = 32; threads <= 1024; threads += 32) {
        const int warps = threads / 32;
        exact.points.emplace_back(threads, std::min(48 / warps, 32) * warps);
        divided.points.emplace_back(threads, std::min(56 / warps, 32) * warps);
    }
    chart.curves = {exact, divided};
    chart.marks = {{"256 threads", 256, 48, true}, {"768 threads", 768, 48, false}};
    return chart;
}

TEST(ChartGoldens, Text) {
    expect_golden("chart_slopes.txt", chart_text(slopes(), {}));
    expect_golden("chart_steps.txt", chart_text(steps(), {80, 20, false}));
}
TEST(ChartGoldens, TextInColour) { expect_golden("chart_slopes.color.txt", chart_text(slopes(), {100, 24, true})); }
TEST(ChartGoldens, Svg) {
    expect_golden("chart_slopes.svg", chart_svg(slopes()));
    expect_golden("chart_steps.svg", chart_svg(steps()));
}

std::string without_escapes(std::string text) {
    for (std::size_t at; (at = text.find('\x1b')) != std::string::npos;) text.erase(at, text.find('m', at) - at + 1);
    return text;
}

TEST(ChartText, ColourOnlyAddsEscapes) {
    for (const Chart& chart : {slopes(), steps(), Chart{}})
        EXPECT_EQ(without_escapes(chart_text(chart, {100, 24, true})), chart_text(chart, {100, 24, false}));
}

TEST(ChartText, KeepsToItsWidthAndHeight) {
    for (std::size_t width : {60U, 80U, 100U, 120U})
        for (std::size_t height : {24U, 30U, 40U}) {
            Chart chart = slopes();
            chart.notes.clear();
            std::istringstream text(chart_text(chart, {width, height, false}));
            std::size_t lines = 0;
            for (std::string line; std::getline(text, line); ++lines) {
                EXPECT_LE(columns(line), width) << line;
                EXPECT_TRUE(line.empty() || line.back() != ' ') << line << "|";
            }
            EXPECT_EQ(lines, height) << width;
        }
}

TEST(ChartText, EveryCurveAndMarkIsNamed) {
    for (const Chart& chart : {slopes(), steps()}) {
        const std::string text = chart_text(chart, {});
        for (const Curve& curve : chart.curves) EXPECT_NE(text.find(curve.name), std::string::npos) << curve.name;
        for (const Mark& mark : chart.marks) EXPECT_NE(text.find(mark.name), std::string::npos) << mark.name;
    }
    EXPECT_NE(chart_text(slopes(), {}).find("far too slow to show (outside the picture)"), std::string::npos);
}

TEST(ChartText, MarksInOneCellShareASign) {
    const std::string text = chart_text(slopes(), {});
    EXPECT_NE(text.find("○CD"), std::string::npos) << text;
    EXPECT_NE(text.find("●A"), std::string::npos) << text;
}

TEST(ChartSvg, EveryCurveAndMarkIsNamed) {
    for (const Chart& chart : {slopes(), steps()}) {
        const std::string text = chart_svg(chart);
        for (const Curve& curve : chart.curves)
            EXPECT_NE(text.find(">" + svg_escaped(curve.name) + "<"), std::string::npos) << curve.name;
        for (const Mark& mark : chart.marks)
            EXPECT_NE(text.find(">" + svg_escaped(mark.name)), std::string::npos) << mark.name;
    }
}

TEST(ChartSvg, NoTwoTextsOverlapAndNoneIsSmall) {
    for (const Chart& chart : {slopes(), steps()}) {
        const SvgPicture picture = read_svg(chart_svg(chart));
        ASSERT_GT(picture.texts.size(), 10U);
        for (std::size_t i = 0; i < picture.texts.size(); ++i) {
            EXPECT_GE(picture.texts[i].size, 11) << picture.texts[i].words;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(overlap(picture.texts[i].box, picture.texts[j].box))
                    << picture.texts[i].words << " and " << picture.texts[j].words;
        }
    }
}

TEST(ChartSvg, NoCurveRunsThroughAName) {
    const SvgPicture picture = read_svg(chart_svg(slopes()));
    ASSERT_EQ(picture.curves.size(), 8U);
    for (const SvgText& text : picture.texts)
        for (const Path& curve : picture.curves)
            for (std::size_t i = 0; i + 1 < curve.size(); ++i)
                EXPECT_FALSE(crosses(text.box, curve[i], curve[i + 1])) << text.words;
}

TEST(ChartSvg, EscapesWhatXmlWouldRead) {
    Chart chart = slopes();
    chart.title = "<script>alert(1)</script> & \"quotes\"";
    chart.marks[0].name = "f<&>\x01\xff\xfe\xed\xa0\x80 ok";
    const std::string text = chart_svg(chart);
    EXPECT_EQ(text.find("<script"), std::string::npos);
    EXPECT_NE(text.find("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;"), std::string::npos);
    EXPECT_EQ(text.find('\x01'), std::string::npos);
    EXPECT_EQ(text.find('\xff'), std::string::npos);
    EXPECT_NE(text.find("f&lt;&amp;&gt;"), std::string::npos);
    EXPECT_EQ(svg_escaped("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"), "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
    EXPECT_EQ(svg_escaped("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

// Anything that a chart may hold, sound or not.
Chart random_chart(std::mt19937& random) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
    const auto pick = [&](auto most) { return random() % static_cast<unsigned>(most); };
    const auto number = [&]() -> double {
        const double odd[] = {0, -0.0, 1, -1, kNan, kInf, -kInf, 1e308, -1e308, 5e-324, 1e-300, 255, 1024};
        if (pick(3) == 0) return odd[pick(std::size(odd))];
        return (pick(4) == 0 ? -1 : 1) * std::pow(10.0, static_cast<double>(pick(2400)) / 100 - 12);
    };
    const std::string endless = "a name that is longer than any picture could ever hold beside one of its curves, " +
                                std::string("at least in a terminal or a document of common width: ") +
                                std::string(200, 'x');
    const auto word = [&] {
        const std::string words[] = {"", "a", "naive<float>", "<&>\"'", "×é€", "\x1b[31m", "\xff\xfe", endless};
        return words[pick(std::size(words))];
    };
    const auto axis = [&] { return Axis{word(), pick(2) == 0, number(), number()}; };
    Chart chart{word(), word(), axis(), axis(), {}, {}, {}};
    for (unsigned i = pick(9); i > 0; --i) {
        Curve curve{word(), {}, pick(2) == 0, pick(3) == 0};
        for (unsigned p = pick(12); p > 0; --p) curve.points.emplace_back(number(), number());
        chart.curves.push_back(curve);
    }
    for (unsigned i = pick(60) / (1 + pick(9)); i > 0; --i)
        chart.marks.push_back({word(), number(), number(), pick(5) == 0});
    for (unsigned i = pick(3); i > 0; --i) chart.notes.push_back(word());
    return chart;
}

TEST(ChartProperties, AnyChartIsDrawnWithinItsBounds) {
    std::mt19937 random(7);  // NOLINT: the same charts each time
    for (int i = 0; i < 300; ++i) {
        const Chart chart = random_chart(random);
        std::istringstream text(chart_text(chart, {}));
        for (std::string line; std::getline(text, line);) ASSERT_LE(columns(line), 100U) << i << ": " << line;
        const std::string svg = chart_svg(chart);
        const SvgPicture picture = read_svg(svg);
        ASSERT_TRUE(picture.error.empty()) << i << ": " << picture.error;
        for (const SvgPoint& point : picture.points) {
            ASSERT_TRUE(point.at.x >= 0 && point.at.x <= picture.width && point.at.y >= 0 &&
                        point.at.y <= picture.height)
                << i << ": " << point.element;
        }
        for (const SvgText& words : picture.texts)
            for (Point corner : words.box.corners())
                ASSERT_TRUE(corner.x >= 0 && corner.x <= picture.width && corner.y >= 0 && corner.y <= picture.height)
                    << i << ": " << words.words;
        ASSERT_EQ(svg, chart_svg(chart));
    }
}

TEST(ChartProperties, AnEmptyChartIsAnEmptyPicture) {
    const SvgPicture picture = read_svg(chart_svg({}));
    EXPECT_EQ(picture.error, "");
    EXPECT_TRUE(picture.curves.empty());
    EXPECT_NE(chart_text({}, {}).find("└"), std::string::npos);
}

std::vector<std::string> labels(const Axis& axis, std::size_t most = 12) {
    std::vector<std::string> names;
    for (const Tick& tick : Scale(axis).ticks(most))
        if (!tick.label.empty()) names.push_back(tick.label);
    return names;
}
using Names = std::vector<std::string>;

TEST(ChartTicks, AreRoundAndShort) {
    EXPECT_EQ(labels({"", true, 0.01, 10'000}), (Names{"0.01", "0.1", "1", "10", "100", "1k", "10k"}));
    EXPECT_EQ(labels({"", true, 1e9, 1e15}), (Names{"1G", "10G", "100G", "1T", "10T", "100T", "1P"}));
    EXPECT_EQ(labels({"", true, 1, 100}), (Names{"1", "2", "5", "10", "20", "50", "100"}));
    EXPECT_EQ(labels({"doublings", true, 1, 32}), (Names{"1", "2", "4", "8", "16", "32"}));
    EXPECT_EQ(labels({"not quite", true, 1, 33}), (Names{"1", "2", "5", "10", "20"}));
    EXPECT_EQ(labels({"", true, 1e-12, 1e12}, 6), (Names{"1e-10", "1e-05", "1", "100k", "10G"}));
    EXPECT_EQ(labels({"", true, 3.2, 6.4}), (Names{"4", "5", "6"}));
    EXPECT_EQ(labels({"", false, 0, 1}, 6), (Names{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
    EXPECT_EQ(labels({"", false, 0, 1024}, 8), (Names{"0", "128", "256", "384", "512", "640", "768", "896", "1024"}));
    EXPECT_EQ(labels({"", false, 0, 255}, 8), (Names{"0", "32", "64", "96", "128", "160", "192", "224"}));
    EXPECT_EQ(labels({"", false, 0, 164}, 10), (Names{"0", "20", "40", "60", "80", "100", "120", "140", "160"}));
    EXPECT_EQ(labels({"", false, -10, 10}, 4), (Names{"-10", "-5", "0", "5", "10"}));
    EXPECT_EQ(tick_label(1500), "1.5k");
    EXPECT_EQ(tick_label(1024), "1024");
}

TEST(ChartClipping, CutsAtTheBordersAndNowhereElse) {
    const Scale x({"", true, 1, 100}), y({"", true, 10, 1000});
    const auto line = visible_paths({"", {{0.1, 1}, {1000, 10'000}}, false, false}, x, y);
    ASSERT_EQ(line.size(), 1U);
    ASSERT_EQ(line[0].size(), 2U);
    EXPECT_NEAR(line[0][0].x, 0, 1e-9);
    EXPECT_NEAR(line[0][0].y, 0, 1e-9);
    EXPECT_NEAR(line[0][1].x, 1, 1e-9);
    EXPECT_NEAR(line[0][1].y, 1, 1e-9);
    EXPECT_TRUE(visible_paths({"", {{0.1, 100}, {0.9, 100}}, false, false}, x, y).empty());
    // Leaves through the top and comes back: two pieces.
    EXPECT_EQ(visible_paths({"", {{1, 100}, {4, 10'000}, {16, 10'000}, {100, 100}}, false, false}, x, y).size(), 2U);
    // A value without a place breaks the curve.
    EXPECT_EQ(visible_paths({"", {{1, 100}, {2, 100}, {3, -1}, {4, 100}, {5, 100}}, false, false}, x, y).size(), 2U);
}

TEST(ChartClipping, StepsHoldTheirValue) {
    const Scale unit({"", false, 0, 1});
    const auto steps = visible_paths({"", {{0, 0.2}, {0.5, 0.8}, {1, 0.8}}, true, false}, unit, unit);
    ASSERT_EQ(steps.size(), 1U);
    ASSERT_EQ(steps[0].size(), 4U);
    EXPECT_DOUBLE_EQ(steps[0][1].x, 0.5);
    EXPECT_DOUBLE_EQ(steps[0][1].y, 0.2);
    EXPECT_DOUBLE_EQ(steps[0][2].x, 0.5);
    EXPECT_DOUBLE_EQ(steps[0][2].y, 0.8);
}

}  // namespace
}  // namespace tilescope::report
