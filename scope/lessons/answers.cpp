#include "scope/lessons/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "scope/base/characters.h"
#include "scope/base/names.h"
#include "scope/lessons/commands.h"
#include "scope/report/budget.h"
#include "scope/report/enums.h"
#include "scope/report/format.h"
#include "scope/report/json.h"
#include "scope/report/metrics.h"

namespace tilescope::lessons {
namespace {

using SortedJson = nlohmann::json;
using report::Link;
using report::LinkKind;
using report::Reference;
using report::text_of;
using report::Value;

Diagnostic nothing(const std::string& what, const std::string& hint = {}) {
    return error("lessons-name", {}, what, hint);
}

// Members of a list or object whose texts are not those of an element's name.
const SortedJson* pick(const SortedJson& list, const std::string& text) {
    for (const SortedJson& element : list) {
        if (element.is_string() && element.get_ref<const std::string&>() == text) return &element;
        if (!element.is_object()) continue;
        for (const SortedJson& member : element)
            if (member.is_string() && member.get_ref<const std::string&>() == text) return &element;
    }
    return nullptr;
}

// What was concluded of a hazard, as facts name it.
std::string case_of(const SortedJson& hazard) {
    const auto facts = hazard.find("facts");
    return facts == hazard.end() ? std::string() : facts->value("case", std::string());
}

Result<Value> plain(const SortedJson& json, const std::string& path) {
    if (json.is_number()) return Value(json.get<double>());
    if (json.is_boolean()) return Value(json.get<bool>());
    if (json.is_string()) return Value(json.get<std::string>());
    return nothing("\"" + path + "\" is a list or an object, not a value",
                   "name a part of it, with .name or [0]; .count is how many there are");
}

// Follows the links from `at` through the JSON.
Result<Value> follow(const SortedJson* json, const Reference& path, std::size_t at) {
    for (; at < path.size(); ++at) {
        const Link& link = path[at];
        const std::string before = text_of({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(at)});
        const std::string here = before.empty() ? "here" : "in \"" + before + "\"";
        const SortedJson* next = nullptr;
        if (link.kind == LinkKind::kCall) return nothing("there is no function " + link.text + "() " + here);
        if (link.kind == LinkKind::kName && link.text == "count" && json->is_array())
            return Value(static_cast<double>(json->size()));
        if (link.kind == LinkKind::kName && json->is_object()) {
            const auto found = json->find(link.text);
            if (found != json->end()) next = &*found;
            if (next == nullptr) {
                std::vector<std::string> known;
                for (auto it = json->begin(); it != json->end(); ++it) known.push_back(it.key());
                const std::string near = nearest(link.text, known);
                std::string all;
                for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
                return nothing("there is no \"" + link.text + "\" " + here,
                               near.empty() ? report::cut("there are: " + all, 400) : "did you mean " + near + "?");
            }
        }
        if (link.kind == LinkKind::kIndex && json->is_array()) {
            const auto size = static_cast<std::int64_t>(json->size());
            const std::int64_t index = link.index < 0 ? size + link.index : link.index;
            if (index < 0 || index >= size)
                return nothing(fmt::format("there is no element {} {}, which has {}", link.index, here, size));
            next = &(*json)[static_cast<std::size_t>(index)];
        }
        if (link.kind == LinkKind::kPick && (json->is_array() || json->is_object())) {
            next = pick(*json, link.text);
            if (next == nullptr) return nothing("no element " + here + " has the text '" + link.text + "'");
        }
        if (next == nullptr) return nothing("\"" + text_of({link}) + "\" leads nowhere " + here);
        json = next;
    }
    return plain(*json, text_of(path));
}

// What names mean for one subject.
class Meaning {
public:
    Meaning(const Answers& answers, const Subject& subject) : answers_(answers), subject_(subject) {}

