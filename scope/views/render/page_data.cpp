// A document as data: what a page, a comment on a change or another program shows without asking anybody again.
#include "scope/views/render/chart.h"
#include "scope/views/render/document_json.h"
#include "scope/views/view.h"

namespace tilescope::views {
namespace {

using Json = nlohmann::ordered_json;

Json data_of(const Value& value) {
    Json json = {{"name", value.name}};
    std::visit([&](const auto& amount) { json["value"] = amount; }, value.amount);
    if (const std::string_view unit = info(value.unit).name; !unit.empty()) json["unit"] = unit;
    if (value.ideal) json["ideal"] = *value.ideal;
    json["text"] = text_of(value);
    if (value.matters) json["matters"] = true;
    return json;
}

Json data_of(const Place& place) {
    Json json = Json::object();
    if (place.line != 0) json = {{"file", place.file}, {"line", place.line}};
    if (!place.who.empty()) json["who"] = place.who;
    return json;
}

Json data_of(const Row& row);
Json data_of(const Section& section);

template <class T>
void add_list(Json& json, const char* key, const std::vector<T>& list) {
    if (list.empty()) return;
    Json& all = json[key] = Json::array();
    for (const T& one : list) all.push_back(data_of(one));
}

std::string_view shown_name(Shown shown) {
    return shown == Shown::kAlways ? "always" : shown == Shown::kInFull ? "in full" : "in short";
}

Json data_of(const Row& row) {
    Json json = {{"kind", views::name_of(row.kind)}, {"key", row.key}};
    if (!row.label.empty()) json["label"] = row.label;
    std::string text = row.text;
    for (const Clause& clause : row.clauses) text += std::string(separator(clause.join)) + clause.text;
    if (!text.empty()) json["text"] = text;
    if (row.is_part) json["part"] = true;
    if (row.leads) json["leads"] = true;
    if (row.shown != Shown::kAlways) json["shown"] = shown_name(row.shown);
    add_list(json, "values", row.values);
    if (row.verdict.grade != models::Grade::kNone) json["verdict"] = models::name_of(row.verdict.grade);
    if (row.verdict.why != models::Why::kNone) json["why"] = models::name_of(row.verdict.why);
    json["source"] = views::name_of(row.source);
    add_list(json, "places", row.places);
    if (!row.remedy.empty()) json["remedy"] = row.remedy;
    if (row.kind == RowKind::kHazard) json["severity"] = report::name_of(row.severity);
    if (!row.columns.empty()) json["columns"] = row.columns;
    add_list(json, "rows", row.rows);
    return json;
}

Json data_of(const Section& section) {
    Json json = {{"kind", views::name_of(section.kind)}};
    if (!section.title.empty()) json["title"] = section.title;
    if (!section.times.empty()) json["times"] = section.times;
    if (section.launch) json["launch"] = *section.launch;
    add_list(json, "facts", section.facts);
    add_list(json, "rows", section.rows);
    return json;
}

}  // namespace

nlohmann::ordered_json rows_json(const std::vector<Row>& rows) {
    Json all = Json::array();
    for (const Row& row : rows) all.push_back(data_of(row));
    return all;
}

nlohmann::ordered_json document_json(const Document& document) {
    Json json = Json::object();
    add_list(json, "sections", document.sections);
    for (const report::Chart& chart : document.charts) json["charts"].push_back(Json::parse(chart_data(chart)));
    return json;
}

std::string page_data_view(const Profile& profile, const ViewOptions& options) {
    Json json = {{"schema", 1}};
    json.update(document_json(document_of(profile, options.document())));
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
