// What the cache may be trusted with: whose folder it is, whether its files are whole, what they depend on.
#include "scope/image/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "scope/image/private_folder.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
    struct stat found {};
    EXPECT_EQ(lstat(path.c_str(), &found), 0) << path;
    return found.st_mode & 07777;
}

constexpr uid_t kStranger = 54321;

class PrivateFolder : public test::Scratch {
protected:
    std::string refusal(const fs::path& path) const {
        const Status made = make_private_folder(path);
        return made ? std::string() : made.errors().front().message;
    }
};

TEST_F(PrivateFolder, IsMadeForThisUserAlone) {
    const fs::path made = folder() / "a" / "b";
    EXPECT_EQ(refusal(made), "");
    EXPECT_EQ(mode_of(made), 0700u);
    EXPECT_EQ(mode_of(folder() / "a"), 0700u);
    EXPECT_EQ(refusal(made), "");
}

TEST_F(PrivateFolder, LosesThePermissionOfOthersToWrite) {
    fs::create_directory(folder() / "open");
    ASSERT_EQ(chmod((folder() / "open").c_str(), 0777), 0);
    EXPECT_EQ(refusal(folder() / "open"), "");
    EXPECT_EQ(mode_of(folder() / "open"), 0755u);
}

TEST_F(PrivateFolder, LiesWhereNobodyCanExchangeIt) {
    fs::create_directories(folder() / "open" / "cache");
    ASSERT_EQ(chmod((folder() / "open").c_str(), 0777), 0);
    EXPECT_NE(refusal(folder() / "open" / "cache").find("other users can write in it"), std::string::npos);
    // In a folder like /tmp nobody can take away what is another's.
    ASSERT_EQ(chmod((folder() / "open").c_str(), 01777), 0);
    EXPECT_EQ(refusal(folder() / "open" / "cache"), "");
}

TEST_F(PrivateFolder, AStrangersFolderIsRefused) {
    fs::create_directory(folder() / "theirs");
    if (chown((folder() / "theirs").c_str(), kStranger, kStranger) != 0) GTEST_SKIP() << "only root gives files away";
    EXPECT_NE(refusal(folder() / "theirs").find("belongs to another user"), std::string::npos);
    EXPECT_NE(refusal(folder() / "theirs" / "cache").find("belongs to another user"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder() / "theirs" / "cache"));
}

TEST_F(PrivateFolder, AStrangersLinkIsNotFollowed) {
    fs::create_directory(folder() / "mine");
    fs::create_directory_symlink("mine", folder() / "link");
    EXPECT_EQ(refusal(folder() / "link"), "");
    if (lchown((folder() / "link").c_str(), kStranger, kStranger) != 0) GTEST_SKIP() << "only root gives files away";
    EXPECT_NE(refusal(folder() / "link").find("link that another user made"), std::string::npos);
    EXPECT_NE(refusal(folder() / "link" / "cache").find("link that another user made"), std::string::npos);
    fs::create_directory_symlink("round", folder() / "round");
    EXPECT_NE(refusal(folder() / "round"), "");
}