    Result<Value> value(const Reference& reference) {
        const std::string& first = reference.front().text;
        if (reference.size() > 1 && reference[0].kind == LinkKind::kName && reference[1].kind != LinkKind::kIndex &&
            reference[1].kind != LinkKind::kPick && answers_.lesson->run(first) != nullptr) {
            Meaning other(answers_, subject_of(*answers_.lesson, first));
            auto found = other.value({reference.begin() + 1, reference.end()});
            note(other.origin_);
            return found;
        }
        const auto answer = answers_.of.find(subject_.run);
        if (answer == answers_.of.end() || answer->second == nullptr)
            return nothing("run \"" + subject_.run + "\" gave no answer");
        answer_ = answer->second;
        if (reference[0].kind == LinkKind::kCall) return call(reference);
        if (first == "status" && reference.size() == 1) return Value(static_cast<double>(answer_->status));
        return answer_->profile ? of_profile(reference) : of_document(reference);
    }
    const std::string& origin() const { return origin_; }

private:
    void note(std::string_view origin) {
        if (!origin.empty() && origin_ != "modelled") origin_ = origin;
    }
    Result<std::size_t> chosen() const { return chosen_launch(*answer_, subject_); }

    // What a model says, by where it stands in the profile.
    void note_place(const Reference& reference) {
        const std::string path = text_of(reference);
        for (const std::string_view modelled :
             {"time.", "replay.", "caches.", "pages.", "timeline", "overlap.", "intensity.l2", "intensity.dram",
              "roofline.achieved", "roofline.points['l", "roofline.points['d"})
            if (path.starts_with(modelled)) note("modelled");
        if (path.find("microseconds") != std::string::npos || path.find(".achieved") != std::string::npos)
            note("modelled");
    }
    Result<Value> of_document(const Reference& reference) {
        if (text_of(reference).find(".achieved") != std::string::npos) note("modelled");
        return follow(&answer_->document, reference, 0);
    }
    Result<Value> of_profile(const Reference& reference) {
        const std::string& name = reference.front().text;
        const SortedJson& document = answer_->document;
        const bool of_run = document.contains(name);
        const report::Metric metric = report::metric_by_name(name);
        if (reference.size() == 1 && metric.known()) return of_metric(metric, name);
        const auto index = chosen();
        if (index && document.contains("launches")) {
            const SortedJson& launch = document["launches"][*index];
            if (launch.contains(name)) {
                if ((name == "occupancy" || name == "roofline") && estimated(*index)) note("estimated");
                note_place(reference);
                return follow(&launch, reference, 0);
            }
        }
        if (of_run) {
            note_place(reference);
            return follow(&document, reference, 0);
        }
        if (!index) return index.errors();
        std::vector<std::string> known = report::budget_names();
        for (auto it = document["launches"][*index].begin(); it != document["launches"][*index].end(); ++it)
            known.push_back(it.key());
        const std::string near = nearest(name, known);
        return nothing("there is no \"" + name + "\" in what run \"" + subject_.run + "\" gave",
                       near.empty() ? "docs/reference/profile.md lists the names" : "did you mean " + near + "?");
    }
    bool estimated(std::size_t index) const {
        return answer_->profile->launches[index].registers_from == RegistersFrom::kEstimate;
    }
    Result<Value> of_metric(const report::Metric& metric, const std::string& name) {
        const auto index = chosen();
        if (!index) return index.errors();
        const LaunchProfile& launch = answer_->profile->launches[*index];
        note(metric.origin(launch));
        const auto value = metric.value(launch);
        if (!value) return nothing(name + " has no value: there is nothing to divide by, or it was not modeled");
        return Value(*value);
    }

