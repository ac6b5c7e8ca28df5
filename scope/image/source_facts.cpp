#include "scope/image/source_facts.h"

#include <algorithm>
#include <charconv>

#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

constexpr std::string_view kMark = "// tilescope: ", kKernel = "kernel ", kParameter = "parameter ",
                           kShared = "shared ", kAutomatic = "automatic ";
constexpr std::string_view kUnknownShape = "-", kMemory = "memory", kRegisters = "registers";

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (const std::uint64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text.empty() ? std::string(kUnknownShape) : text;
}

// "16x17", all of it.
std::optional<std::vector<std::uint64_t>> read_shape(std::string_view text) {
    std::vector<std::uint64_t> shape;
    if (text == kUnknownShape) return shape;
    do {
        std::uint64_t size = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (failure != std::errc() || size == 0) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        shape.push_back(size);
    } while (take(text, "x"));
    return text.empty() ? std::optional(shape) : std::nullopt;
}

// "Mds 16x17 float".
std::optional<SharedDeclaration> read_shared_fact(std::string_view text) {
    const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
    const auto shape = read_shape(text.substr(first + 1, second - first - 1));
    if (!shape) return std::nullopt;
    return SharedDeclaration{std::string(text.substr(0, first)), std::string(text.substr(second + 1)), *shape};
}

// "x 4 16 registers float".
std::optional<AutomaticVariable> read_automatic_fact(std::string_view text) {
    std::vector<std::string_view> words;
    for (unsigned i = 0; i < 4; ++i) {
        const std::size_t end = text.find(' ');
        if (end == std::string_view::npos) return std::nullopt;
        words.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    const auto shape = read_shape(words[1]);
    const auto bytes = read_shape(words[2]);
    if (!shape || !bytes || bytes->size() != 1 || (words[3] != kMemory && words[3] != kRegisters)) return std::nullopt;
    return AutomaticVariable{std::string(words[0]), std::string(text), *shape, bytes->front(), words[3] == kMemory};
}

}  // namespace

std::string facts_as_comments(const SourceFacts& facts) {
    std::string text;
    const auto line = [&](std::string_view what, const std::string& fact) {
        text += std::string(kMark) + std::string(what) + fact + "\n";
    };
    for (const auto& [entry, source] : facts) {
        line(kKernel, entry);
        for (const std::string& name : source.parameters) line(kParameter, name);
        for (const SharedDeclaration& one : source.shared)
            line(kShared, one.name + " " + shape_text(one.shape) + " " + one.type);
        for (const AutomaticVariable& one : source.automatic)
            line(kAutomatic, one.name + " " + shape_text(one.shape) + " " + std::to_string(one.bytes) + " " +
                                 std::string(one.has_memory ? kMemory : kRegisters) + " " + one.type);
    }
    return text;
}

SourceFacts facts_in(std::string_view ptx) {
    SourceFacts facts;
    KernelSource* kernel = nullptr;
    const std::size_t start = ptx.find(kMark);
    if (start == std::string_view::npos) return facts;
    each_line(ptx.substr(start), [&](std::string_view line) {
        if (!take(line, kMark)) return;
        if (take(line, kKernel)) {
            kernel = &facts[std::string(line)];
            *kernel = {};
        } else if (kernel != nullptr && take(line, kParameter)) {
            kernel->parameters.emplace_back(line);
        } else if (kernel != nullptr && take(line, kShared)) {
            if (auto one = read_shared_fact(line)) kernel->shared.push_back(std::move(*one));
        } else if (kernel != nullptr && take(line, kAutomatic)) {
            if (auto one = read_automatic_fact(line)) kernel->automatic.push_back(std::move(*one));
        }
    });
    return facts;
}

KernelSource completed(const KernelSource& compiled, const std::optional<KernelSource>& text) {
    if (!text || text->parameters != compiled.parameters) return compiled;
    KernelSource all{compiled.parameters, text->shared, compiled.automatic};
    const auto called = [](const std::string& name) {
        return [&name](const SharedDeclaration& one) { return one.name == name; };
    };
    for (const SharedDeclaration& known : compiled.shared) {
        const auto same_name = called(known.name);
        if (std::count_if(compiled.shared.begin(), compiled.shared.end(), same_name) > 1) continue;  // of inner blocks
        const auto found = std::find_if(all.shared.begin(), all.shared.end(), same_name);
        if (found != all.shared.end())
            *found = known;
        else
            all.shared.push_back(known);
    }
    return all;
}

}  // namespace tilescope::image
