// The three libraries as programs meet them: every name exported, each release's own layouts, no other names.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "scope/runtime/cudart/graph_abi.h"
#include "tests/places.h"

namespace tilescope::runtime {
namespace {

struct Library {
    std::string release;
    int version;
    std::size_t properties, pointer_attributes;
};

class Libraries : public testing::TestWithParam<Library> {
protected:
    void SetUp() override {
        const std::string path = runtime_dir() + "/libcudart.so." + GetParam().release;
        handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(handle, nullptr) << dlerror();
    }
    template <class Signature>
    Signature* symbol(const char* name) const {
        return reinterpret_cast<Signature*>(dlsym(handle, name));
    }
    void* handle = nullptr;
};

TEST_P(Libraries, ExportEveryNameUnderTheirVersion) {
    std::ifstream names(source_dir() + "/tests/runtime/exports.txt");
    std::string name;
    int count = 0;
    const std::string version = "libcudart.so." + GetParam().release;
    while (std::getline(names, name)) {
        if (name.empty() || name[0] == '#') continue;
        EXPECT_NE(dlvsym(handle, name.c_str(), version.c_str()), nullptr) << name;
        ++count;
    }
    EXPECT_GT(count, 400);
}

TEST_P(Libraries, HaveTheirOwnNameAndHideTheRest) {
    link_map* map = nullptr;
    ASSERT_EQ(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
    std::string soname;
    const char* strings = nullptr;
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    }
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SONAME) soname = strings + entry->d_un.d_val;
    }
    EXPECT_EQ(soname, "libcudart.so." + GetParam().release);
    EXPECT_EQ(dlsym(handle, "_ZN9tilescope7runtime7Runtime3getEv"), nullptr);
    EXPECT_EQ(dlsym(handle, "_ZN9tilescope6renderERKNS_10DiagnosticE"), nullptr);
}

TEST_P(Libraries, SayTheirRelease) {
    int version = 0;
    ASSERT_EQ(symbol<cudaError(int*)>("cudaRuntimeGetVersion")(&version), cudaSuccess);
    EXPECT_EQ(version, GetParam().version);
}

// What is written ends where the release's structure does.
TEST_P(Libraries, FillTheirOwnLayouts) {
    std::array<unsigned char, 2048> bytes;
    bytes.fill(0xee);
    ASSERT_EQ(symbol<cudaError(void*, int)>("cudaGetDeviceProperties")(bytes.data(), 0), cudaSuccess);
    for (std::size_t i = GetParam().properties; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], 0xee) << i;
    EXPECT_NE(bytes[GetParam().properties - 1], 0xee);
    bytes.fill(0xee);
    ASSERT_EQ(symbol<cudaError(void*, const void*)>("cudaPointerGetAttributes")(bytes.data(), &bytes), cudaSuccess);
    for (std::size_t i = GetParam().pointer_attributes; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], 0xee) << i;
    EXPECT_NE(bytes[GetParam().pointer_attributes - 1], 0xee);
}

// Calls about graphs take what their release gives them.
TEST_P(Libraries, TakeTheirOwnFormsOfGraphs) {
    void *graph = nullptr, *exec = nullptr;
    std::array<void*, 2> nodes{};
    ASSERT_EQ(symbol<cudaError(void**, unsigned)>("cudaGraphCreate")(&graph, 0), cudaSuccess);
    for (void*& node : nodes)
        ASSERT_EQ(symbol<cudaError(void**, void*, void* const*, std::size_t)>("cudaGraphAddEmptyNode")(&node, graph,
                                                                                                       nullptr, 0),
                  cudaSuccess);
    std::size_t edges = 0;
    abi::UpdateInfo info{abi::UpdateResult::kError, this, this};
    const bool is_11 = GetParam().version < 12000;
    if (GetParam().version >= 13000) {
        using Connect = cudaError(void*, void* const*, void* const*, const abi::EdgeData*, std::size_t);
        EXPECT_EQ(symbol<Connect>("cudaGraphAddDependencies")(graph, &nodes[0], &nodes[1], nullptr, 1), cudaSuccess);
        using Edges = cudaError(void*, void**, void**, abi::EdgeData*, std::size_t*);
        EXPECT_EQ(symbol<Edges>("cudaGraphGetEdges")(graph, nullptr, nullptr, nullptr, &edges), cudaSuccess);
    } else {
        using Connect = cudaError(void*, void* const*, void* const*, std::size_t);
        EXPECT_EQ(symbol<Connect>("cudaGraphAddDependencies")(graph, &nodes[0], &nodes[1], 1), cudaSuccess);
        using Edges = cudaError(void*, void**, void**, std::size_t*);
        EXPECT_EQ(symbol<Edges>("cudaGraphGetEdges")(graph, nullptr, nullptr, &edges), cudaSuccess);
    }
    EXPECT_EQ(edges, 1u);
    if (is_11) {
        std::array<char, 4> log{'x'};
        void* wrong = this;
        using Instantiate = cudaError(void**, void*, void**, char*, std::size_t);
        EXPECT_EQ(symbol<Instantiate>("cudaGraphInstantiate")(&exec, graph, &wrong, log.data(), log.size()),
                  cudaSuccess);
        EXPECT_EQ(wrong, nullptr);
        EXPECT_EQ(log[0], 0);
        using Update = cudaError(void*, void*, void**, abi::UpdateResult*);
        EXPECT_EQ(symbol<Update>("cudaGraphExecUpdate")(exec, graph, &wrong, &info.result), cudaSuccess);
    } else {
        using Instantiate = cudaError(void**, void*, unsigned long long);
        EXPECT_EQ(symbol<Instantiate>("cudaGraphInstantiate")(&exec, graph, 0), cudaSuccess);
        using Update = cudaError(void*, void*, abi::UpdateInfo*);
        EXPECT_EQ(symbol<Update>("cudaGraphExecUpdate")(exec, graph, &info), cudaSuccess);
        EXPECT_EQ(info.error_node, nullptr);
    }
    EXPECT_EQ(info.result, abi::UpdateResult::kSuccess);
    EXPECT_EQ(symbol<cudaError(void*, void*)>("cudaGraphLaunch")(exec, nullptr), cudaSuccess);
    EXPECT_EQ(symbol<cudaError(void*)>("cudaGraphExecDestroy")(exec), cudaSuccess);
    EXPECT_EQ(symbol<cudaError(void*)>("cudaGraphDestroy")(graph), cudaSuccess);
}

INSTANTIATE_TEST_SUITE_P(All, Libraries,
                         testing::Values(Library{"11.0", 11080, 728, 24}, Library{"12", 12080, 728, 24},
                                         Library{"13", 13000, 1008, 88}),
                         [](const auto& info) { return "Cuda" + std::to_string(info.param.version / 1000); });

}  // namespace
}  // namespace tilescope::runtime
