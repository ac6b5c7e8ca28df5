// Findings as SARIF 2.1.0, for code-scanning tools: hazards, advice, budgets that broke. One result for each that is
// different, with its places and how often.
#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scope/base/names.h"
#include "scope/report/enums.h"
#include "scope/report/format.h"
#include "scope/report/glossary.h"
#include "scope/views/render/sarif_parts.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace {

using Json = SarifJson;

constexpr std::string_view kBudgetRule = "budget";

// A path as a URI: absolute ones with a scheme, and what URIs reserve as its bytes' numbers.
std::string uri_of(const std::string& path) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-._~/+").find(c) != std::string_view::npos;
        if (plain)
            uri += c;
        else
            uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
    return uri;
}

// A finding, whatever it is of.
struct Finding {
    std::string rule;
    std::string_view level;  // SARIF's words for severities are ours
    std::string text{}, kernel{}, file{};
    std::uint32_t line = 0;
    // What makes it this finding and no other of its rule, kernel and file, also when its line moves.
    std::string what{};
    std::uint64_t count = 1;
    Json related{}, properties = Json::object();
};

// Of a kernel as a whole: the first of its lines in the file that has most of them.
std::pair<std::string, std::uint32_t> place_of_kernel(const LaunchProfile& launch) {
    std::map<std::string, std::size_t> lines;
    for (const LineProfile& line : launch.lines)
        if (line.line != 0) ++lines[line.file];
    const auto most =
        std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == lines.end()) return {};
    std::uint32_t first = 0;
    for (const LineProfile& line : launch.lines)
        if (line.file == most->first && line.line != 0 && (first == 0 || line.line < first)) first = line.line;
    return {most->first, first};
}

Finding finding_of(const Hazard& hazard) {
    Finding finding{std::string(name_of(hazard.kind)), name_of(hazard.severity)};
    finding.text = hazard.message.empty() ? finding.rule : hazard.message;
    if (!hazard.hint.empty()) finding.text += ". Fix: " + hazard.hint;
    finding.kernel = hazard.kernel;
    finding.file = hazard.file;
    finding.line = hazard.line;
    finding.what = std::string(name_of(hazard.space)) + " " + std::string(name_of(hazard.order));
    finding.count = hazard.count;
    if (hazard.other_line != 0)
        finding.related = Json::array({{{"id", 1},
                                        {"message", {{"text", "what it met"}}},
                                        {"physicalLocation", sarif_place(hazard.other_file, hazard.other_line)}}});
    Json& properties = finding.properties;
    if (hazard.space != HazardSpace::kNone) properties["space"] = name_of(hazard.space);
    if (hazard.order != RaceOrder::kNone) properties["order"] = name_of(hazard.order);
    if (!hazard.kernel.empty()) {
        properties["block"] = hazard.block;
        properties["thread"] = hazard.thread;
        if (hazard.other_line != 0) {
            properties["otherBlock"] = hazard.other_block;
            properties["otherThread"] = hazard.other_thread;
        }
    }
    return finding;
}

// Launches of one kernel that show the same are one result.
void add_hazards(const Profile& profile, std::vector<Finding>& findings) {
    std::map<std::tuple<HazardKind, HazardSpace, RaceOrder, Severity, std::string, std::uint32_t, std::string,
                        std::uint32_t, std::string>,
             std::size_t>
        known;
    const auto add = [&](const Hazard& h) {
        const auto [found, is_new] = known.try_emplace(
            {h.kind, h.space, h.order, h.severity, h.file, h.line, h.other_file, h.other_line, h.kernel},
            findings.size());
        if (is_new)
            findings.push_back(finding_of(h));
        else
            findings[found->second].count += h.count;
    };
    for (const LaunchProfile& launch : profile.launches)
        for (const Hazard& hazard : launch.hazards) add(hazard);
    for (const Hazard& hazard : profile.hazards) add(hazard);
}

// Of a launch, or of the program.
Finding finding_of(const LaunchProfile* launch, const Advice& advice) {
    Finding finding{std::string(name_of(advice.rule)), "note"};
    finding.text = advice.message.empty() ? finding.rule : advice.message;
    if (launch != nullptr) finding.kernel = launch->kernel;
    if (advice.line != 0)
        finding.file = advice.file, finding.line = advice.line;
    else if (launch != nullptr)
        std::tie(finding.file, finding.line) = place_of_kernel(*launch);
    finding.properties = {{"kind", "advice"}, {"speedup", advice.speedup}};
    finding.properties["saves_bytes"] = advice.saves_bytes;
    if (advice.saves_microseconds) finding.properties["saves_microseconds"] = *advice.saves_microseconds;
    return finding;
}

// The same of launches of one kernel: what they save adds up, the words are the first one's.
void add_advice(const Profile& profile, std::vector<Finding>& findings) {
    std::map<std::tuple<AdviceKind, std::string, std::uint32_t, std::string>, std::size_t> known;
    for (const Advice& advice : profile.advice) findings.push_back(finding_of(nullptr, advice));
    for (const LaunchProfile& launch : profile.launches)
        for (const Advice& advice : launch.advice) {
            const auto [found, is_new] =
                known.try_emplace({advice.rule, advice.file, advice.line, launch.kernel}, findings.size());
            if (is_new) {
                findings.push_back(finding_of(&launch, advice));
                continue;
            }
            Finding& finding = findings[found->second];
            ++finding.count;
            Json& saved = finding.properties["saves_bytes"];
            saved = saved.get<std::uint64_t>() + advice.saves_bytes;
            if (!advice.saves_microseconds) continue;
            const double before = finding.properties.value("saves_microseconds", 0.0);
            finding.properties["saves_microseconds"] = before + *advice.saves_microseconds;
        }
}