    Result<Value> call(const Reference& reference) {
        const Link& link = reference.front();
        for (const Value& argument : link.arguments)
            if (!std::holds_alternative<std::string>(argument)) return nothing(link.text + "() takes 'texts'");
        const auto argument = [&](std::size_t i) { return std::get<std::string>(link.arguments[i]); };
        const std::size_t count = link.arguments.size();
        if (link.text == "output" && count == 1 && reference.size() == 1) return output(argument(0));
        if (link.text == "line" && count == 1 && reference.size() > 1) return line(argument(0), reference);
        if ((link.text == "hazards" && reference.size() == 1) || (link.text == "hazard" && reference.size() > 1)) {
            if (count > 2) return nothing(link.text + "() takes a kind and a text of a line");
            const auto list = hazards(count > 0 ? argument(0) : "", count > 1 ? argument(1) : "");
            if (!list) return list.errors();
            if (link.text == "hazards") return Value(static_cast<double>(list->size()));
            if (list->empty()) return nothing("there is no such hazard");
            return follow(list->data(), reference, 1);
        }
        return nothing("\"" + text_of(reference) + "\" is no function",
                       "output('label'), line('text').counter, hazards('kind', 'text'), hazard('kind', 'text').field");
    }
    Result<Value> output(const std::string& label) const {
        const std::string& text = answer_->output;
        const std::size_t at = text.find(label);
        if (at == std::string::npos) return nothing("the program did not print '" + label + "'");
        const std::size_t end = std::min(text.find('\n', at), text.size());
        for (std::size_t i = at + label.size(); i < end; ++i) {
            const bool sign = text[i] == '-' && i + 1 < end && (is_digit(text[i + 1]) || text[i + 1] == '.');
            if (!is_digit(text[i]) && !sign) continue;
            double number = 0;
            const auto [last, failed] = std::from_chars(text.data() + i, text.data() + end, number);
            static_cast<void>(last);
            if (failed == std::errc()) return Value(number);
        }
        return nothing("no number follows '" + label + "' in what the program printed");
    }
    Result<std::vector<std::uint32_t>> marked(const std::string& text) const {
        const auto own = answers_.sources.find(answers_.lesson->program_of(subject_.run).string());
        auto lines = lines_with(own == answers_.sources.end() ? answers_.source : own->second, text);
        if (lines.empty()) return nothing("no line of the program contains '" + text + "'");
        return lines;
    }
    bool is_program(const std::string& file) const {
        return report::file_name(file) == answers_.lesson->program_of(subject_.run).filename().string();
    }
    Result<Value> line(const std::string& text, const Reference& reference) {
        if (!answer_->profile) return nothing("line() is of a program that ran");
        const auto lines = marked(text);
        if (!lines) return lines.errors();
        const auto index = chosen();
        if (!index) return index.errors();
        LaunchProfile sum;
        std::vector<std::size_t> found;
        const LaunchProfile& launch = answer_->profile->launches[*index];
        sum.counters.modelled = launch.counters.modelled;
        for (std::size_t i = 0; i < launch.lines.size(); ++i) {
            const LineProfile& each = launch.lines[i];
            if (!is_program(each.file) || std::find(lines->begin(), lines->end(), each.line) == lines->end()) continue;
            sum.counters += each.counters;
            found.push_back(i);
        }
        if (found.empty()) return nothing("nothing was counted on the lines with '" + text + "'");
        const report::Metric metric = report::metric_by_name(reference[1].text);
        if (reference.size() == 2 && metric.known() && metric.fact == nullptr) {
            note(metric.origin(launch));
            const auto value = metric.value(sum);
            if (!value) return nothing(reference[1].text + " has no value on the lines with '" + text + "'");
            return Value(*value);
        }
        if (found.size() > 1) return nothing("'" + text + "' marks several lines, of which counters can be added only");
        return follow(&answer_->document["launches"][*index]["lines"][found.front()], reference, 1);
    }
    // Of the launches that the subject's kernel selects, and of the run.
    Result<std::vector<SortedJson>> hazards(const std::string& kind, const std::string& text) const {
        if (!answer_->profile) return nothing("hazards() is of a program that ran");
        if (!kind.empty() && !report::by_name<HazardKind>(kind) && !report::by_name<HazardCase>(kind))
            return nothing("there is no hazard '" + kind + "'", report::all_names<HazardKind>(""));
        std::vector<std::uint32_t> lines;
        if (!text.empty()) {
            auto found = marked(text);
            if (!found) return found.errors();
            lines = std::move(*found);
        }
        const auto at = [&](const SortedJson& hazard, const char* file, const char* line) {
            return is_program(hazard.value(file, std::string())) &&
                   std::find(lines.begin(), lines.end(), hazard.value(line, 0U)) != lines.end();
        };
        std::vector<SortedJson> all;
        const auto add = [&](const SortedJson& owner) {
            if (!owner.contains("hazards")) return;
            for (const SortedJson& hazard : owner["hazards"]) {
                // A note is no hazard yet: it counts where it is asked for by its case.
                const bool is_asked = kind.empty() || hazard.value("kind", std::string()) == kind;
                const bool is_case = !kind.empty() && case_of(hazard) == kind;
                if (!is_case && (!is_asked || hazard.value("severity", std::string()) == "note")) continue;
                if (text.empty() || at(hazard, "file", "line") || at(hazard, "other_file", "other_line"))
                    all.push_back(hazard);
            }
        };
        for (std::size_t i = 0; i < answer_->profile->launches.size(); ++i) {
            const LaunchProfile& launch = answer_->profile->launches[i];
            if (subject_.kernel.empty() || kernel_matches(subject_.kernel, launch.kernel, launch.entry))
                add(answer_->document["launches"][i]);
        }
        add(answer_->document);
        return all;
    }

