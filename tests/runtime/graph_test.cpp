// Graphs that are built by hand: their shape, what is refused, launches, changes. Codes are those of an H200 (driver
// 580.159.04, CUDA 13.0), except where a test says otherwise.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/runtime/graph_api.h"
#include "tests/runtime/program_image.h"
#include "tests/scratch.h"

namespace tilescope::runtime {
namespace {

using abi::NodeType;
using abi::UpdateResult;

char graph_set_stub, graph_table_stub, graph_strange_stub, graph_numbers_shadow;

class GraphTest : public testing::Test {
protected:
    void SetUp() override {
        image.kernel(&graph_set_stub, "set");
        image.kernel(&graph_table_stub, "table");
        image.kernel(&graph_strange_stub, "strange");
        image.variable(&graph_numbers_shadow, "numbers", 32);
        __cudaRegisterFatBinaryEnd(image.handle());
        ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
        ASSERT_EQ(cudaMemset(device, 0, kBytes), cudaSuccess);
        ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    }
    void TearDown() override {
        EXPECT_EQ(exec == nullptr ? cudaSuccess : cudaGraphExecDestroy(exec), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        EXPECT_EQ(cudaFree(device), cudaSuccess);
        cudaGetLastError();
    }

    abi::KernelNode kernel(const void* stub = &graph_set_stub) {
        return {.function = stub,
                .grid = {1, 1, 1},
                .block = {4, 1, 1},
                .dynamic_shared = 0,
                .parameters = arguments,
                .extra = nullptr};
    }
    void* add_kernel(void* before = nullptr) {
        void* node = nullptr;
        const abi::KernelNode said = kernel();
        EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, &before, before != nullptr ? 1 : 0, &said), cudaSuccess);
        return node;
    }
    void* add_empty(void* before = nullptr) {
        void* node = nullptr;
        EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, &before, before != nullptr ? 1 : 0), cudaSuccess);
        return node;
    }
    cudaError connect(void* from, void* to) { return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1); }
    cudaError disconnect(void* from, void* to) { return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1); }
    void instantiate() { ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess); }
    std::vector<int> launched() {
        EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
        std::vector<int> values(4);
        EXPECT_EQ(cudaMemcpy(values.data(), device, 16, cudaMemcpyDeviceToHost), cudaSuccess);
        return values;
    }

    static constexpr std::size_t kBytes = 4096;
    ProgramImage image{kPtx};
    void *graph = nullptr, *exec = nullptr, *device = nullptr;
    int value = 7;
    void* arguments[2] = {&device, &value};
};

TEST_F(GraphTest, KernelsKeepTheirParameters) {
    void* const node = add_kernel();
    value = 8;
    instantiate();
    EXPECT_EQ(launched(), (std::vector{7, 7, 7, 7}));
    abi::KernelNode said{};
    ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &said), cudaSuccess);
    EXPECT_EQ(said.function, &graph_set_stub);
    EXPECT_EQ(said.block.x, 4u);
    EXPECT_EQ(*static_cast<int*>(said.parameters[1]), 7);
    // The executable graph alone, then the graph, which reaches the executable one by an update.
    said = kernel();
    ASSERT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &said), cudaSuccess);
    EXPECT_EQ(launched(), (std::vector{8, 8, 8, 8}));
    value = 9;
    ASSERT_EQ(cudaGraphKernelNodeSetParams(node, &said), cudaSuccess);
    EXPECT_EQ(launched(), (std::vector{8, 8, 8, 8}));
    abi::UpdateInfo info{};
    EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
    EXPECT_EQ(info.result, UpdateResult::kSuccess);
    EXPECT_EQ(launched(), (std::vector{9, 9, 9, 9}));
    unsigned enabled = 7;
    EXPECT_EQ(cudaGraphNodeSetEnabled(exec, node, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphNodeGetEnabled(exec, node, &enabled), cudaSuccess);
    EXPECT_EQ(enabled, 0u);
    ASSERT_EQ(cudaMemset(device, 0, kBytes), cudaSuccess);
    EXPECT_EQ(launched(), (std::vector{0, 0, 0, 0}));
}

