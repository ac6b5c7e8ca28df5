// What makes the cache compile again: everything that a compiler sees.
#include <cstdlib>

#include "scope/image/compile.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;
using test::clangs;
using test::nvcc;

// A variable for as long as this lives.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value.c_str(), 1);
    }
    ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

class CompileKey : public test::Scratch {
protected:
    void SetUp() override {
        Scratch::SetUp();
        options_.cache_dir = folder() / "cache";
        source_ = write("k.cu",
                        "#include \"part.h\"\n"
                        "#if __has_include(\"fast.h\")\n"
                        "#include \"fast.h\"\n"
                        "#endif\n"
                        "#ifndef VALUE\n"
                        "#define VALUE PART\n"
                        "#endif\n"
                        "__global__ void k(int* p) { *p = VALUE; }\n");
        write("late/part.h", "#define PART 1001\n");
    }
    void use_clang() {
        options_.compiler = Compiler::kClang;
        options_.compiler_path = clangs().back();
        options_.extra_flags = {"-I" + (folder() / "early").string(), "-I" + (folder() / "late").string()};
        fs::create_directories(folder() / "early");
    }
    // "made" or "kept", and the value in the kernel.
    std::string compile() {
        const auto made = compile_to_ptx(source_, options_);
        EXPECT_TRUE(made) << render(made.errors());
        if (!made) return "failed";
        std::string value;
        for (const char* known : {"1001", "1002", "1003"})
            if (made->ptx.find(known) != std::string::npos) value += std::string(" ") + known;
        return (made->from_cache ? "kept" : "made") + value;
    }

    CompileOptions options_;
    fs::path source_;
};

TEST_F(CompileKey, HoldsTheVariablesThatNvccReads) {
    TILESCOPE_NEEDS(nvcc(), "nvcc");
    options_.compiler = Compiler::kNvcc;
    options_.extra_flags = {"-I" + (folder() / "late").string()};
    EXPECT_EQ(compile(), "made 1001");
    EXPECT_EQ(compile(), "kept 1001");
    for (const char* name : {"NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"}) {
        const Variable flags(name, "-DVALUE=1002");
        EXPECT_EQ(compile(), "made 1002") << name;
        EXPECT_EQ(compile(), "kept 1002") << name;
    }
    EXPECT_EQ(compile(), "kept 1001");
}

TEST_F(CompileKey, HoldsTheVariablesThatClangReads) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    use_clang();
    EXPECT_EQ(compile(), "made 1001");
    EXPECT_EQ(compile(), "kept 1001");
    {
        const Variable overrides("CCC_OVERRIDE_OPTIONS", "# +-DVALUE=1002");
        EXPECT_EQ(compile(), "made 1002");
        EXPECT_EQ(compile(), "kept 1002");
    }
    {
        write("elsewhere/fast.h", "#define VALUE 1003\n");
        const Variable path("CPATH", (folder() / "elsewhere").string());
        EXPECT_EQ(compile(), "made 1003");
    }
    {
        const Variable path("CPLUS_INCLUDE_PATH", (folder() / "elsewhere").string());
        EXPECT_EQ(compile(), "made 1003");
    }
    const Variable unknown("SOME_VARIABLE_THAT_A_WRAPPER_MAY_READ", "1");
    EXPECT_EQ(compile(), "made 1001");
}

// What tells terminals and jobs apart reaches no compiler and makes none run.
TEST_F(CompileKey, LeavesOutWhatCompilersDoNotSee) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const fs::path wrapper = write("clang++-wrapper", "#!/bin/sh\nenv > " + (folder() / "seen").string() + "\nexec " +
                                                          clangs().back().string() + " \"$@\"\n");
    fs::permissions(wrapper, fs::perms::owner_all);
    use_clang();
    options_.compiler_path = wrapper;
    EXPECT_EQ(compile(), "made 1001");
    const Variable terminal("SSH_TTY", "/dev/pts/7"), level("SHLVL", "42");
    EXPECT_EQ(compile(), "kept 1001");
    write("late/part.h", "#define PART 1002\n");
    EXPECT_EQ(compile(), "made 1002");
    const std::string seen = test::read_text(folder() / "seen");
    EXPECT_EQ(seen.find("SSH_TTY"), std::string::npos);
    EXPECT_EQ(seen.find("SHLVL=42"), std::string::npos);
}