void add_budgets(const Profile& profile, std::vector<Finding>& findings) {
    for (const BudgetResult& budget : profile.budgets) {
        if (budget.verdict != BudgetVerdict::kBroken) continue;
        Finding finding{std::string(kBudgetRule), "error"};
        finding.text = "budget '" + budget.budget + "' is broken by " + thousands(budget.broken) + " of " +
                       counted(budget.launches, "launch", "launches") + ": " + budget.values;
        finding.kernel = budget.kernel;
        for (std::size_t i = 0; budget.launch && i < profile.launches.size(); ++i)
            if (profile.launches.marks(i).index == *budget.launch)
                std::tie(finding.file, finding.line) = place_of_kernel(profile.launches[i]);
        finding.what = budget.budget;
        finding.count = budget.broken;
        finding.properties = {{"kind", "budget"}, {"budget", budget.budget}, {"launches", budget.launches}};
        if (budget.launch) finding.properties["launch"] = *budget.launch;
        findings.push_back(std::move(finding));
    }
}

// FNV-1a: the same everywhere and always.
std::string digest_of(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digest;
    for (int shift = 60; shift >= 0; shift -= 4) digest += kDigits[hash >> static_cast<unsigned>(shift) & 15U];
    return digest;
}

// Without lines, so that what is written above a finding makes no other of it; the n-th of its like in a file stays the
// n-th.
std::vector<std::string> fingerprints(const std::vector<Finding>& findings) {
    std::vector<std::size_t> order(findings.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return findings[a].line < findings[b].line; });
    std::map<std::string, std::size_t> seen;
    std::vector<std::string> prints(findings.size());
    for (const std::size_t i : order) {
        const Finding& finding = findings[i];
        const std::string key = finding.rule + "\n" + finding.what + "\n" + std::string(file_name(finding.file)) +
                                "\n" + std::string(short_kernel_name(finding.kernel));
        prints[i] = digest_of(key) + ":" + std::to_string(++seen[key]);
    }
    return prints;
}

// What a program was compiled from stands for findings that no line is known of.
bool is_source(const Profile& profile) { return !profile.compiler.empty() && !profile.program.empty(); }

Json result_of(const Finding& finding, const Profile& profile, std::size_t rule, const std::string& fingerprint) {
    Json result = {
        {"ruleId", finding.rule}, {"ruleIndex", rule}, {"level", finding.level}, {"message", {{"text", finding.text}}}};
    Json location = Json::object();
    if (!finding.file.empty())
        location["physicalLocation"] = sarif_place(finding.file, finding.line);
    else if (is_source(profile))
        location["physicalLocation"] = sarif_place(profile.program, 0);
    if (!finding.kernel.empty())
        location["logicalLocations"] = Json::array({{{"fullyQualifiedName", finding.kernel}, {"kind", "function"}}});
    result["locations"] = location.empty() ? Json::array() : Json::array({location});
    if (!finding.related.empty()) result["relatedLocations"] = finding.related;
    result["partialFingerprints"] = {{"tilescopeFinding/v1", fingerprint}};
    result["occurrenceCount"] = finding.count;
    if (!finding.properties.empty()) result["properties"] = finding.properties;
    return result;
}

struct RuleText {
    std::string description, help;
    std::string_view level, tag;
};

RuleText text_of_rule(const std::string& id) {
    if (id == kBudgetRule)
        return {"A budget that a launch does not keep.",
                "Budgets are given with --budget 'KERNEL: EXPRESSION'. `tilescope explain` says what each name in an "
                "expression means.",
                "error", "budget"};
    const std::string explain = "`tilescope explain " + id + "` says more.";
    if (const auto rule = by_name<AdviceKind>(id)) {
        std::string looks(advice_description(*rule));
        return {looks.empty() ? id : looks, (looks.empty() ? "" : "It looks for " + looks + ". ") + explain, "note",
                "advice"};
    }
    const Word* word = find_word(id);
    const std::string meaning = word != nullptr ? std::string(word->meaning) : id;
    return {meaning, meaning + " " + explain, "error", "hazard"};
}

Json rule_of(const std::string& id) {
    const RuleText text = text_of_rule(id);
    return {{"id", id},
            {"shortDescription", {{"text", text.description}}},
            {"help", {{"text", text.help}}},
            {"defaultConfiguration", {{"level", text.level}}},
            {"properties", {{"tags", Json::array({text.tag})}}}};
}

}  // namespace

SarifJson sarif_place(const std::string& file, std::uint32_t line) {
    Json place = {{"artifactLocation", {{"uri", uri_of(file)}}}};
    if (line != 0) place["region"] = {{"startLine", line}};
    return place;
}

std::string sarif_view(const Profile& profile, const ViewOptions& options) {
    std::vector<Finding> findings;
    add_hazards(profile, findings);
    add_advice(profile, findings);
    add_budgets(profile, findings);
    std::map<std::string, std::size_t> rules;
    Json listed = Json::array(), results = Json::array();
    const std::vector<std::string> prints = fingerprints(findings);
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const auto [rule, is_new] = rules.try_emplace(findings[i].rule, listed.size());
        if (is_new) listed.push_back(rule_of(findings[i].rule));
        results.push_back(result_of(findings[i], profile, rule->second, prints[i]));
    }
    const Json sarif = {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         Json::array(
             {{{"tool",
                {{"driver", {{"name", "tilescope"}, {"version", profile.tilescope_version}, {"rules", listed}}}}},
               {"invocations", Json::array({sarif_invocation(profile, options.invocation)})},
               {"columnKind", "utf16CodeUnits"},
               {"results", results}}})}};
    // Names of files may be any bytes.
    return sarif.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