TEST_F(GraphTest, ParametersMayComePacked) {
    struct {
        void* p;
        int v;
    } packed{device, 5};
    std::size_t size = 12;
    void* extra[] = {reinterpret_cast<void*>(abi::kExtraBuffer), &packed, reinterpret_cast<void*>(abi::kExtraSize),
                     &size, nullptr};
    abi::KernelNode said = kernel();
    said.parameters = nullptr;
    said.extra = extra;
    void* node = nullptr;
    ASSERT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &said), cudaSuccess);
    instantiate();
    EXPECT_EQ(launched(), (std::vector{5, 5, 5, 5}));
}

TEST_F(GraphTest, RefusesWrongNodes) {
    void* node = nullptr;
    const auto added = [&](const abi::KernelNode& said) {
        return cudaGraphAddKernelNode(&node, graph, nullptr, 0, &said);
    };
    abi::KernelNode said = kernel();
    said.block.x = 2048;
    EXPECT_EQ(added(said), cudaErrorInvalidValue);
    EXPECT_EQ(added(kernel(nullptr)), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(added(kernel(&value)), cudaErrorInvalidResourceHandle);
    said = kernel();
    said.parameters = nullptr;
    EXPECT_EQ(added(said), cudaErrorInvalidValue);
    void* extra[] = {nullptr};
    said = kernel();
    said.extra = extra;
    EXPECT_EQ(added(said), cudaErrorInvalidValue) << "parameters twice (H100)";
    for (const auto kind : {cudaMemcpyDefault, cudaMemcpyHostToDevice})
        EXPECT_EQ(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, nullptr, 4, kind), cudaErrorInvalidValue);
    const auto copied = [&](std::size_t bytes, cudaMemcpyKind kind) {
        return cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, &value, bytes, kind);
    };
    EXPECT_EQ(copied(4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(copied(0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copied(1 << 24, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    const abi::SetNode right{device, 0, 7, 4, 4, 1};
    const auto set = [&](auto change) {
        abi::SetNode wrong = right;
        change(wrong);
        return cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &wrong);
    };
    EXPECT_EQ(set([](abi::SetNode& it) { it.element_bytes = 3; }), cudaErrorInvalidValue);
    EXPECT_EQ(set([](abi::SetNode& it) { it.target = static_cast<char*>(it.target) + 1; }), cudaErrorInvalidValue);
    EXPECT_EQ(set([&](abi::SetNode& it) { it.target = &value; }), cudaErrorInvalidValue);
    EXPECT_EQ(set([](abi::SetNode& it) { it.height = 0; }), cudaErrorInvalidValue);
    EXPECT_EQ(set([](abi::SetNode& it) { it.width = 1 << 24; }), cudaErrorInvalidValue);
    const abi::HostNode none{};
    EXPECT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &none), cudaErrorInvalidValue);
    std::size_t count = 99;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(cudaGraphCreate(&node, 1), cudaErrorInvalidValue);
}

TEST_F(GraphTest, HasTheShapeThatItIsGiven) {
    void *const a = add_kernel(), *const b = add_empty(a), *const c = add_empty();
    void *node = nullptr, *second = nullptr;
    std::array<void*, 2> twice{a, a};
    EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, twice.data(), 2), cudaErrorInvalidValue);
    ASSERT_EQ(cudaGraphCreate(&second, 0), cudaSuccess);
    void* const of_other = a;
    EXPECT_EQ(cudaGraphAddEmptyNode(&node, second, &of_other, 1), cudaErrorInvalidValue);
    EXPECT_EQ(connect(a, b), cudaErrorInvalidValue) << "there already";
    EXPECT_EQ(connect(a, a), cudaErrorInvalidValue);
    EXPECT_EQ(connect(b, c), cudaSuccess);
    EXPECT_EQ(connect(c, a), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue) << "a cycle";
    abi::InstantiateParameters said{};
    EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph, &said), cudaErrorInvalidValue);
    EXPECT_EQ(said.result, abi::InstantiateResult::kInvalidStructure);
    EXPECT_NE(said.error_node, nullptr);
    EXPECT_EQ(disconnect(c, a), cudaSuccess);
    EXPECT_EQ(disconnect(c, a), cudaErrorInvalidValue);

    std::array<void*, 5> nodes;
    nodes.fill(this);
    std::size_t count = nodes.size();
    EXPECT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
    EXPECT_EQ(count, 3u);
    EXPECT_EQ(nodes, (std::array<void*, 5>{a, b, c, nullptr, nullptr}));
    count = 1;
    EXPECT_EQ(cudaGraphGetRootNodes(graph, nodes.data(), &count), cudaSuccess);
    EXPECT_EQ(nodes[0], a);
    EXPECT_EQ(cudaGraphNodeGetDependencies(c, nullptr, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 1u);
    abi::EdgeData programmatic{};
    programmatic.type = 1;
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaGraphAddDependencies(graph, &a, &c, &programmatic, 1), cudaErrorNotSupported);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("programmatic launch"), std::string::npos);

    void *copy = nullptr, *in_copy = nullptr;
    ASSERT_EQ(cudaGraphClone(&copy, graph), cudaSuccess);
    EXPECT_EQ(cudaGraphNodeFindInClone(&in_copy, b, copy), cudaSuccess);
    EXPECT_NE(in_copy, b);
    EXPECT_EQ(cudaGraphNodeFindInClone(&in_copy, b, second), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphDestroyNode(b), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroyNode(b), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(cudaGraphGetEdges(copy, nullptr, nullptr, nullptr, &count), cudaSuccess);
    EXPECT_EQ(count, 2u);
    for (void* made : {copy, second}) EXPECT_EQ(cudaGraphDestroy(made), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(second), cudaErrorInvalidValue);
}

