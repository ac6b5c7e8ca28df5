#include "scope/report/json_phases.h"

#include "scope/report/phase_words.h"

namespace tilescope::report {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

struct CountKey {
    const char* key;
    std::uint64_t PhaseCounts::*count;
};
constexpr CountKey kCounts[] = {
    {"global_loads", &PhaseCounts::global_loads}, {"global_stores", &PhaseCounts::global_stores},
    {"shared_loads", &PhaseCounts::shared_loads}, {"shared_stores", &PhaseCounts::shared_stores},
    {"atomics", &PhaseCounts::atomics},           {"flop", &PhaseCounts::flop}};

OrderedJson counts_json(const PhaseCounts& counts) {
    OrderedJson json = OrderedJson::object();
    for (const CountKey& row : kCounts) json[row.key] = counts.*row.count;
    return json;
}

OrderedJson statement_json(const PhaseStatement& statement) {
    OrderedJson json = {{"kind", statement.kind}, {"text", statement_text(statement, kAllTerms)}};
    if (!statement.target.empty()) json["target"] = statement.target;
    if (!statement.operation.empty()) json["operation"] = statement.operation;
    if (statement.accumulates) json["accumulates"] = true;
    json["terms"] = statement.terms;
    if (statement.term_count != statement.terms.size()) json["term_count"] = statement.term_count;
    return json;
}

OrderedJson row_json(const PhaseRow& row) {
    OrderedJson cells = OrderedJson::array();
    for (const PhaseCell& cell : row.cells) {
        OrderedJson list = OrderedJson::array();
        for (const PhaseStatement& statement : cell) list.push_back(statement_json(statement));
        cells.push_back(std::move(list));
    }
    return {{"thread", row.thread}, {"cells", std::move(cells)}, {"counts", counts_json(row.counts)}};
}

OrderedJson phase_json(const Phase& phase) {
    OrderedJson json = {{"first", phase.first},
                        {"last", phase.last},
                        {"first_interval", phase.first_interval},
                        {"last_interval", phase.last_interval}};
    json["columns"] = OrderedJson::array();
    for (const PhaseColumn& column : phase.columns)
        json["columns"].push_back(
            {{"kind", column.kind}, {"array", column.array}, {"interval", column.interval}, {"lines", column.lines}});
    json["rows"] = OrderedJson::array();
    for (const PhaseRow& row : phase.rows) json["rows"].push_back(row_json(row));
    json["other_threads"] = phase.other_threads;
    json["others"] = counts_json(phase.others);
    return json;
}

OrderedJson arrays_json(const std::vector<PhaseArray>& arrays) {
    OrderedJson json = OrderedJson::array();
    for (const PhaseArray& array : arrays)
        json.push_back({{"name", array.name},
                        {"space", array.space},
                        {"bytes", array.bytes},
                        {"element_bytes", array.element_bytes},
                        {"shape", array.shape}});
    return json;
}

void read_texts(Reader& reader, const Json& json, const std::string& path, const char* key,
                std::vector<std::string>& into) {
    const Json* items = reader.find(json, key);
    if (items == nullptr) return;
    if (!items->is_array()) return reader.fail(path + key, "is not a list");
    for (const Json& item : *items) {
        if (!item.is_string()) return reader.fail(path + key, "is not a list of texts");
        into.push_back(item.get<std::string>());
    }
}

void read_counts(Reader& reader, const Json& parent, const std::string& path, const char* key, PhaseCounts& into) {
    if (const Json* json = reader.object(parent, path, key))
        for (const CountKey& row : kCounts) reader.integer(*json, path + key + ".", row.key, into.*row.count);
}

PhaseStatement read_statement(Reader& reader, const Json& json, const std::string& path) {
    PhaseStatement statement;
    reader.text(json, path, "kind", statement.kind);
    reader.text(json, path, "target", statement.target);
    reader.text(json, path, "operation", statement.operation);
    reader.boolean(json, path, "accumulates", statement.accumulates);
    read_texts(reader, json, path, "terms", statement.terms);
    statement.term_count = statement.terms.size();
    reader.integer(json, path, "term_count", statement.term_count);
    return statement;
}

PhaseRow read_row(Reader& reader, const Json& json, const std::string& path, std::size_t columns) {
    PhaseRow row;
    reader.integer(json, path, "thread", row.thread);
    read_counts(reader, json, path, "counts", row.counts);
    row.cells.resize(columns);
    const Json* cells = reader.find(json, "cells");
    if (cells == nullptr || !cells->is_array() || cells->size() != columns) {
        reader.fail(path + "cells", "is not a list with one entry for each column");
        return row;
    }
    for (std::size_t i = 0; i < columns; ++i) {
        const std::string where = path + "cells[" + std::to_string(i) + "]";
        if (!(*cells)[i].is_array()) {
            reader.fail(where, "is not a list");
            continue;
        }
        for (const Json& item : (*cells)[i])
            if (item.is_object())
                row.cells[i].push_back(read_statement(reader, item, where + "."));
            else
                reader.fail(where, "holds something that is not an object");
    }
    return row;
}

Phase read_phase(Reader& reader, const Json& json, const std::string& path) {
    Phase phase;
    reader.integer(json, path, "first", phase.first);
    reader.integer(json, path, "last", phase.last);
    reader.integer(json, path, "first_interval", phase.first_interval);
    reader.integer(json, path, "last_interval", phase.last_interval);
    reader.list(json, path, "columns", [&](const Json& item, const std::string& where) {
        PhaseColumn& column = phase.columns.emplace_back();
        reader.text(item, where, "kind", column.kind);
        reader.text(item, where, "array", column.array);
        reader.integer(item, where, "interval", column.interval);
        reader.integers(item, where, "lines", column.lines);
    });
    reader.list(json, path, "rows", [&](const Json& item, const std::string& where) {
        phase.rows.push_back(read_row(reader, item, where, phase.columns.size()));
    });
    reader.integer(json, path, "other_threads", phase.other_threads);
    read_counts(reader, json, path, "others", phase.others);
    return phase;
}

}  // namespace

