// Calls through pointers, of random signatures: functions of the same sizes whose parameters are aligned in any way
// find their arguments, give their results back, and leave the caller's stack alone.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "scope/session/session.h"

namespace tilescope {
namespace {

using Random = std::mt19937;

struct Parameter {
    bool is_scalar = false;
    unsigned bytes = 4;  // of a scalar: 4 or 8
    unsigned words() const { return bytes / 4; }
};

struct Signature {
    std::vector<Parameter> parameters;
    Parameter result;
};

Signature random_signature(Random& random) {
    const auto any = [&] {
        Parameter parameter;
        parameter.is_scalar = random() % 2 == 0;
        parameter.bytes = parameter.is_scalar ? (random() % 2 ? 4 : 8) : 4 * (1 + random() % 20);
        return parameter;
    };
    Signature signature;
    for (unsigned i = 1 + random() % 6; i > 0; --i) signature.parameters.push_back(any());
    signature.result = any();
    return signature;
}

std::string declaration(const Parameter& parameter, const std::string& name, Random& random) {
    if (parameter.is_scalar) return ".param .b" + std::to_string(8 * parameter.bytes) + " " + name;
    constexpr unsigned kAlignments[] = {4, 8, 16, 32, 128, 1024};
    return ".param .align " + std::to_string(kAlignments[random() % std::size(kAlignments)]) + " .b8 " + name + "[" +
           std::to_string(parameter.bytes) + "]";
}

std::uint32_t word_of(std::size_t parameter, unsigned word) {
    return static_cast<std::uint32_t>(1000003 * (parameter + 1) + 7919 * word + 1);
}

// Word k of the result is this sum plus k, plus the function's number.
std::uint32_t sum_of(const Signature& signature) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        for (unsigned w = 0; w < signature.parameters[i].words(); ++w) sum = 31 * sum + word_of(i, w);
    return sum;
}

// Loads or stores the 32-bit words of a parameter through %r8 (and %d8), with `each` around every word.
template <class Each>
std::string words(const Parameter& parameter, const std::string& name, bool stores, const Each& each) {
    std::string text;
    if (parameter.is_scalar && parameter.bytes == 8) {
        if (!stores) text += " ld.param.b64 %d8, [" + name + "];\n mov.b64 {%r8, %r9}, %d8;\n";
        text += each(0);
        text += stores ? " mov.b32 %r9, %r8;\n" : " mov.b32 %r8, %r9;\n";
        text += each(1);
        if (stores) text += " mov.b64 %d8, {%r9, %r8};\n st.param.b64 [" + name + "], %d8;\n";
        return text;
    }
    for (unsigned w = 0; w < parameter.words(); ++w) {
        const std::string place = "[" + name + (parameter.is_scalar ? "" : "+" + std::to_string(4 * w)) + "]";
        if (!stores) text += " ld.param.b32 %r8, " + place + ";\n";
        text += each(w);
        if (stores) text += " st.param.b32 " + place + ", %r8;\n";
    }
    return text;
}

constexpr unsigned kFunctions = 4;

std::string function_text(const Signature& signature, unsigned number, Random& random) {
    std::string text =
        ".func (" + declaration(signature.result, "result", random) + ") f" + std::to_string(number) + "(";
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        text += (i ? ", " : "") + declaration(signature.parameters[i], "p" + std::to_string(i), random);
    // A stack of its own, of another size in each.
    text += ")\n{\n .reg .b32 %r<10>;\n .reg .b64 %d<10>;\n .local .b8 own[" + std::to_string(4 + 36 * number) +
            "];\n mov.u32 %r1, 0;\n st.local.b32 [own], %r1;\n";
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        text += words(signature.parameters[i], "p" + std::to_string(i), false,
                      [](unsigned) { return " mad.lo.u32 %r1, %r1, 31, %r8;\n"; });
    text += " add.u32 %r1, %r1, " + std::to_string(number) + ";\n";
    text += words(signature.result, "result", true,
                  [](unsigned w) { return " add.u32 %r8, %r1, " + std::to_string(w) + ";\n"; });
    return text + " ret;\n}\n";
}

std::string module_text(const Signature& signature, Random& random) {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (unsigned f = 0; f < kFunctions; ++f) text += function_text(signature, f, random);
    text += R"(.visible .entry k(.param .u64 out, .param .u32 which)
{
 .reg .b32 %r<10>; .reg .b64 %d<20>; .reg .pred %p1;
 .local .align 16 .b8 before[64];
 ld.param.u64 %d1, [out];
 ld.param.u32 %r1, [which];
 mov.u32 %r2, 77;
)";
    for (unsigned w = 0; w < 16; ++w) text += " st.local.u32 [before+" + std::to_string(4 * w) + "], %r2;\n";
    text += " mov.u64 %d2, f0;\n";
    for (unsigned f = 1; f < kFunctions; ++f)
        text += " mov.u64 %d3, f" + std::to_string(f) + ";\n setp.eq.u32 %p1, %r1, " + std::to_string(f) +
                ";\n selp.b64 %d2, %d3, %d2, %p1;\n";
    std::string arguments, types;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        const std::string name = "a" + std::to_string(i);
        text += " " + declaration(signature.parameters[i], name, random) + ";\n";
        text += words(signature.parameters[i], name, true,
                      [&](unsigned w) { return " mov.u32 %r8, " + std::to_string(word_of(i, w)) + ";\n"; });
        arguments += (i ? ", " : "") + name;
        types += (i ? ", " : "") + declaration(signature.parameters[i], "_", random);
    }
    text += " " + declaration(signature.result, "got", random) + ";\n";
    text += " type: .callprototype (" + declaration(signature.result, "_", random) + ") _ (" + types + ");\n";
    text += " call (got), %d2, (" + arguments + "), type;\n";
    text += words(signature.result, "got", false,
                  [](unsigned w) { return " st.global.u32 [%d1+" + std::to_string(4 * w) + "], %r8;\n"; });
    text += " mov.u32 %r3, 0;\n";
    for (unsigned w = 0; w < 16; ++w)
        text += " ld.local.u32 %r2, [before+" + std::to_string(4 * w) + "];\n add.u32 %r3, %r3, %r2;\n";
    return text + " st.global.u32 [%d1+120], %r3;\n ret;\n}\n";
}

