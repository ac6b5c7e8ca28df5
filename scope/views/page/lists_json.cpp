#include "scope/views/page/lists_json.h"

#include <string>
#include <string_view>

#include "scope/report/counters.h"
#include "scope/report/glossary.h"
#include "scope/report/metrics.h"
#include "scope/report/profiler_names.h"
#include "scope/report/ratios.h"
#include "scope/report/work.h"
#include "scope/views/words/binding.h"

namespace tilescope::views::page {

using namespace report;
namespace {

std::string_view group_name(CounterGroup group) {
    static constexpr std::string_view kNames[] = {"execution", "global",     "local", "shared", "constant",
                                                  "copies",    "arithmetic", "l1",    "l2",     "dram"};
    return kNames[static_cast<std::size_t>(group)];
}

std::string_view source_name(CounterSource source) {
    static constexpr std::string_view kNames[] = {"counted", "machine code", "modelled"};
    return kNames[static_cast<std::size_t>(source)];
}

void add_figure(Json& list, std::string_view name, Json figure) {
    for (const ProfilerName& row : profiler_names()) {
        if (row.ours != name || figure.contains("profiler")) continue;
        figure["profiler"] = row.theirs;
        if (!row.differs.empty()) figure["differs"] = row.differs;
    }
    list[std::string(name)] = std::move(figure);
}

// "a, b" one by one.
Json split(std::string_view list) {
    Json all = Json::array();
    while (!list.empty()) {
        const std::size_t comma = list.find(", ");
        all.push_back(list.substr(0, comma));
        if (comma == std::string_view::npos) break;
        list.remove_prefix(comma + 2);
    }
    return all;
}

}  // namespace

Json figures_list() {
    Json list = Json::object();
    for (const CounterInfo& row : kCounterInfo)
        add_figure(list, row.name,
                   {{"kind", "counter"},
                    {"unit", row.unit},
                    {"text", row.description},
                    {"source", source_name(row.source)},
                    {"group", group_name(row.group)}});
    for (const Ratio& row : ratios())
        add_figure(list, row.name,
                   {{"kind", "ratio"},
                    {"unit", row.unit},
                    {"text", row.description},
                    {"source", row.modelled ? "modelled" : "counted"}});
    for (const Fact& row : facts())
        add_figure(list, row.name,
                   {{"kind", "fact"},
                    {"unit", row.unit},
                    {"text", row.description},
                    {"source", row.needs_time     ? "modelled"
                               : row.of_registers ? "machine code"
                                                  : "counted"}});
    return list;
}

Json glossary_list() {
    Json list = Json::array();
    for (const Word& word : glossary())
        list.push_back({{"name", word.name},
                        {"also", split(word.also)},
                        {"kind", word.kind == WordKind::kHazard ? "hazard" : "term"},
                        {"text", word.meaning},
                        {"see", split(word.see)}});
    return list;
}

Json time_parts_list() {
    Json list = Json::array();
    for (const TimeRow& row : kTimeRows)
        list.push_back(
            {{"name", row.name}, {"label", bound_words(row.bound)}, {"kind", name_of(row.kind)}, {"text", row.about}});
    return list;
}

Json stalls_list() {
    Json list = Json::array();
    for (const StallRow& row : stall_rows()) {
        Json one = {{"name", row.name}, {"text", row.about}, {"reasons", Json::array()}};
        for (const StallReason& reason : stall_reasons())
            if (reason.ours == row.name)
                one["reasons"].push_back({{"name", reason.name}, {"brief", reason.brief}, {"text", reason.about}});
        list.push_back(std::move(one));
    }
    return list;
}

}  // namespace tilescope::views::page