TEST_F(GraphTest, RunsNodesBehindThoseThatTheyDependOn) {
    // The kernel is added first and runs last.
    std::array<int, 4> host{};
    void *const last = add_kernel(), *set = nullptr, *back = nullptr, *called = nullptr;
    const abi::SetNode fours{device, 0, 4, 4, 4, 1};
    ASSERT_EQ(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fours), cudaSuccess);
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&back, graph, &set, 1, host.data(), device, 16, cudaMemcpyDeviceToHost),
              cudaSuccess);
    static int seen = 0;
    const abi::HostNode look{[](void* data) { seen = static_cast<int*>(data)[3]; }, host.data()};
    ASSERT_EQ(cudaGraphAddHostNode(&called, graph, &back, 1, &look), cudaSuccess);
    ASSERT_EQ(connect(called, last), cudaSuccess);
    instantiate();
    EXPECT_EQ(launched(), (std::vector{7, 7, 7, 7}));
    EXPECT_EQ(host, (std::array{4, 4, 4, 4}));
    EXPECT_EQ(seen, 4);
    abi::SetNode other = fours;
    other.value = 0x01020304;
    other.element_bytes = 2;
    other.width = 8;
    EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(exec, set, &other), cudaSuccess);
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams1D(exec, back, host.data(), device, 8, cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(exec, back, &other), cudaErrorInvalidValue) << "a node of another kind";
    launched();
    EXPECT_EQ(host, (std::array{0x03040304, 0x03040304, 4, 4}));
    EXPECT_EQ(cudaGraphLaunch(exec, &value), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaGraphLaunch(nullptr, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphUpload(exec, nullptr), cudaSuccess);
}

TEST_F(GraphTest, HoldsGraphs) {
    void *inner = nullptr, *node = nullptr, *held = nullptr, *inside = nullptr;
    ASSERT_EQ(cudaGraphCreate(&inner, 0), cudaSuccess);
    abi::KernelNode said = kernel();
    ASSERT_EQ(cudaGraphAddKernelNode(&inside, inner, nullptr, 0, &said), cudaSuccess);
    ASSERT_EQ(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, inner), cudaSuccess);
    ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(node, &held), cudaSuccess);
    EXPECT_NE(held, inner);
    EXPECT_EQ(cudaGraphDestroy(held), cudaErrorInvalidValue) << "its node owns it";
    instantiate();
    EXPECT_EQ(launched(), (std::vector{7, 7, 7, 7}));
    std::size_t count = 1;
    value = 3;
    ASSERT_EQ(cudaGraphGetNodes(held, &inside, &count), cudaSuccess);
    EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, inside, &said), cudaSuccess);
    EXPECT_EQ(launched(), (std::vector{3, 3, 3, 3}));
    EXPECT_EQ(cudaGraphExecChildGraphNodeSetParams(exec, node, inner), cudaSuccess);
    EXPECT_EQ(launched(), (std::vector{7, 7, 7, 7}));
    EXPECT_EQ(cudaGraphDestroy(inner), cudaSuccess);
}