TEST_F(CompileKey, HoldsTheCompilerItself) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    const auto wrap = [&](const std::string& flag) {
        const fs::path wrapper =
            write("clang++-wrapper", "#!/bin/sh\nexec " + clangs().back().string() + " \"$@\" " + flag + "\n");
        fs::permissions(wrapper, fs::perms::owner_all);
        return wrapper;
    };
    use_clang();
    options_.compiler_path = wrap("-DVALUE=1001");
    EXPECT_EQ(compile(), "made 1001");
    EXPECT_EQ(compile(), "kept 1001");
    wrap("-DVALUE=1002");
    EXPECT_EQ(compile(), "made 1002");
}

TEST_F(CompileKey, ANewHeaderThatIsFoundFirstIsSeen) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    use_clang();
    EXPECT_EQ(compile(), "made 1001");
    EXPECT_EQ(compile(), "kept 1001");
    write("early/part.h", "#define PART 1002\n");
    EXPECT_EQ(compile(), "made 1002");
    write("part.h", "#define PART 1003\n");  // beside the source: before all folders
    EXPECT_EQ(compile(), "made 1003");
    write("late/fast.h", "#define VALUE 1002\n");
    EXPECT_EQ(compile(), "made 1002");
    EXPECT_EQ(compile(), "kept 1002");
    options_.extra_flags.push_back("-DVALUE=1003");
}

TEST_F(CompileKey, FlagsTheirOrderAndTheFilesTheyNameAreInIt) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    use_clang();
    write("early/part.h", "#define PART 1002\n");
    EXPECT_EQ(compile(), "made 1002");
    std::swap(options_.extra_flags[0], options_.extra_flags[1]);
    EXPECT_EQ(compile(), "made 1001");
    write("flags.txt", "-DVALUE=1002\n");
    options_.extra_flags.push_back("@" + (folder() / "flags.txt").string());
    EXPECT_EQ(compile(), "made 1002");
    EXPECT_EQ(compile(), "kept 1002");
    write("flags.txt", "-DVALUE=1003\n");
    EXPECT_EQ(compile(), "made 1003");
}

TEST_F(CompileKey, TheTimeOfDayIsNeverKept) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    use_clang();
    write("late/part.h", "#define PART 1001\ninline const char* when() { return __TIME__; }\n");
    EXPECT_EQ(compile(), "made 1001");
    EXPECT_EQ(compile(), "made 1001");
}

TEST_F(CompileKey, ALibraryThatIsLinkedIsInIt) {
    TILESCOPE_NEEDS(clangs(), "clang 14 to 19");
    use_clang();
    const auto archive = [&](const std::string& text) {
        const fs::path object = folder() / "part.o";
        run({clangs().back().string(), "-c", write("part.cpp", text).string(), "-o", object.string()});
        fs::remove(folder() / "libpart.a");
        run({"ar", "rc", (folder() / "libpart.a").string(), object.string()});
    };
    archive("int part() { return 1; }\n");
    const fs::path main = write("main.cpp", "int part();\nint main() { return part(); }\n");
    const fs::path empty = write("empty.cpp", "");
    run({clangs().back().string(), "-shared", "-fPIC", empty.string(), "-o", (folder() / "libcudart.so.12").string(),
         "-Wl,-soname,libcudart.so.12"});
    options_.runtime_lib_dir = folder();
    options_.extra_flags = {"-L" + folder().string(), "-lpart"};
    const auto status = [&] {
        const auto made = compile_program({main}, options_);
        EXPECT_TRUE(made) << render(made.errors());
        if (!made) return std::string("failed");
        const auto ran = run_process({made->executable.string()});
        return (made->from_cache ? "kept " : "made ") + std::to_string(ran ? ran->status : -1);
    };
    EXPECT_EQ(status(), "made 1");
    EXPECT_EQ(status(), "kept 1");
    archive("int part() { return 2; }\n");
    EXPECT_EQ(status(), "made 2");
}

}  // namespace
}  // namespace tilescope::image