// The variables that say where the cache is, put back at the end.
class Places : public test::Scratch {
protected:
    void SetUp() override {
        Scratch::SetUp();
        for (const char* name : {"HOME", "XDG_CACHE_HOME", "TMPDIR"}) {
            const char* value = std::getenv(name);
            before_.emplace_back(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
        }
        unsetenv("HOME");
        unsetenv("XDG_CACHE_HOME");
        setenv("TMPDIR", folder().c_str(), 1);
    }
    void TearDown() override {
        for (const auto& [name, value] : before_)
            value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }
    fs::path fallback() const { return folder() / ("tilescope-" + std::to_string(geteuid())); }

    std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_F(Places, WithoutAHomeTheFolderInTheTemporaryOneIsPrivate) {
    const auto cache = CompileCache::open({});
    ASSERT_TRUE(cache) << render(cache.errors());
    EXPECT_EQ(cache->folder(), fallback());
    EXPECT_EQ(mode_of(fallback()), 0700u);
}

TEST_F(Places, AStrangersFolderThereIsLeftAlone) {
    fs::create_directory(fallback());
    if (chown(fallback().c_str(), kStranger, kStranger) != 0) GTEST_SKIP() << "only root gives files away";
    const auto cache = CompileCache::open({});
    ASSERT_TRUE(cache) << render(cache.errors());
    EXPECT_NE(cache->folder(), fallback());
    EXPECT_EQ(mode_of(cache->folder()), 0700u);
    EXPECT_TRUE(fs::is_empty(fallback()));
}

TEST_F(Places, AHomeOfAStrangerIsLeftAlone) {
    fs::create_directory(folder() / "home");
    if (chown((folder() / "home").c_str(), kStranger, kStranger) != 0) GTEST_SKIP() << "only root gives files away";
    setenv("HOME", (folder() / "home").c_str(), 1);
    const auto cache = CompileCache::open({});
    ASSERT_TRUE(cache) << render(cache.errors());
    EXPECT_EQ(cache->folder(), fallback());
}

class Entries : public test::Scratch {
protected:
    void SetUp() override {
        Scratch::SetUp();
        auto cache = CompileCache::open(folder() / "cache");
        ASSERT_TRUE(cache) << render(cache.errors());
        cache_ = std::make_unique<CompileCache>(*cache);
    }
    fs::path keep(const CacheInputs& inputs, const std::string& program = "#!/bin/sh\n") {
        const auto made = cache_->start();
        EXPECT_TRUE(made) << render(made.errors());
        std::ofstream(made->path() / "program") << program;
        const auto kept = cache_->keep("known", inputs, *made);
        EXPECT_TRUE(kept) << render(kept.errors());
        return kept ? *kept : fs::path();
    }
    bool found() const { return cache_->find("known").has_value(); }

    std::unique_ptr<CompileCache> cache_;
};

TEST_F(Entries, ADamagedEntryIsMadeAnew) {
    const fs::path kept = keep({});
    EXPECT_TRUE(found());
    for (const char* damage : {"", "#!/bin/sh\nrm -rf /\n"}) {
        std::ofstream(kept / "program") << damage;
        EXPECT_FALSE(found()) << damage;
        EXPECT_EQ(keep({}), kept);
        EXPECT_TRUE(found()) << damage;
        EXPECT_EQ(test::read_text(kept / "program"), "#!/bin/sh\n");
    }
    fs::remove(kept / "program");
    EXPECT_FALSE(found());
    keep({});
    fs::remove_all(kept);
    EXPECT_FALSE(found());
    keep({});
    EXPECT_TRUE(found());
    // Nothing is left over of all that.
    for (const auto& each : fs::directory_iterator(cache_->folder()))
        EXPECT_EQ(each.path().filename().string().find("making-"), std::string::npos) << each.path();
}

TEST_F(Entries, ADamagedManifestIsNone) {
    keep({});
    const fs::path manifest = cache_->folder() / "known.deps";
    const std::string whole = test::read_text(manifest);
    for (std::size_t size = 0; size + 1 < whole.size(); ++size) {  // the last line feed may be missing
        std::ofstream(manifest) << whole.substr(0, size);
        EXPECT_FALSE(found()) << size;
    }
    std::ofstream(manifest) << whole;
    EXPECT_TRUE(found());
    std::ofstream(manifest) << "tilescope cache 1\nentry ../../elsewhere\nend\n";
    EXPECT_FALSE(found());
}

TEST_F(Entries, WhatOthersMayWriteIsNotUsed) {
    const fs::path kept = keep({});
    ASSERT_EQ(chmod((kept / "program").c_str(), 0777), 0);
    EXPECT_FALSE(found());
    ASSERT_EQ(chmod((kept / "program").c_str(), 0700), 0);
    EXPECT_TRUE(found());
    if (chown((kept / "program").c_str(), kStranger, kStranger) != 0) GTEST_SKIP() << "only root gives files away";
    EXPECT_FALSE(found());
}

TEST_F(Entries, AChangedFileIsAMissEvenWithItsOldTimes) {
    const fs::path header = write("part.h", "constexpr int n = 3;\n");
    const auto before = fs::last_write_time(header);
    keep({{header}, {}, {}});
    EXPECT_TRUE(found());
    write("part.h", "constexpr int n = 5;\n");
    fs::last_write_time(header, before);
    EXPECT_FALSE(found());
    write("part.h", "constexpr int n = 3;\n");  // as it was, at another time
    EXPECT_TRUE(found());
    fs::remove(header);
    EXPECT_FALSE(found());
}

TEST_F(Entries, AFileThatWouldBeFoundFirstIsAMiss) {
    const fs::path header = write("second/sub/part.h", "");
    fs::create_directories(folder() / "first");
    write("first/other.h", "");
    keep({{header}, {folder() / "first", folder() / "second"}, {"fast.h"}});
    EXPECT_TRUE(found());
    write("first/unrelated.h", "");
    EXPECT_TRUE(found());
    write("first/sub/part.h", "");
    EXPECT_FALSE(found());
    fs::remove_all(folder() / "first/sub");
    EXPECT_TRUE(found());
    write("first/fast.h", "");  // asked for with __has_include
    EXPECT_FALSE(found());
}

TEST_F(Entries, ManyAtOnceAgree) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 20; ++k) {
                const fs::path kept = keep({});
                std::ifstream program(kept / "program");
                std::string line;
                EXPECT_TRUE(std::getline(program, line));
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(found());
}

}  // namespace
}  // namespace tilescope::image