OrderedJson phases_json(const PhaseTable& table) {
    OrderedJson json = {{"launch", table.launch},
                        {"kernel", table.kernel},
                        {"file", table.file},
                        {"grid", table.grid},
                        {"block", table.block},
                        {"block_index", table.block_index},
                        {"arrays", arrays_json(table.arrays)},
                        {"phase_count", table.phase_count},
                        {"interval_count", table.interval_count}};
    json["phases"] = OrderedJson::array();
    for (const Phase& phase : table.phases) json["phases"].push_back(phase_json(phase));
    json["thread_least"] = counts_json(table.least);
    json["thread_most"] = counts_json(table.most);
    json["total"] = counts_json(table.total);
    json["notes"] = table.notes;
    return json;
}

void read_phases(Reader& reader, const Json& parent, std::optional<PhaseTable>& into) {
    const Json* json = reader.object(parent, "", "trace");
    if (json == nullptr) return;
    const std::string path = "trace.";
    PhaseTable& table = into.emplace();
    reader.integer(*json, path, "launch", table.launch);
    reader.text(*json, path, "kernel", table.kernel);
    reader.text(*json, path, "file", table.file);
    reader.dim3(*json, path, "grid", table.grid);
    reader.dim3(*json, path, "block", table.block);
    reader.dim3(*json, path, "block_index", table.block_index);
    reader.list(*json, path, "arrays", [&](const Json& item, const std::string& where) {
        PhaseArray& array = table.arrays.emplace_back();
        reader.text(item, where, "name", array.name);
        reader.text(item, where, "space", array.space);
        reader.integer(item, where, "bytes", array.bytes);
        reader.integer(item, where, "element_bytes", array.element_bytes);
        reader.integers(item, where, "shape", array.shape);
    });
    reader.integer(*json, path, "phase_count", table.phase_count);
    reader.integer(*json, path, "interval_count", table.interval_count);
    reader.list(*json, path, "phases", [&](const Json& item, const std::string& where) {
        table.phases.push_back(read_phase(reader, item, where));
    });
    read_counts(reader, *json, path, "thread_least", table.least);
    read_counts(reader, *json, path, "thread_most", table.most);
    read_counts(reader, *json, path, "total", table.total);
    read_texts(reader, *json, path, "notes", table.notes);
}

}  // namespace tilescope::report
