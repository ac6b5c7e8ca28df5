// `tilescope explain TERM`: what a counter, ratio, fact, rule, hazard or word of the report means.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "scope/base/names.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/models/advice.h"
#include "scope/report/format.h"
#include "scope/report/glossary.h"
#include "scope/report/metrics.h"

namespace tilescope::cli {
namespace {

constexpr std::size_t kWidth = 100, kNameColumn = 42;

// What there is to explain: all lists that users meet names of, under one heading each.
struct Entry {
    std::string_view group, name, meaning, unit, see;
};

std::vector<Entry> entries() {
    std::vector<Entry> all;
    for (const report::Word& word : report::glossary())
        if (word.kind == report::WordKind::kTerm) all.push_back({"words", word.name, word.meaning, {}, word.see});
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const CounterInfo& counter = info(static_cast<Counter>(i));
        all.push_back({"counters", counter.name, counter.description, counter.unit, {}});
    }
    for (const report::Ratio& ratio : report::ratios())
        all.push_back({"ratios", ratio.name, ratio.description, ratio.unit, {}});
    for (const report::Fact& fact : report::facts())
        all.push_back({"facts of a launch", fact.name, fact.description, fact.unit, {}});
    for (const models::AdviceRule& rule : models::advice_rules())
        all.push_back({"advice", report::name_of(rule.kind), rule.looks, {}, "advice"});
    for (const report::Word& word : report::glossary())
        if (word.kind == report::WordKind::kHazard) all.push_back({"hazards", word.name, word.meaning, {}, word.see});
    return all;
}

void print_paragraph(const std::string& text) {
    for (const std::string& line : report::wrap(text, kWidth - 2)) std::cout << "  " << line << "\n";
}

void print_entry(const Entry& entry) {
    std::cout << entry.name << "  (" << entry.group;
    if (!entry.unit.empty()) std::cout << ", in " << entry.unit;
    std::cout << ")\n";
    print_paragraph(std::string(entry.meaning));
    if (!entry.see.empty()) print_paragraph("see also: " + std::string(entry.see));
}

void list_all() {
    std::string_view group;
    for (const Entry& entry : entries()) {
        if (entry.group != group) std::cout << (group.empty() ? "" : "\n") << entry.group << "\n";
        group = entry.group;
        std::cout << "  " << report::padded(std::string(entry.name), kNameColumn)
                  << report::cut(entry.meaning, kWidth - kNameColumn - 2) << "\n";
    }
}

int explain(const std::string& term) {
    if (term.empty()) return list_all(), kRan;
    // A name can be a word and a rule of advice at once ("coalesce", "local"): all that carry it are shown.
    const report::Word* word = report::find_word(term);
    bool found = false;
    for (const Entry& entry : entries()) {
        if (entry.name != term && (word == nullptr || entry.name != word->name)) continue;
        if (found) std::cout << "\n";
        print_entry(entry);
        found = true;
    }
    if (found) return kRan;
    std::vector<std::string> names;
    for (const Entry& entry : entries()) names.emplace_back(entry.name);
    const std::string near = nearest(term, names);
    complain(error("cli-unknown-term", {}, "nothing is called \"" + term + "\"",
                   (near.empty() ? std::string() : "did you mean \"" + near + "\"? ") +
                       "`tilescope explain` lists all that can be explained"));
    return kUsage;
}

}  // namespace

Action add_explain(CLI::App& app) {
    auto words = std::make_shared<std::vector<std::string>>();
    app.add_option("TERM", *words, "a counter, ratio, rule of advice, hazard or word of the report; none: list all");
    app.footer("Examples: tilescope explain sector\n          tilescope explain bank conflict");
    return [words](const Invocation&) {
        std::string term;
        for (const std::string& word : *words) term += (term.empty() ? "" : " ") + word;
        return explain(term);
    };
}

}  // namespace tilescope::cli
