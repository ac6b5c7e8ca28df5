// `tilescope explain TERM`: what a counter, ratio, fact, rule, hazard or word of the report means.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "scope/base/names.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/help.h"
#include "scope/models/advice.h"
#include "scope/models/advice_program.h"
#include "scope/report/format.h"
#include "scope/report/glossary.h"
#include "scope/report/metrics.h"
#include "scope/report/profiler_names.h"

namespace tilescope::cli {
namespace {

constexpr std::size_t kNameColumn = 42;

// What there is to explain: all lists that users meet names of, under one heading each.
struct Entry {
    std::string_view group, name, meaning, unit, see;
    std::string_view also = {};      // other spellings
    bool modelled = false;           // what a model says, no count
    std::string_view profiler = {};  // what Nsight Compute calls it
    // Of a word: what textbooks and NVIDIA's tools say.
    std::string_view textbook = {}, tools = {};
};

constexpr std::string_view kFacts = "facts of a launch", kWaits = "what warps wait for",
                           kOnlyTheirs = "stall reasons that only Nsight Compute tells";

std::vector<Entry> entries() {
    std::vector<Entry> all;
    for (const report::Word& word : report::glossary())
        if (word.kind == report::WordKind::kTerm)
            all.push_back({"words", word.name, word.meaning, {}, word.see, word.also});
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const CounterInfo& counter = info(static_cast<Counter>(i));
        all.push_back({"counters",
                       counter.name,
                       counter.description,
                       counter.unit,
                       {},
                       {},
                       is_modelled(static_cast<Counter>(i))});
    }
    for (const report::Ratio& ratio : report::ratios())
        all.push_back({"ratios", ratio.name, ratio.description, ratio.unit, {}, {}, ratio.modelled});
    for (const report::Fact& fact : report::facts())
        all.push_back({kFacts, fact.name, fact.description, fact.unit, {}, {}, fact.needs_time});
    for (const models::AdviceRule& rule : models::advice_rules())
        all.push_back({"advice", report::name_of(rule.kind), rule.looks, {}, "advice"});
    for (const models::ProgramRule& rule : models::program_rules())
        all.push_back({"advice", report::name_of(rule.kind), rule.looks, {}, "advice"});
    for (const report::Word& word : report::glossary())
        if (word.kind == report::WordKind::kHazard)
            all.push_back({"hazards", word.name, word.meaning, {}, word.see, word.also});
    for (Entry& entry : all)
        if (const report::OtherTerms* terms = report::other_terms_of(entry.name);
            terms != nullptr && (entry.group == "words" || entry.group == "hazards")) {
            entry.textbook = terms->textbook;
            entry.tools = terms->profiler;
        }
    for (Entry& entry : all)
        if (const report::ProfilerName* name = report::profiler_name_of(entry.name);
            name != nullptr && (entry.group == "counters" || entry.group == "ratios" || entry.group == kFacts))
            entry.profiler = name->theirs;
    for (const report::StallRow& row : report::stall_rows())
        all.push_back({kWaits, row.name, row.about, "cycles", {}, {}, true, {}});
    for (const report::StallReason& reason : report::stall_reasons())
        if (reason.ours.empty()) all.push_back({kOnlyTheirs, reason.name, reason.about, {}, {}, reason.brief});
    return all;
}

void print_paragraph(const std::string& text) {
    for (const std::string& line : report::wrap(text, kTextWidth - 2)) std::cout << "  " << line << "\n";
}

void print_entry(const Entry& entry) {
    std::cout << entry.name << "  (" << entry.group;
    if (!entry.unit.empty()) std::cout << ", in " << entry.unit;
    std::cout << ")\n";
    print_paragraph(std::string(entry.meaning));
    if (!entry.profiler.empty()) print_paragraph("Nsight Compute: " + std::string(entry.profiler));
    if (entry.group == kWaits)
        for (const report::StallReason& reason : report::stall_reasons())
            if (reason.ours == entry.name)
                print_paragraph("Nsight Compute: " + std::string(reason.name) + ", " + std::string(reason.about));
    if (!entry.textbook.empty()) print_paragraph("in textbooks: " + std::string(entry.textbook));
    if (!entry.tools.empty()) print_paragraph("in Nsight Compute and its siblings: " + std::string(entry.tools));
    if (!entry.see.empty()) print_paragraph("see also: " + std::string(entry.see));
}

void list_all() {
    std::string_view group;
    for (const Entry& entry : entries()) {
        if (entry.group != group) std::cout << (group.empty() ? "" : "\n") << entry.group << "\n";
        group = entry.group;
        std::cout << "  " << report::padded(std::string(entry.name), kNameColumn)
                  << report::cut(entry.meaning, kTextWidth - kNameColumn - 2) << "\n";
    }
}

using Json = nlohmann::ordered_json;

// "sector, bank" as a list.
Json list_of(std::string_view text) {
    Json list = Json::array();
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(", "), text.size());
        list.push_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 2, text.size()));
    }
    return list;
}

