#include "scope/isa/families/word_needs.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "scope/isa/families/word_needs_rows.h"

namespace tilescope::isa {
namespace {

constexpr std::string_view kOfHopperAlone[] = {"wgmma"};
constexpr std::string_view kOfFullNames[] = {"setmaxnreg"};
// ptxas 13.0 takes these without .sync up to PTX 6.3, and for targets before sm_70 in every version.
constexpr std::string_view kOnceWithoutSync[] = {"shfl", "vote"};
constexpr Needs kSyncAlone = {64, 70};

struct NamedNeeds {
    std::string_view name;
    Needs needs;
};

constexpr NamedNeeds kRegisters[] = {
    {"%clusterid", {78, 90}},
    {"%nclusterid", {78, 90}},
    {"%cluster_ctaid", {78, 90}},
    {"%cluster_nctaid", {78, 90}},
    {"%cluster_ctarank", {78, 90}},
    {"%cluster_nctarank", {78, 90}},
    {"%is_explicit_cluster", {78, 90}},
    {"%aggr_smem_size", {81, 90}},
    {"%reserved_smem_offset_begin", {76, 80}},
    {"%reserved_smem_offset_end", {76, 80}},
    {"%reserved_smem_offset_cap", {76, 80}},
    {"%reserved_smem_offset_0", {76, 80}},
    {"%reserved_smem_offset_1", {76, 80}},
    {"%clock_hi", {50, 50}},
    {"%current_graph_exec", {80, 50}},
    {"%total_smem_size", {41, 50}},
    {"%dynamic_smem_size", {41, 50}},
    {"%globaltimer", {31, 50}},
    {"%globaltimer_lo", {31, 50}},
    {"%globaltimer_hi", {31, 50}},
    {"%lanemask_eq", {20, 50}},
    {"%lanemask_le", {20, 50}},
    {"%lanemask_lt", {20, 50}},
    {"%lanemask_ge", {20, 50}},
    {"%lanemask_gt", {20, 50}},
    {"%clock64", {20, 50}},
};

constexpr NamedNeeds kDirectives[] = {
    {"reqnctapercluster", {78, 90}}, {"explicitcluster", {78, 90}}, {"maxclusterrank", {78, 90}},
    {"noreturn", {64, 50}},          {"abi_preserve", {90, 80}},    {"abi_preserve_control", {90, 80}},
    {"blocksareclusters", {90, 90}}, {"local_maxnreg", {88, 50}},
};

constexpr NamedNeeds kTypes[] = {
    {"b128", {83, 70}},
    {"f16x2", {42, 53}},
};

template <std::size_t N>
Needs needs_in(const NamedNeeds (&rows)[N], std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(rows), std::end(rows), [&](const NamedNeeds& row) { return row.name == name; });
    return found != std::end(rows) ? found->needs : Needs{};
}

// Whether the words stand in the spelling in this order.
bool has_in_order(const Form& form, std::string_view words) {
    auto next = form.words().begin();
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        next = std::find(next, form.words().end(), words.substr(0, end));
        if (next == form.words().end()) return false;
        ++next;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return true;
}

// The rows of an opcode, which lie together.
std::span<const WordRow> rows_of(std::string_view opcode) {
    const auto range = std::equal_range(std::begin(kWords), std::end(kWords), WordRow{opcode, {}, {}},
                                        [](const WordRow& a, const WordRow& b) { return a.opcode < b.opcode; });
    return {range.first, range.second};
}

template <std::size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

Requirement requirement_of(const Row& row, const Form& form) {
    const std::string_view opcode = opcode_of(row.syntax);
    Requirement all{{}};
    for (const WordRow& word : rows_of(opcode)) {
        if (!has_in_order(form, word.words)) continue;
        all.needs.ptx = std::max(all.needs.ptx, word.needs.ptx);
        all.needs.sm = std::max(all.needs.sm, word.needs.sm);
    }
    if (is_one_of(kOfHopperAlone, opcode)) all.since = Since::kOneAlone;
    if (is_one_of(kOfFullNames, opcode)) all.since = Since::kSpecificLater;
    if (is_one_of(kOnceWithoutSync, opcode) && !form.has("sync")) all.dropped = kSyncAlone;
    return all;
}

bool depends_on_use(std::string_view opcode) {
    return opcode == "cp" || opcode == "mbarrier" || opcode == "tex" || opcode == "tld4";
}

UseNeeds needs_of_use(std::string_view opcode, std::span<const std::string> modifiers, const OperandUse& use) {
    const auto has = [&](std::string_view word) {
        return std::find(modifiers.begin(), modifiers.end(), word) != modifiers.end();
    };
    if (opcode == "cp") return use.has_predicate ? UseNeeds{"with a predicate", {75, 80}} : UseNeeds{};
    if (opcode == "tex" || opcode == "tld4")
        return use.has_second_result ? UseNeeds{"with a predicate result", {71, 60}} : UseNeeds{};
    if (opcode != "mbarrier" || (!has("arrive") && !has("arrive_drop"))) return {};
    constexpr std::size_t kWithCount = 3;
    if (use.count == kWithCount && !has("noComplete")) return {"with a count and without .noComplete", {78, 90}};
    return use.discards_result && has("arrive") ? UseNeeds{"with the result '_'", {71, 80}} : UseNeeds{};
}

Needs needs_of_register(std::string_view name) { return name.starts_with('%') ? needs_in(kRegisters, name) : Needs{}; }
Needs needs_of_directive(std::string_view name) { return needs_in(kDirectives, name); }
Needs needs_of_type(std::string_view type) { return needs_in(kTypes, type); }

}  // namespace tilescope::isa
