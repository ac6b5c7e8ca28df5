// What a program gives to NVRTC: its options, the unit that is compiled, the names in its PTX, the log.
#include <gtest/gtest.h>

#include "scope/base/result.h"
#include "scope/image/rtc/log.h"
#include "scope/image/rtc/options.h"
#include "scope/image/rtc/unit.h"

namespace tilescope::image {
namespace {

constexpr int kKnown[] = {75, 80, 90, 100};

RtcReading read(std::vector<std::string> words) { return read_rtc_options(words, kKnown, 75); }

TEST(RtcOptions, AreReadInEachForm) {
    const RtcReading read_all = read({"-arch=sm_90a", "-D", "A=1", "-DB", " --define-macro=C(x)=x + 1", "-UA", "-I/one",
                                      "--include-path", "/two words", "-std=c++20", "--fmad", "false",
                                      "--pre-include=q.h", "-diag-suppress=177,550", "-w", "--ftz=true"});
    ASSERT_TRUE(read_all.valid) << read_all.log;
    const RtcOptions& options = read_all.options;
    EXPECT_EQ(options.sm, 90u);
    EXPECT_EQ(options.suffix, "a");
    EXPECT_TRUE(options.machine_code);
    EXPECT_EQ(options.macros, "#define A 1\n#define B 1\n#define C(x) x + 1\n#undef A\n");
    EXPECT_EQ(options.folders, (std::vector<std::string>{"/one", "/two words"}));
    EXPECT_EQ(options.standard, "c++20");
    EXPECT_FALSE(options.fuses);
    EXPECT_TRUE(options.flushes);
    EXPECT_FALSE(options.warns);
    EXPECT_EQ(options.included, std::vector<std::string>{"q.h"});
    EXPECT_EQ(options.severities, (std::vector<std::string>{"-diag-suppress=177", "-diag-suppress=550"}));
}

TEST(RtcOptions, WithoutAnyAreTheDefaults) {
    const RtcReading none = read({});
    EXPECT_TRUE(none.valid);
    EXPECT_EQ(none.options.sm, 75u);
    EXPECT_FALSE(none.options.machine_code);
    EXPECT_TRUE(none.log.empty());
}

TEST(RtcOptions, ThatAreWrongAreToldInTheWordsOfNvrtc) {
    EXPECT_EQ(read({"--frobnicate"}).log, "nvrtc: error: unrecognized option --frobnicate found\n");
    EXPECT_EQ(read({"-arch=sm_999"}).log, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
    EXPECT_EQ(read({"-fmad=1"}).log, "nvrtc: error: --fmad (-fmad) expects true or false\n");
    EXPECT_EQ(read({"-lineinfo=true"}).log,
              "nvrtc: error: --generate-line-info (-lineinfo) does not accept any argument\n");
    EXPECT_FALSE(read({"-arch=compute_90f"}).valid);
    EXPECT_TRUE(read({"-arch=compute_100f"}).valid);
}

TEST(RtcOptions, SayWhetherCodeIsRelocatable) {
    EXPECT_TRUE(read({"-rdc=true"}).options.relocatable);
    EXPECT_TRUE(read({"--relocatable-device-code", "true"}).options.relocatable);
    EXPECT_TRUE(read({"-dc"}).options.relocatable);
    EXPECT_FALSE(read({"-rdc=true", "-rdc=false"}).options.relocatable);
    EXPECT_FALSE(read({}).options.relocatable);
}

TEST(RtcOptions, OfWhatIsNotSupportedAreRefusedByName) {
    for (const char* word : {"-dlto", "-ewp", "--optix-ir", "-time=/tmp/times", "--gen-opt-lto"}) {
        const RtcReading refused = read({word});
        EXPECT_FALSE(refused.valid) << word;
        EXPECT_NE(refused.log.find("is not supported by tilescope"), std::string::npos) << refused.log;
    }
}

TEST(RtcOptions, MakeNoMoreThanOneLineOfSource) {
    EXPECT_FALSE(read({"-DA=1\n#include \"/etc/passwd\""}).valid);
    EXPECT_FALSE(read({"-DA B=1"}).valid);
    EXPECT_FALSE(read({"-include=a\".h"}).valid);
    EXPECT_FALSE(read({"-DA=\\"}).valid);
}

TEST(RtcUnit, KeepsTheProgramsLinesAndAsksForNames) {
    RtcOptions options;
    options.macros = "#define A 1\n";
    options.included = {"q.h"};
    options.on_device_by_default = true;
    const std::vector<std::string> expressions = {"k<int>", " &c"};
    EXPECT_EQ(rtc_unit("void f();", "a\"b.cu", options, expressions, true),
              "#define A 1\n#include <assert.h>\n#include <stdio.h>\n#include \"q.h\"\n#pragma clang "
              "force_cuda_host_device begin\n#line 1 \"a\\\"b.cu\"\n"
              "void f();\n#pragma clang force_cuda_host_device end\n"
              "#line 1 \"__nv_name_map\"\n__attribute__((device)) const void* __tilescope_name_0 = (const "
              "void*)(&(k<int>));\n"
              "#line 2 \"__nv_name_map\"\n__attribute__((device)) const void* __tilescope_name_1 = (const "
              "void*)(&c);\n");
}

TEST(RtcUnit, TakesTheNamesOutOfThePtx) {
    std::string ptx =
        ".version 9.0\n.global .align 8 .u64 __tilescope_name_0 = _Z1kIiEvPT_;\n"
        ".visible .global .align 8 .u64 __tilescope_name_2 = generic(c);\n.visible .entry k()\n{\n}";
    const auto names = take_lowered_names(ptx, 3);
    ASSERT_EQ(names.size(), 3u);
    EXPECT_EQ(names[0], "_Z1kIiEvPT_");
    EXPECT_FALSE(names[1]);
    EXPECT_EQ(names[2], "c");
    EXPECT_EQ(ptx, ".version 9.0\n.visible .entry k()\n{\n}");
}

TEST(RtcUnit, KnowsFunctionsThatNoDeviceHas) {
    EXPECT_FALSE(
        calls_unknown_functions(".extern .func  (.param .b32 r) vprintf\n(\n.param .b64 a\n);\n"
                                ".extern .func __assertfail\n(\n"));
    EXPECT_TRUE(calls_unknown_functions(".extern .func  (.param .b32 r) vprintf\n(\n.extern .func _Z1fv\n(\n)"));
    EXPECT_TRUE(calls_unknown_functions(".extern .func (.param .b32 r) f("));
    EXPECT_TRUE(calls_unknown_functions(".extern .func ("));
    EXPECT_FALSE(calls_unknown_functions(".visible .entry k()"));
}

TEST(RtcUnit, NamesTheKeptSourceInThePtx) {
    EXPECT_EQ(with_source_file("\n\t.file\t1 \"k.cu\"\n\t.file\t2 \"/other.h\"\n", "k.cu", "/kept/k.cu"),
              "\n\t.file\t1 \"/kept/k.cu\"\n\t.file\t2 \"/other.h\"\n");
}

TEST(RtcUnit, KeepsHeadersInTheFolder) {
    EXPECT_EQ(rtc_header_path("/f", "a/b.h"), "/f/1/2/3/4/a/b.h");
    EXPECT_EQ(rtc_header_path("/f", "./a.h"), "/f/1/2/3/4/a.h");
    EXPECT_EQ(rtc_header_path("/f", "../a.h"), "/f/1/2/3/a.h");
    EXPECT_FALSE(rtc_header_path("/f", "../../../../../a.h"));
    EXPECT_FALSE(rtc_header_path("/f", "/etc/a.h"));
    EXPECT_FALSE(rtc_header_path("/f", ""));
    EXPECT_EQ(rtc_file_name("a/b $(x).cu"), "b___x_.cu");
    EXPECT_EQ(rtc_file_name(".."), "default_program");
}

TEST(RtcLog, HasTheFormOfNvrtc) {
    const RtcPlaces places{"kernel.cu", "", "/kept/1/2/3/4", false};
    const Diagnostics errors = {
        error("image-compile", {"kernel.cu", 2, 0}, "identifier \"y\" is undefined\n    x[0] = y;\n           ^"),
        error("image-compile", {"/kept/1/2/3/4/a.h", 3, 7}, "no such thing")};
    EXPECT_EQ(rtc_errors(errors, places),
              "kernel.cu(2): error: identifier \"y\" is undefined\n    x[0] = y;\n           ^\n\n"
              "a.h(3): error: no such thing\n\n2 errors detected in the compilation of \"kernel.cu\".\n");
    EXPECT_EQ(rtc_warnings("kernel.cu:3:5: warning: unused\n  int a;\n1 warning generated.\n", places),
              "kernel.cu(3): warning: unused\n  int a;\n");
    EXPECT_EQ(rtc_warnings("kernel.cu(3): warning #177-D: unused\n", places), "kernel.cu(3): warning #177-D: unused\n");
}

TEST(RtcLog, ShowsTheWordsOfCuda) {
    const RtcPlaces places{"k.cu", "", "/kept", false};
    EXPECT_EQ(rtc_errors({error("image-compile", {"k.cu", 1, 0},
                                "no\n  __attribute__((device)) int b = q;\n                                  ^")},
                         places)
                  .substr(0, 65),
              "k.cu(1): error: no\n  __device__ int b = q;\n                     ^");
    EXPECT_EQ(rtc_warnings("  __attribute__((device)) __attribute__((aligned(4))) x;\n  ^\n", places),
              "  __device__ __attribute__((aligned(4))) x;\n  ^\n");
}

TEST(RtcLog, ShowsLinesWithoutTheirNumbers) {
    const auto log = [](bool shows_lines) {
        const RtcPlaces places{"k.cu", "", "/kept", false, shows_lines};
        return rtc_errors(
            {error("image-compile", {"k.cu", 2, 8}, "no y\n    2 |  x = y;\n      |      ^\nnot a | line")}, places);
    };
    EXPECT_EQ(log(true).substr(0, 60), "k.cu(2): error: no y\n   x = y;\n       ^\nnot a | line\n\n1 erro");
    EXPECT_EQ(log(false).substr(0, 41), "k.cu(2): error: no y\nnot a | line\n\n1 erro");
}

TEST(RtcLog, TellsWhatEndsACompilationAtOnce) {
    const RtcPlaces places{"k.cu", "int a;\n  #include <stdio.h>\n#error stop here\n#include \"a.h\"", "/kept", false};
    EXPECT_EQ(rtc_errors({error("image-compile", {"k.cu", 2, 10},
                                "stdio.h: No such file or directory\ncompilation terminated.")},
                         places),
              "k.cu(2): catastrophic error: could not open source file \"stdio.h\" (no directories in search list)\n"
              "  #include <stdio.h>\n                    ^\n\n"
              "1 catastrophic error detected in the compilation of \"k.cu\".\nCompilation terminated.\n");
    EXPECT_EQ(rtc_errors({error("image-compile", {"k.cu", 4, 0}, "'a.h' file not found")}, places),
              "k.cu(4): catastrophic error: cannot open source file \"a.h\"\n  #include \"a.h\"\n                ^\n\n"
              "1 catastrophic error detected in the compilation of \"k.cu\".\nCompilation terminated.\n");
    EXPECT_EQ(rtc_errors({error("image-compile", {"k.cu", 3, 2}, "#error stop here")}, places),
              "k.cu(3): catastrophic error: #error directive: stop here\n  #error stop here\n   ^\n\n"
              "1 catastrophic error detected in the compilation of \"k.cu\".\nCompilation terminated.\n");
}

}  // namespace
}  // namespace tilescope::image