TEST_F(GraphTest, IsUpdatedOnlyBySuchAsHaveItsShape) {
    void *const a = add_kernel(), *const b = add_kernel(a);
    instantiate();
    abi::UpdateInfo info{};
    const auto updated = [&](UpdateResult result) {
        EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
        EXPECT_EQ(info.result, result);
    };
    EXPECT_EQ(disconnect(a, b), cudaSuccess);
    updated(UpdateResult::kTopologyChanged);
    EXPECT_EQ(info.error_node, b) << "its dependencies changed (H100, CUDA 13.0)";
    EXPECT_EQ(connect(a, b), cudaSuccess);
    void* const c = add_empty(b);
    updated(UpdateResult::kTopologyChanged);
    EXPECT_EQ(cudaGraphDestroyNode(b), cudaSuccess);
    EXPECT_EQ(connect(a, c), cudaSuccess);
    updated(UpdateResult::kTypeChanged);
    EXPECT_EQ(info.error_node, c);
    // Another function is no other shape.
    void* next = nullptr;
    abi::KernelNode said = kernel(&graph_table_stub);
    EXPECT_EQ(cudaGraphDestroyNode(c), cudaSuccess);
    ASSERT_EQ(cudaGraphAddKernelNode(&next, graph, &a, 1, &said), cudaSuccess);
    EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
    const std::array<int, 8> numbers{10, 20, 30, 40};
    ASSERT_EQ(cudaMemcpyToSymbol(&graph_numbers_shadow, numbers.data(), 32, 0, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(launched(), (std::vector{17, 27, 37, 47}));
}

// Of an H100 (CUDA 13.0): what nodes of executable graphs do changes within their rows and kinds of memory.
TEST_F(GraphTest, ChangesNodesWithinTheirShape) {
    char* const bytes = static_cast<char*>(device);
    std::array<int, 64> host{};
    void *one = nullptr, *rows = nullptr, *copy = nullptr, *kernel_node = add_kernel();
    const abi::SetNode line{bytes, 0, 0, 4, 8, 1}, block{bytes, 64, 0, 4, 8, 4};
    ASSERT_EQ(cudaGraphAddMemsetNode(&one, graph, nullptr, 0, &line), cudaSuccess);
    ASSERT_EQ(cudaGraphAddMemsetNode(&rows, graph, nullptr, 0, &block), cudaSuccess);
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, bytes, bytes + 512, 128, cudaMemcpyDeviceToDevice),
              cudaSuccess);
    instantiate();
    const auto set = [&](void* node, const abi::SetNode& said) {
        return cudaGraphExecMemsetNodeSetParams(exec, node, &said);
    };
    EXPECT_EQ(set(one, {bytes, 0, 7, 4, 16, 1}), cudaSuccess);
    EXPECT_EQ(set(one, {bytes, 64, 7, 4, 8, 2}), cudaErrorInvalidValue);
    EXPECT_EQ(set(rows, {bytes + 512, 64, 9, 4, 8, 2}), cudaErrorInvalidValue);
    EXPECT_EQ(set(rows, {bytes, 0, 7, 4, 16, 1}), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, host.data(), bytes, 128, cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
    abi::UpdateInfo info{};
    abi::AttributeValue value{};
    value.number = 1;
    constexpr int kCooperative = 2;
    ASSERT_EQ(cudaGraphKernelNodeSetAttribute(kernel_node, kCooperative, &value), cudaSuccess);
    EXPECT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaErrorGraphExecUpdateFailure);
    EXPECT_EQ(info.result, UpdateResult::kAttributesChanged);
    EXPECT_EQ(info.error_node, kernel_node);
}

