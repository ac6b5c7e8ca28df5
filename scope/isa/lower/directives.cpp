#include "scope/isa/lower/directives.h"

#include <algorithm>
#include <string_view>

namespace tilescope::isa {
namespace {

enum class Treatment {
    kRead,      // `why` says by whom
    kHarmless,  // `why` says why it may be passed over
    kCluster,   // asks for clusters, of more than one block where it has numbers
};

struct DirectiveRow {
    std::string_view name;
    Treatment treatment;
    std::string_view why;
};

constexpr DirectiveRow kDirectiveRows[] = {
    {"maxntid", Treatment::kRead, "the most threads a block: checked at launch (session)"},
    {"reqntid", Treatment::kRead, "the threads a block: checked at launch (session)"},
    {"maxnreg", Treatment::kRead,
     "bounds the registers where these are estimated (session); else the assembler has it"},
    {"minnctapersm", Treatment::kRead, "bounds the registers where these are estimated (session), as .maxnreg does"},
    {"maxnctapersm", Treatment::kHarmless, "advice for the assembler, deprecated"},
    {"noreturn", Treatment::kHarmless, "that a function does not return shows in its code"},
    {"abi_preserve", Treatment::kHarmless,
     "which registers the assembler keeps over calls; PTX has as many as it names"},
    {"abi_preserve_control", Treatment::kHarmless, "likewise, of predicates"},
    {"maxclusterrank", Treatment::kHarmless, "the most blocks of a cluster; every block is one of its own"},
    {"reqnctapercluster", Treatment::kCluster, "__cluster_dims__"},
    {"explicitcluster", Treatment::kCluster, "__cluster_dims__, or a cluster's size at launch"},
    {"blocksareclusters", Treatment::kCluster, "a grid that is counted in clusters"},
};

std::string directive_text(const ptx::FunctionDirective& directive) {
    std::string text = "." + directive.name;
    for (std::size_t i = 0; i < directive.values.size(); ++i)
        text += (i == 0 ? " " : ", ") + std::to_string(directive.values[i]);
    return text;
}

}  // namespace

std::optional<std::string> refusal_of(const ptx::FunctionDirective& directive) {
    const auto row = std::find_if(std::begin(kDirectiveRows), std::end(kDirectiveRows),
                                  [&](const DirectiveRow& candidate) { return candidate.name == directive.name; });
    if (row == std::end(kDirectiveRows)) return directive_text(directive) + " is not supported yet";
    if (row->treatment != Treatment::kCluster) return std::nullopt;
    // A cluster of one block is what every block is here.
    const bool is_one = !directive.values.empty() && std::all_of(directive.values.begin(), directive.values.end(),
                                                                 [](std::int64_t blocks) { return blocks == 1; });
    if (is_one) return std::nullopt;
    return directive_text(directive) + " (" + std::string(row->why) + "): clusters of blocks are not supported yet";
}

}  // namespace tilescope::isa
