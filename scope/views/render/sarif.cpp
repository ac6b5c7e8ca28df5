// Hazards as SARIF 2.1.0, for code-scanning tools: one result for each group, with both places and how often.
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "scope/report/enums.h"
#include "scope/report/format.h"
#include "scope/report/glossary.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace {

using Json = nlohmann::ordered_json;

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

Json physical(const std::string& file, std::uint32_t line) {
    Json place = {{"artifactLocation", {{"uri", uri_of(file)}}}};
    if (line != 0) place["region"] = {{"startLine", line}};
    return place;
}

// SARIF's words for severities are ours.
Json result_of(const Hazard& hazard, std::size_t rule) {
    std::string text = hazard.message.empty() ? std::string(name_of(hazard.kind)) : hazard.message;
    if (!hazard.hint.empty()) text += ". Fix: " + hazard.hint;
    Json result = {{"ruleId", name_of(hazard.kind)},
                   {"ruleIndex", rule},
                   {"level", name_of(hazard.severity)},
                   {"message", {{"text", text}}}};
    Json location = Json::object();
    if (!hazard.file.empty()) location["physicalLocation"] = physical(hazard.file, hazard.line);
    if (!hazard.kernel.empty())
        location["logicalLocations"] = Json::array({{{"fullyQualifiedName", hazard.kernel}, {"kind", "function"}}});
    result["locations"] = location.empty() ? Json::array() : Json::array({location});
    if (hazard.other_line != 0)
        result["relatedLocations"] =
            Json::array({{{"id", 1},
                          {"message", {{"text", "what it met"}}},
                          {"physicalLocation", physical(hazard.other_file, hazard.other_line)}}});
    result["occurrenceCount"] = hazard.count;
    Json properties = Json::object();
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
    if (!properties.empty()) result["properties"] = properties;
    return result;
}

// Launches of one kernel that show the same are one result.
std::vector<Hazard> all_hazards(const Profile& profile) {
    std::vector<Hazard> all;
    std::map<std::tuple<HazardKind, HazardSpace, RaceOrder, Severity, std::string, std::uint32_t, std::string,
                        std::uint32_t, std::string>,
             std::size_t>
        known;
    const auto add = [&](const Hazard& h) {
        const auto [found, is_new] = known.try_emplace(
            {h.kind, h.space, h.order, h.severity, h.file, h.line, h.other_file, h.other_line, h.kernel}, all.size());
        if (is_new)
            all.push_back(h);
        else
            all[found->second].count += h.count;
    };
    for (const LaunchProfile& launch : profile.launches)
        for (const Hazard& hazard : launch.hazards) add(hazard);
    for (const Hazard& hazard : profile.hazards) add(hazard);
    return all;
}

}  // namespace

std::string sarif_view(const Profile& profile, const ViewOptions&) {
    const std::vector<Hazard> hazards = all_hazards(profile);
    std::map<HazardKind, std::size_t> rules;
    for (const Hazard& hazard : hazards) rules.try_emplace(hazard.kind, 0);
    Json listed = Json::array();
    for (auto& [kind, index] : rules) {
        index = listed.size();
        Json rule = {{"id", name_of(kind)}};
        if (const Word* word = find_word(name_of(kind)))
            rule["shortDescription"] = {{"text", std::string(word->meaning)}};
        listed.push_back(std::move(rule));
    }
    Json results = Json::array();
    for (const Hazard& hazard : hazards) results.push_back(result_of(hazard, rules.at(hazard.kind)));
    const Json sarif = {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         Json::array(
             {{{"tool",
                {{"driver", {{"name", "tilescope"}, {"version", profile.tilescope_version}, {"rules", listed}}}}},
               {"columnKind", "utf16CodeUnits"},
               {"results", results}}})}};
    // Names of files may be any bytes.
    return sarif.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