void print_json(const std::vector<Entry>& chosen) {
    Json json = {{"schema", 1}, {"entries", Json::array()}};
    for (const Entry& entry : chosen) {
        Json row = {{"group", entry.group}, {"name", entry.name}};
        if (!entry.also.empty()) row["also"] = list_of(entry.also);
        if (!entry.unit.empty()) row["unit"] = entry.unit;
        row["meaning"] = entry.meaning;
        if (!entry.see.empty()) row["see"] = list_of(entry.see);
        if (entry.modelled) row["modelled"] = true;
        if (!entry.profiler.empty()) row["nsight_compute"] = entry.profiler;
        if (entry.group == kWaits) row["nsight_compute"] = list_of(report::reasons_of(entry.name));
        if (!entry.textbook.empty()) row["in_textbooks"] = entry.textbook;
        if (!entry.tools.empty()) row["in_tools"] = entry.tools;
        json["entries"].push_back(std::move(row));
    }
    std::cout << json.dump(1) << "\n";
}

// Our name for what the profiler calls so; the name itself where it is none of the profiler's.
std::string_view our_name(std::string_view term) {
    const report::ProfilerName* metric = report::by_profiler_name(term);
    return metric != nullptr && metric->differs.empty() ? metric->ours : term;
}

bool is_stall(const Entry& entry, const report::StallReason* reason) {
    if (reason == nullptr) return false;
    return reason->ours.empty() ? entry.group == kOnlyTheirs && entry.name == reason->name
                                : entry.group == kWaits && entry.name == reason->ours;
}

// A metric of the profiler that has no counterpart.
void refuse_metric(const std::string& term) {
    const report::ProfilerName* near = report::by_profiler_name(term);
    std::string hint;
    if (near != nullptr) {
        hint = "the nearest is " + std::string(near->ours) +
               "; the metric has beside or instead of it: " + std::string(near->differs);
    } else if (near = report::nearest_profiler_name(term); near != nullptr) {
        hint = "the nearest that has one: " + std::string(near->theirs) + ", here " + std::string(near->ours);
    } else {
        hint = "`tilescope explain` lists all names";
    }
    complain(error("cli-unknown-term", {}, "the profiler's metric \"" + term + "\" has no counterpart here", hint));
}

int explain_term(const std::string& term, bool json) {
    if (term.empty()) return json ? print_json(entries()) : list_all(), kRan;
    // A name can be a word and a rule of advice at once ("coalesce", "local"): all that carry it are shown.
    const std::string_view name = our_name(term);
    const report::Word* word = report::find_word(name);
    const report::StallReason* reason = report::stall_reason(term);
    std::vector<Entry> found;
    for (const Entry& entry : entries())
        if (entry.name == name || (word != nullptr && entry.name == word->name) || is_stall(entry, reason))
            found.push_back(entry);
    if (json && !found.empty()) return print_json(found), kRan;
    for (const Entry& entry : found) {
        if (&entry != &found.front()) std::cout << "\n";
        print_entry(entry);
    }
    if (!found.empty()) return kRan;
    if (term.find("__") != std::string::npos) return refuse_metric(term), kUsage;
    std::vector<std::string> names;
    for (const Entry& entry : entries()) names.emplace_back(entry.name);
    const std::string near = nearest(term, names);
    complain(error(
        "cli-unknown-term", {}, "nothing is called \"" + term + "\"",
        (near.empty() ? std::string() : "did you mean \"" + near + "\"? ") + "`tilescope explain` lists all names"));
    return kUsage;
}

}  // namespace

std::vector<std::string> explained_names() {
    std::vector<std::string> names;
    for (const Entry& entry : entries()) names.emplace_back(entry.name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Action add_explain(CLI::App& app) {
    struct ExplainCommandLine {
        std::vector<std::string> words;
        bool json = false;
    };
    auto command = std::make_shared<ExplainCommandLine>();
    app.add_option("TERM", command->words,
                   "a counter, ratio, advice rule, hazard or term of the report, or a metric or stall reason of Nsight "
                   "Compute; without it: list all");
    app.add_flag("--json", command->json, "write JSON, with other spellings and units");
    app.footer("Examples: tilescope explain sector\n          tilescope explain bank conflict");
    return [command](const Invocation&) {
        std::string term;
        for (const std::string& word : command->words) term += (term.empty() ? "" : " ") + word;
        return explain_term(term, command->json);
    };
}

}  // namespace tilescope::cli