TEST_F(GraphTest, KernelsKeepTheirPriority) {
    void *const node = add_kernel(), *const other = add_kernel();
    abi::AttributeValue value{};
    value.number = -1;
    constexpr int kPriority = 8;
    EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, kPriority, &value), cudaSuccess);
    EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(other, node), cudaSuccess);
    for (void* const known : {node, other}) {
        value = {};
        EXPECT_EQ(cudaGraphKernelNodeGetAttribute(known, kPriority, &value), cudaSuccess);
        EXPECT_EQ(value.number, -1);
    }
    void *stream = nullptr, *captured = nullptr, *inside = nullptr;
    std::size_t count = 1;
    ASSERT_EQ(cudaStreamCreateWithPriority(&stream, 1, -5), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream, abi::CaptureMode::kGlobal), cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(&graph_set_stub, {1, 1, 1}, {4, 1, 1}, arguments, 0, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
    ASSERT_EQ(cudaGraphGetNodes(captured, &inside, &count), cudaSuccess);
    EXPECT_EQ(cudaGraphKernelNodeGetAttribute(inside, kPriority, &value), cudaSuccess);
    EXPECT_EQ(value.number, -5) << "of the stream";
    EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(GraphTest, FunctionsOfTheHostMayNotCallCuda) {
    static cudaError got = cudaSuccess;
    const auto call = [](void* where) { got = cudaMalloc(static_cast<void**>(where), 4); };
    void *node = nullptr, *memory = nullptr;
    EXPECT_EQ(cudaLaunchHostFunc(nullptr, call, &memory), cudaSuccess);
    EXPECT_EQ(std::exchange(got, cudaSuccess), cudaErrorNotPermitted);
    const abi::HostNode said{call, &memory};
    ASSERT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &said), cudaSuccess);
    instantiate();
    launched();
    EXPECT_EQ(got, cudaErrorNotPermitted);
}

TEST_F(GraphTest, TakesNodesOfAnyKind) {
    void* node = nullptr;
    abi::AnyNode any{};
    any.type = NodeType::kSet;
    any.set = {device, 0, 6, 4, 4, 1};
    ASSERT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any), cudaSuccess);
    instantiate();
    EXPECT_EQ(launched(), (std::vector{6, 6, 6, 6}));
    testing::internal::CaptureStderr();
    any.type = NodeType::kConditional;
    EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any), cudaErrorNotSupported);
    any.type = NodeType::kAllocation;
    EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any), cudaErrorNotSupported);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "tilescope: a conditional node of a graph is not supported yet\n"
              "tilescope: a graph's node that allocates or frees memory is not supported yet\n");
    constexpr unsigned long long kDeviceLaunch = 4, kPriority = 8, kUnknown = 64;
    void* second = nullptr;
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaGraphInstantiate(&second, graph, kDeviceLaunch), cudaErrorNotSupported);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "tilescope: a graph that kernels launch is not supported yet\n");
    EXPECT_EQ(cudaGraphInstantiate(&second, graph, kUnknown), cudaErrorInvalidValue);
    ASSERT_EQ(cudaGraphInstantiate(&second, graph, kPriority), cudaSuccess);
    unsigned long long flags = 0;
    EXPECT_EQ(cudaGraphExecGetFlags(second, &flags), cudaSuccess);
    EXPECT_EQ(flags, kPriority);
    EXPECT_EQ(cudaGraphExecDestroy(second), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(second), cudaErrorInvalidValue);
}

TEST_F(GraphTest, DrawsItself) {
    add_empty(add_kernel());
    const std::string path = scratch_file("graph.dot");
    ASSERT_EQ(cudaGraphDebugDotPrint(graph, path.c_str(), 0), cudaSuccess);
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str().rfind("digraph graph_0 {\n", 0), 0u);
    EXPECT_NE(text.str().find("[label=\"kernel\\nset\"]"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find(" -> "), std::string::npos);
    EXPECT_EQ(cudaGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0), cudaErrorOperatingSystem);
}

}  // namespace
}  // namespace tilescope::runtime
