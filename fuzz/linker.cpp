// Any bytes as PTX in several parts, between lines of "//part": the linker names conflicts, or makes one module that
// reads back from its own print and defines every name that all share once.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scope/image/link.h"
#include "scope/ptx/equality.h"
#include "scope/ptx/linker.h"
#include "scope/ptx/parser.h"
#include "scope/ptx/printer.h"

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

std::vector<std::string_view> parts_of(std::string_view text) {
    constexpr std::string_view kMark = "//part\n";
    std::vector<std::string_view> parts;
    for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark)) {
        parts.push_back(text.substr(0, at));
        text.remove_prefix(at + kMark.size());
    }
    parts.push_back(text);
    return parts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    std::vector<ptx::Module> modules;
    std::vector<image::LoadedPtx> loaded;
    for (const std::string_view text : parts_of({reinterpret_cast<const char*>(data), size})) {
        auto module = ptx::parse(text, "part.ptx");
        if (!module) continue;
        modules.push_back(std::move(module).value());
        loaded.push_back({"part.ptx", 90, false, false, std::string(text)});
    }
    if (modules.empty()) return 0;
    const std::size_t parts = modules.size();
    // With the places of what is in the way.
    const auto told = image::link_ptx(loaded, "all");
    const ptx::Linked linked = ptx::link(std::move(modules), "all");
    require(parts == 1 || told.ok() == linked.conflicts.empty(), "conflicts are errors, and nothing else is");
    for (const ptx::LinkConflict& conflict : linked.conflicts)
        require(conflict.first < parts && conflict.second < parts, "conflicts are about parts");
    if (!linked.conflicts.empty()) return 0;
    (void)ptx::undefined_names(linked.module);
    const auto again = ptx::parse(ptx::print(linked.module), "printed.ptx");
    require(again.ok(), "the print parses");
    require(ptx::equal(linked.module, *again), "the print means the same");
    std::set<std::string> defined;
    for (const ptx::Function& function : linked.module.functions)
        if (function.body && !function.linkage.empty())
            require(defined.insert(function.name).second, "a function is defined once");
    for (const ptx::Variable& variable : linked.module.variables)
        if (!variable.linkage.empty()) require(defined.insert(variable.name).second, "a variable is there once");
    return 0;
}
