#include "scope/image/cluster_dims.h"

#include <cstdlib>

#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

constexpr std::string_view kAnnotations = "@llvm.global.annotations = ", kMark = "c\"tilescope_cluster\\00\"";

// The next "@name" at or behind `at`, which comes to stand behind it; empty when there is none.
std::string_view next_name(std::string_view line, std::size_t& at) {
    at = line.find('@', at);
    if (at == std::string_view::npos) return {};
    const std::size_t start = at;
    at = std::min(line.find_first_of(" ,)", start), line.size());
    return line.substr(start, at - start);
}

// "{ i32, i32 } { i32 2, i32 1 }, section ...": 2 and 1.
std::vector<std::uint64_t> values_of(std::string_view line) {
    std::vector<std::uint64_t> values;
    std::size_t at = line.find('{', line.find('}'));
    const std::size_t end = line.find('}', at);
    while (at < end) {
        at = line.find(" i", at);
        if (at >= end) break;
        at = line.find(' ', at + 1);
        values.push_back(std::strtoull(std::string(line.substr(at, end - at)).c_str(), nullptr, 10));
    }
    return values;
}

}  // namespace

ClusterDims cluster_dims(std::string_view llvm_ir) {
    ClusterDims dims;
    if (llvm_ir.find(kMark) == std::string_view::npos) return dims;
    std::string_view mark, annotations;
    std::map<std::string_view, std::string_view> constants;
    each_line(llvm_ir, [&](std::string_view line) {
        if (line.starts_with(kAnnotations)) annotations = line.substr(kAnnotations.size());
        if (!line.starts_with('@')) return;
        const std::string_view name = line.substr(0, line.find(" = "));
        if (line.find(kMark) != std::string_view::npos) mark = name;
        if (name.starts_with("@.args")) constants[name] = line;
    });
    // Each annotation: what it is of, its text, the file, and its arguments where it has some. The first name is that
    // of a function, and names of functions stand nowhere else.
    std::size_t at = 0;
    std::string_view kernel, text;
    for (std::string_view name = next_name(annotations, at); !name.empty(); name = next_name(annotations, at)) {
        if (name.starts_with("@.args")) {
            if (text == mark && constants.count(name) != 0)
                dims[std::string(kernel.substr(1))] = values_of(constants[name]);
        } else if (!name.starts_with("@.str")) {
            kernel = name;
            text = {};
        } else if (text.empty()) {
            text = name;
        }
    }
    return dims;
}

std::string with_clusters(std::string ptx, const ClusterDims& dims) {
    for (const auto& [kernel, values] : dims) {
        const std::size_t entry = ptx.find(".entry " + kernel + "(");
        const std::size_t body = entry == std::string::npos ? entry : ptx.find("\n{", entry);
        if (body == std::string::npos) continue;
        std::string directives = "\n.explicitcluster\n.reqnctapercluster ";
        for (std::size_t i = 0; i < 3; ++i)
            directives += (i == 0 ? "" : ", ") + std::to_string(i < values.size() ? values[i] : 1);
        ptx.insert(body, directives);
    }
    return ptx;
}

}  // namespace tilescope::image