TEST(CallSignatures, FunctionsOfOneTypeMayAlignTheirParametersInAnyWay) {
    Random random(20261122);
    for (unsigned round = 0; round < 80; ++round) {
        const Signature signature = random_signature(random);
        const std::string text = module_text(signature, random);
        SessionOptions options;
        options.jobs = 1;
        auto session = Session::create(options);
        (*session)->set_stack_limit(std::uint64_t{64} << 10U);  // parameters are aligned to as much as 1,024 bytes
        const auto module = (*session)->load_module(text, "calls.ptx");
        ASSERT_TRUE(module) << render(module.errors()) << text;
        std::uint32_t out[31];
        void* storage = (*session)->memory().allocate(128, machine::AllocationKind::kDevice);
        for (std::uint32_t which = 0; which < kFunctions; ++which) {
            struct {
                void* out;
                std::uint32_t which, unused = 0;
            } parameters{storage, which};
            LaunchRequest request;
            request.kernel = *(*session)->find_kernel(*module, "k");
            request.parameters = std::as_bytes(std::span(&parameters, 1));
            const LaunchResult result = (*session)->launch(request);
            ASSERT_EQ(result.status, LaunchStatus::kOk)
                << (result.hazard ? result.hazard->message : render(result.diagnostics)) << "\n"
                << text;
            std::memcpy(out, (*session)->memory().bytes(storage), sizeof out);
            for (unsigned w = 0; w < signature.result.words() && w < 30; ++w)
                ASSERT_EQ(out[w], sum_of(signature) + which + w) << "function " << which << "\n" << text;
            ASSERT_EQ(out[30], 16u * 77) << text;
        }
    }
}

}  // namespace
}  // namespace tilescope