    const Answers& answers_;
    Subject subject_;
    const Answer* answer_ = nullptr;
    std::string origin_;
};

}  // namespace

Result<Answer> make_answer(const Run& run, int status, std::string output, const std::string& json) {
    Answer answer;
    answer.status = status;
    answer.output = std::move(output);
    answer.document = SortedJson::parse(json, nullptr, /*allow_exceptions=*/false);
    if (!answer.document.is_object()) return error("lessons-answer", {}, "run \"" + run.name + "\" left no JSON");
    if (!makes_profile(run)) return answer;
    auto profile = report::from_json(json, run.name + ".json");
    if (!profile) return profile.errors();
    answer.profile = std::move(*profile);
    return answer;
}

Result<std::size_t> chosen_launch(const Answer& answer, const Subject& subject) {
    if (!answer.profile) return nothing("run \"" + subject.run + "\" is no run of a program");
    const auto& launches = answer.profile->launches;
    unsigned before = 0;
    std::string kernels;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const LaunchProfile& launch = launches[i];
        const bool fits = subject.kernel.empty() || kernel_matches(subject.kernel, launch.kernel, launch.entry);
        if (launch.observed && fits && before++ == subject.launch) return i;
        const std::string name(short_kernel_name(launch.kernel));
        if (kernels.find(name) == std::string::npos) kernels += (kernels.empty() ? "" : ", ") + name;
    }
    std::string what = fmt::format("run \"{}\" counted no launch {}", subject.run, subject.launch);
    if (!subject.kernel.empty()) what += " of \"" + subject.kernel + "\"";
    return nothing(what, kernels.empty() ? "it launched none" : "kernels that ran: " + kernels);
}

Subject subject_of(const Lesson& lesson, const std::string& name, const std::string& kernel,
                   std::optional<unsigned> launch) {
    const Run* run = lesson.run(name);
    Subject subject{name, kernel, launch.value_or(0)};
    if (run == nullptr) return subject;
    if (kernel.empty()) subject.kernel = run->kernel;
    if (!launch && kernel.empty()) subject.launch = run->launch;
    return subject;
}

Result<Found> evaluate(const report::Expression& expression, const Answers& answers, const Subject& subject) {
    Meaning meaning(answers, subject);
    auto value = report::evaluate(expression, [&](const Reference& reference) { return meaning.value(reference); });
    if (!value) return value.errors();
    if (std::holds_alternative<std::monostate>(*value)) return nothing("this has no value: it divides by zero");
    return Found{std::move(*value), meaning.origin()};
}

std::vector<std::uint32_t> lines_with(const std::vector<std::string>& source, const std::string& text) {
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < source.size(); ++i)
        if (source[i].find(text) != std::string::npos) found.push_back(static_cast<std::uint32_t>(i + 1));
    return found;
}

}  // namespace tilescope::lessons
