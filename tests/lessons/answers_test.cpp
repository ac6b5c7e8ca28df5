// What names in a claim's expression stand for.
#include "scope/lessons/answers.h"

#include "tests/lessons/sample_lesson.h"

namespace tilescope::lessons {
namespace {

class LessonAnswers : public ::testing::Test {
protected:
    Result<Found> find(const std::string& text, const std::string& run = "naive") {
        return evaluate(expression(text), sample_.answers, subject_of(sample_.lesson, run));
    }
    double number(const std::string& text, const std::string& run = "naive") {
        const auto found = find(text, run);
        EXPECT_TRUE(found) << text << "\n" << (found ? "" : render(found.errors()));
        const double* value = found ? std::get_if<double>(&found->value) : nullptr;
        EXPECT_NE(value, nullptr) << text;
        return value == nullptr ? -1 : *value;
    }
    bool truth(const std::string& text, const std::string& run = "naive") {
        const auto found = find(text, run);
        EXPECT_TRUE(found) << text << "\n" << (found ? "" : render(found.errors()));
        const bool* value = found ? std::get_if<bool>(&found->value) : nullptr;
        EXPECT_NE(value, nullptr) << text;
        return value != nullptr && *value;
    }
    std::string failure(const std::string& text, const std::string& run = "naive") {
        const auto found = find(text, run);
        EXPECT_FALSE(found) << text;
        return found ? std::string() : render(found.errors());
    }

