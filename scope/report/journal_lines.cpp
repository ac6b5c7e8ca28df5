#include "scope/report/journal_lines.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "scope/report/journal.h"

namespace tilescope::report {
namespace {

// Whose the lines behind this one are; nothing where it does not say.
std::optional<std::string_view> writer_in(std::string_view line) {
    constexpr std::string_view kBegin = R"({"by":")", kEnd = R"("})";
    if (!line.starts_with(kBegin) || !line.ends_with(kEnd) || line.size() < kBegin.size() + kEnd.size())
        return std::nullopt;
    return line.substr(kBegin.size(), line.size() - kBegin.size() - kEnd.size());
}

}  // namespace

std::optional<int> first_process(std::string_view journal) {
    std::string_view line;
    do {
        const std::size_t end = journal.find('\n');
        line = journal.substr(0, end);
        journal = end == std::string_view::npos ? std::string_view() : journal.substr(end + 1);
    } while (!journal.empty() && (line.empty() || writer_in(line)));
    const auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("process") || !json["process"].is_object()) return std::nullopt;
    const auto id = json["process"].find("id");
    if (id == json["process"].end() || !id->is_number_integer()) return std::nullopt;
    return id->get<int>();
}

std::vector<std::vector<JournalLine>> lines_by_writer(std::string_view journal) {
    std::vector<std::vector<JournalLine>> all(1);
    std::map<std::string_view, std::size_t> writers{{{}, 0}};
    std::size_t number = 0, current = 0;
    bool is_after_empty = true;
    for (std::size_t end; (end = journal.find('\n')) != std::string_view::npos; journal.remove_prefix(end + 1)) {
        const std::string_view line = journal.substr(0, end);
        ++number;
        if (const auto writer = writer_in(line)) {
            // The empty line that a writer begins with has ended a line that had no end of its own.
            if (!is_after_empty && !all[current].empty()) all[current].pop_back();
            current = writers.try_emplace(*writer, all.size()).first->second;
            if (current == all.size()) all.emplace_back();
        } else if (!line.empty()) {
            all[current].push_back({line, number});
        }
        is_after_empty = line.empty();
    }
    return all;
}

}  // namespace tilescope::report
