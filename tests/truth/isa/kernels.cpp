#include "tests/truth/isa/kernels.h"

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::truth {
namespace {

constexpr std::string_view kHead = ".version 8.8\n.target sm_90\n.address_size 64\n";

// The type of the register and of the memory that holds a value: .pred has no memory of its own.
std::string plain(std::string_view type) { return "b" + std::to_string(type == "pred" ? 32 : bits_of(type)); }
unsigned bytes_of(std::string_view type) { return (type == "pred" ? 32 : bits_of(type)) / 8; }

std::string hexadecimal(std::uint64_t value) {
    std::string text;
    do text.insert(text.begin(), "0123456789abcdef"[value & 15]);
    while (value >>= 4);
    return "0x" + text;
}

// The list twice over, so that a lane may begin anywhere in it.
std::string elements(const ValueList& list) {
    std::string text;
    for (unsigned i = 0; i < 2 * kLanes; ++i) text += (i ? ", " : "") + hexadecimal(list.values[i % kLanes]);
    return text;
}

std::map<std::string, const ValueList*> lists_of(std::span<const Line* const> lines) {
    std::map<std::string, const ValueList*> lists;
    for (const Line* line : lines)
        for (const Word& word : line->words)
            for (const Word::Source& source : word.sources) lists.emplace(source.list->name, source.list);
    return lists;
}

// One kernel of PTX. Registers are %r0, %r1, ... for results and scratch, %i0, ... for inputs.
class Kernel {
public:
    explicit Kernel(const Line& line) : line_(line) {}

    std::string text() {
        for (const Word& word : line_.words) names_.push_back(name_of(word));
        const bool calls = line_.instruction.starts_with("__nv_");
        std::string body = calls ? call() : instructions();
        for (std::size_t r = 0; r < results_.size(); ++r) body += store(r);
        return ".visible .entry " + kernel_name(line_) + "(.param .u64 out)\n{\n" + "    .reg .b32 %lane;\n" +
               "    .reg .b64 %out, %turn, %at;\n    mov.u32 %lane, %tid.x;\n    ld.param.u64 %out, [out];\n" +
               "    mad.wide.u32 %out, %lane, " + std::to_string(kOutputBytes) + ", %out;\n" + loads_ + body +
               "    ret;\n}\n";
    }

    // `.extern` for the function that it calls.
    std::string declaration() const {
        std::string parameters;
        unsigned i = 0;
        for (const Word& word : line_.words)
            if (word.use == Word::Use::kInput)
                parameters += (i ? ", " : "") + parameter(word.sources[0].list->type, "a" + std::to_string(i)), ++i;
        return ".extern .func (" + parameter(line_.results[0], "r") + ") " + line_.words[0].text + "(" + parameters +
               ");\n";
    }

private:
    static std::string parameter(std::string_view type, const std::string& name) {
        return ".param ." + plain(type) + " " + name;
    }

    std::string name_of(const Word& word) {
        switch (word.use) {
            case Word::Use::kText: return word.text;
            case Word::Use::kInput: return input(word);
            case Word::Use::kResult:
            case Word::Use::kScratch: break;
        }
        const std::string name = "%r" + std::to_string(registers_++);
        loads_ += "    .reg ." + (word.text == "pred" ? word.text : plain(word.text)) + " " + name + ";\n";
        if (word.use == Word::Use::kResult) results_.push_back({name, word.text});
        return name;
    }

    // A register with the list's element of this lane.
    std::string element(const Word::Source& source) {
        const std::string name = "%i" + std::to_string(inputs_++), bytes = std::to_string(bytes_of(source.list->type));
        const std::string type = plain(source.list->type);
        loads_ += "    .reg ." + type + " " + name + ";\n    mov.u64 %turn, " + source.list->name + "_values;\n" +
                  "    mad.wide.u32 %at, %lane, " + bytes + ", %turn;\n    ld.global." + type + " " + name + ", [%at+" +
                  std::to_string(source.turn * bytes_of(source.list->type)) + "];\n";
        return name;
    }

    std::string input(const Word& word) {
        const std::string low = element(word.sources[0]);
        if (word.sources.size() == 2) {
            const std::string high = element(word.sources[1]), name = "%i" + std::to_string(inputs_++);
            loads_ += "    .reg .b128 " + name + ";\n    mov.b128 " + name + ", {" + low + ", " + high + "};\n";
            return name;
        }
        if (word.sources[0].list->type != "pred") return low;
        const std::string name = "%i" + std::to_string(inputs_++);
        loads_ += "    .reg .pred " + name + ";\n    setp.ne.b32 " + name + ", " + low + ", 0;\n";
        return name;
    }

    std::string instructions() const {
        std::string text = "    ";
        for (const std::string& name : names_) text += name;
        return text + ";\n";
    }

    std::string call() const {
        std::string before, arguments;
        unsigned i = 0;
        for (std::size_t w = 0; w < names_.size(); ++w) {
            const Word& word = line_.words[w];
            if (word.use != Word::Use::kInput) continue;
            const std::string name = "a" + std::to_string(i++), type = plain(word.sources[0].list->type);
            before += "    .param ." + type + " " + name + ";\n    st.param." + type + " [" + name + "], " + names_[w] +
                      ";\n";
            arguments += (arguments.empty() ? "" : ", ") + name;
        }
        const std::string type = plain(line_.results[0]);
        return "    {\n" + before + "    .param ." + type + " r;\n    call.uni (r), " + line_.words[0].text + ", (" +
               arguments + ");\n    ld.param." + type + " " + results_[0].first + ", [r];\n    }\n";
    }

    std::string store(std::size_t result) const {
        const auto& [name, type] = results_[result];
        const std::size_t place = result * kLanes * kOutputBytes;
        const std::string at = "[%out+" + std::to_string(place) + "], ", own = "%s" + std::to_string(result);
        if (type == "pred")
            return "    .reg .b32 " + own + ";\n    selp.b32 " + own + ", 1, 0, " + name + ";\n    st.global.b32 " +
                   at + own + ";\n";
        if (type == "b128")
            return "    .reg .b64 " + own + "l, " + own + "h;\n    mov.b128 {" + own + "l, " + own + "h}, " + name +
                   ";\n    st.global.b64 " + at + own + "l;\n    st.global.b64 [%out+" + std::to_string(place + 8) +
                   "], " + own + "h;\n";
        return "    st.global." + plain(type) + " " + at + name + ";\n";
    }

    const Line& line_;
    std::string loads_;
    std::vector<std::string> names_;                            // of the line's words
    std::vector<std::pair<std::string, std::string>> results_;  // register and type
    unsigned registers_ = 0, inputs_ = 0;
};

// A type that the library's bitcode takes for it: only whether it is a float and how wide it is matters there.
std::string cuda_type(std::string_view type) {
    if (type == "f32") return "float";
    if (type == "f64") return "double";
    switch (bits_of(type)) {
        case 16: return "unsigned short";
        case 64: return "unsigned long long";
        default: return "unsigned";
    }
}

}  // namespace

std::string kernel_name(const Line& line) { return "line_" + std::to_string(line.number); }

std::string ptx_for(std::span<const Line* const> lines) {
    std::string text(kHead), kernels;
    std::set<std::string> declared;
    for (const auto& [name, list] : lists_of(lines))
        text += ".global .align 8 ." + plain(list->type) + " " + name + "_values[" + std::to_string(2 * kLanes) +
                "] = {" + elements(*list) + "};\n";
    for (const Line* line : lines) {
        Kernel kernel(*line);
        kernels += kernel.text();
        if (line->instruction.starts_with("__nv_") && declared.insert(line->words[0].text).second)
            text += kernel.declaration();
    }
    return text + kernels;
}

std::string cuda_for(std::span<const Line* const> lines) {
    std::string text;
    for (const auto& [name, list] : lists_of(lines)) {
        const bool wide = bits_of(list->type) == 64;
        text += std::string("__device__ ") + (wide ? "unsigned long long " : "unsigned ") + name + "_values[" +
                std::to_string(2 * kLanes) + "] = {" + elements(*list) + "};\n";
    }
    for (const Line* line : lines) {
        std::string types, arguments;
        for (const Word& word : line->words) {
            if (word.use != Word::Use::kInput) continue;
            const Word::Source& source = word.sources[0];
            const std::string type = cuda_type(source.list->type);
            types += (types.empty() ? "" : ", ") + type;
            arguments += (arguments.empty() ? "" : ", ") + ("*(" + type) + "*)&" + source.list->name +
                         "_values[threadIdx.x + " + std::to_string(source.turn) + "]";
        }
        const std::string result = cuda_type(line->results[0]), name = line->words[0].text;
        text += "extern \"C\" __device__ " + result + " " + name + "(" + types + ");\n";
        text += "extern \"C\" __global__ void " + kernel_name(*line) + "(char* out) {\n    *(" + result +
                "*)(out + threadIdx.x * " + std::to_string(kOutputBytes) + ") = " + name + "(" + arguments + ");\n}\n";
    }
    return text;
}

}  // namespace tilescope::truth