    SampleLesson sample_;
};

TEST_F(LessonAnswers, CountersRatiosAndFieldsOfTheLaunch) {
    EXPECT_EQ(number("global_load_sectors"), 16'777'216);
    EXPECT_EQ(number("global_load_sectors_per_request"), 2);
    EXPECT_EQ(number("registers_per_thread"), 32);
    EXPECT_EQ(number("tiling.potential"), 16);
    EXPECT_EQ(number("occupancy.blocks_per_sm"), 8);
    EXPECT_EQ(number("grid[0] * grid[-2]"), 1024);
    EXPECT_TRUE(truth("variables[0].space == 'register'"));
    EXPECT_EQ(number("variables['Mds'].versions", "tiled"), 1024);
    EXPECT_EQ(number("advice['tile'].speedup"), 12.5);
    EXPECT_EQ(number("advice.count"), 3);
    EXPECT_EQ(number("launches.count"), 7);
    EXPECT_EQ(number("status"), 3);
    EXPECT_TRUE(truth("kernel == 'naive(float const*, float const*, float*, int)' && !sampled"));
}

TEST_F(LessonAnswers, OtherRunsAndCommands) {
    EXPECT_EQ(number("naive.global_load_sectors / tiled.global_load_sectors", "roof"), 8);
    EXPECT_EQ(number("tiled.static_shared_bytes"), 2048);
    EXPECT_EQ(number("naive.line('[inner]').global_load_sectors", "tiled"), 16'777'216);
    EXPECT_EQ(number("roof.kernels['loop'].roofline.ridge"), 12.5);
    EXPECT_TRUE(truth("kernels[0].roofline.bound == 'dram'", "roof"));
}

TEST_F(LessonAnswers, LinesAreNamedByWhatStandsOnThem) {
    EXPECT_EQ(number("line('[inner]').fp32_fma"), 134'217'728);
    EXPECT_EQ(number("line('[inner]').global_load_sectors_per_request"), 2);
    EXPECT_EQ(number("line('[').global_store_sectors"), 32'768);  // both lines together
    EXPECT_EQ(number("line('[inner]').tiling.potential"), 16);
    EXPECT_NE(failure("line('[outer]').fp32_fma").find("no line of the program contains '[outer]'"), std::string::npos);
    EXPECT_NE(failure("line('[beyond]').fp32_fma").find("nothing was counted"), std::string::npos);
    EXPECT_NE(failure("line('[').tiling.potential").find("several lines"), std::string::npos);
}

TEST_F(LessonAnswers, HazardsAndOutput) {
    EXPECT_EQ(number("hazards()"), 1);
    EXPECT_EQ(number("hazards('out-of-bounds')"), 1);
    EXPECT_EQ(number("hazards('out-of-bounds', '[beyond]')"), 1);
    EXPECT_EQ(number("hazards('out-of-bounds', '[inner]')"), 0);
    EXPECT_EQ(number("hazards('race')"), 0);
    EXPECT_EQ(number("hazards()", "tiled"), 0);  // those of its kernel
    EXPECT_EQ(number("hazard('out-of-bounds').thread[0]"), 31);
    EXPECT_EQ(number("hazards('exact-fit')"), 1);  // a note counts where it is asked for alone
    EXPECT_EQ(number("hazards('crosses-row')"), 0);
    EXPECT_EQ(number("output('sum of all')"), -12.5);
    EXPECT_NE(failure("hazards('rase')").find("there is no hazard 'rase'"), std::string::npos);
    EXPECT_NE(failure("hazards('race', '[nowhere]')").find("no line of the program"), std::string::npos);
    EXPECT_NE(failure("hazard('race').line").find("no such hazard"), std::string::npos);
    EXPECT_NE(failure("output('product')").find("did not print"), std::string::npos);
    EXPECT_NE(failure("output('label alone')").find("no number follows"), std::string::npos);
}

TEST_F(LessonAnswers, WhatStandsForNothingIsAnError) {
    EXPECT_NE(failure("global_load_sector").find("did you mean global_load_sectors?"), std::string::npos);
    EXPECT_NE(failure("tiling.potentail").find("did you mean potential?"), std::string::npos);
    EXPECT_NE(failure("tiling").find("not a value"), std::string::npos);
    EXPECT_NE(failure("grid[3]").find("no element 3"), std::string::npos);
    EXPECT_NE(failure("variables['Nds'].bytes").find("has the text 'Nds'"), std::string::npos);
    EXPECT_NE(failure("bank_conflicts_per_request").find("has no value"), std::string::npos);
    EXPECT_NE(failure("1 / shared_load_requests").find("divides by zero"), std::string::npos);
    EXPECT_NE(failure("1 / shared_load_requests < 1").find("no value"), std::string::npos);
    EXPECT_NE(failure("launches() + 1").find("is no function"), std::string::npos);
    EXPECT_NE(failure("output(1)").find("takes 'texts'"), std::string::npos);
    EXPECT_NE(failure("kernel + 1").find("arithmetic needs numbers"), std::string::npos);
    EXPECT_NE(failure("kernel < 1").find("cannot be compared"), std::string::npos);
    EXPECT_NE(failure("kernel && sampled").find("join conditions"), std::string::npos);
    sample_.answers.of.erase("roof");
    EXPECT_NE(failure("kernels[0].name", "roof").find("gave no answer"), std::string::npos);
    const auto other = evaluate(expression("instructions"), sample_.answers, {"naive", "thirty*", 0});
    ASSERT_FALSE(other);
    EXPECT_NE(render(other.errors()).find("kernels that ran: naive, tiled"), std::string::npos)
        << render(other.errors());
}

TEST_F(LessonAnswers, WhatAModelSaysIsMarked) {
    EXPECT_EQ(find("global_load_sectors")->origin, "");
    EXPECT_EQ(find("dram_read_bytes / 640")->origin, "modelled");
    EXPECT_EQ(find("time.microseconds")->origin, "modelled");
    EXPECT_EQ(find("microseconds")->origin, "modelled");
    EXPECT_EQ(find("naive.microseconds", "roof")->origin, "modelled");
    EXPECT_EQ(find("occupancy.blocks_per_sm")->origin, "");
    EXPECT_EQ(evaluate(expression("occupancy.blocks_per_sm"), sample_.answers, {"naive", "tiled*", 0})->origin,
              "estimated");
    Answer with_copies = *sample_.answers.of["naive"];
    with_copies.document["overlap"] = {{"copies", 2}, {"hidden", 1}};
    sample_.answers.of["naive"] = &with_copies;
    EXPECT_EQ(find("overlap.hidden / overlap.copies")->origin, "modelled");
}

TEST(LessonAnswer, OnlyJsonIsOne) {
    lessons::Run run;
    run.name = "x";
    EXPECT_FALSE(make_answer(run, 0, "", ""));
    EXPECT_FALSE(make_answer(run, 0, "", "[]"));
    EXPECT_FALSE(make_answer(run, 0, "", R"({"schema": 7})"));
    run.command = {"occupancy"};
    EXPECT_TRUE(make_answer(run, 0, "", R"({"schema": 7})"));
}

}  // namespace
}  // namespace tilescope::lessons
