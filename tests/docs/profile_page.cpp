#include "tests/docs/profile_page.h"

#include <map>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "scope/report/enums.h"
#include "scope/report/fields.h"
#include "scope/report/fields_profile.h"

namespace tilescope::docs {
namespace {

using report::describe;

constexpr std::string_view kHead =
    "# JSON profile\n"
    "\n"
    "For programs that read the output of `tilescope run --json FILE PROGRAM`. This page lists every key of schema 1.\n"
    "`scripts/make_profile_page` writes it from the descriptions in `scope/report/fields_*.h`. A key marked `?` may be "
    "absent.\n"
    "`a.b` is the key `b` of the object `a`. Ignore keys that you don't know.\n";

struct Section {
    std::string name, rows;
};

struct Page {
    std::vector<Section> sections;
    std::map<std::type_index, std::string> known;  // a struct and the section that has it
};

// "integer", "list of texts", ...
template <class T>
std::string type_name() {
    if constexpr (report::kIsOptional<T>) {
        return type_name<typename T::value_type>();
    } else if constexpr (report::kIsList<T>) {
        using Item = typename T::value_type;
        return std::is_enum_v<Item> ? "list of names: " + type_name<Item>() : "list of " + type_name<Item>() + "s";
    } else if constexpr (std::is_enum_v<T>) {
        return report::all_names<T>("`");
    } else if constexpr (std::is_same_v<T, bool>) {
        return "true or false";
    } else if constexpr (std::is_same_v<T, Dim3>) {
        return "three integers";
    } else if constexpr (report::kIsObject<T>) {
        return "object";
    } else if constexpr (std::is_integral_v<T>) {
        return "integer";
    } else {
        return std::is_floating_point_v<T> ? "number" : "text";
    }
}

// Writes the rows of one section, and the sections of the lists in it.
class PageVisitor {
public:
    static constexpr bool kReads = true;

    PageVisitor(Page& page, std::size_t section, std::string prefix)
        : page_(page), section_(section), prefix_(std::move(prefix)) {}

    bool times() const { return true; }

    template <class T>
    void field(const char* key, T& value, const char* unit, const char* about) {
        member(key, value, unit, about, report::kIsOptional<T>);
    }
    template <class T>
    void field(const char* key, T& value, const char* unit, const char* about, bool) {
        member(key, value, unit, about, true);
    }
    template <class Compute>
    void result(const char* key, Compute, const char* unit, const char* about) {
        using T = decltype(std::declval<Compute>()());
        row(key, type_name<T>(), unit, about, report::kIsOptional<T>);
    }
    template <class Fields>
    void group(const char* key, const char* about, bool shown, Fields fields) {
        row(key, "object", "", about, !shown);  // of an empty struct
        PageVisitor inner(page_, section_, prefix_ + key + ".");
        fields(inner);
    }
    template <class Fields>
    void results(const char* key, const char* about, bool shown, Fields fields) {
        group(key, about, shown, fields);
    }
    template <class T>
    void inlined(std::optional<T>& value, const char*) {
        describe(*this, value.emplace());
    }
    void launches(const char* key, LaunchList&, const char* about) {
        std::vector<LaunchProfile> all;
        field(key, all, "", about);
    }
    void counters(const char* key, CounterSet&, const char* about, bool, bool) {
        row(key, "integers by [counter](#counters)", "", about, false);
    }
    template <class T, class Fields>
    void list(const char* key, std::vector<T>&, const char* about, Fields fields) {
        row(key, "list of objects", "", about, false);
        items<T>(key, fields);
    }
    template <class T>
    void tail(const char* key, std::vector<T>&, const char* about) {
        row(key, "list of objects like this one", "", about, true);
    }
    template <class T>
    void lists(const char* key, std::vector<std::vector<T>>&, const char* about, std::size_t) {
        row(key, "list of lists of objects", "", about, false);
        items<T>(std::string(key) + "[]", [](auto& inner, T& item) { describe(inner, item); });
    }

private:
    template <class T>
    void member(const char* key, T& value, const char* unit, const char* about, bool may_be_absent) {
        row(key, type_name<T>(), unit, about, may_be_absent);
        if constexpr (report::kIsOptional<T>) {
            if constexpr (report::kIsObject<typename T::value_type>) nested(key, value.emplace());
        } else if constexpr (report::kIsObject<T>) {
            nested(key, value);
        } else if constexpr (report::kIsList<T>) {
            using Item = typename T::value_type;
            if constexpr (report::kIsObject<Item>)
                items<Item>(key, [](auto& inner, Item& item) { describe(inner, item); });
        }
    }
    template <class T>
    void nested(const char* key, T& value) {
        PageVisitor inner(page_, section_, prefix_ + key + ".");
        describe(inner, value);
    }
    template <class T, class Fields>
    void items(const std::string& key, Fields fields) {
        const std::string& own = page_.sections[section_].name;
        const std::string name = (own == "The run" ? "" : own + ".") + prefix_ + key + "[]";
        const auto [known, is_new] = page_.known.emplace(typeid(T), name);
        page_.sections.push_back({name, is_new ? "" : "As `" + known->second + "`.\n"});
        if (!is_new) return;
        PageVisitor inner(page_, page_.sections.size() - 1, "");
        T item{};
        fields(inner, item);
    }
    void row(std::string_view key, const std::string& type, std::string_view unit, std::string_view about,
             bool may_be_absent) {
        std::string& rows = page_.sections[section_].rows;
        if (rows.empty()) rows = "| Key | Is | Unit | |\n|---|---|---|---|\n";
        rows += "| `" + prefix_ + std::string(key) + "`" + (may_be_absent ? " ?" : "") + " | " + type + " | " +
                std::string(unit) + " | " + std::string(about) + " |\n";
    }

    Page& page_;
    std::size_t section_;
    std::string prefix_;  // of keys in this section
};

std::string counter_rows() {
    std::string rows = "| Counter | Unit | |\n|---|---|---|\n";
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const auto& counter = info(static_cast<Counter>(i));
        rows += "| `" + std::string(counter.name) + "` | " + std::string(counter.unit) + " | " +
                std::string(counter.description) + " |\n";
    }
    return rows;
}

}  // namespace

std::string profile_page() {
    Page page;
    page.sections.push_back({"The run", ""});
    PageVisitor visitor(page, 0, "");
    Profile profile;
    describe(visitor, profile);
    std::string text(kHead);
    for (const Section& section : page.sections) {
        const bool is_path = section.name.ends_with(']');
        text += "\n## " + (is_path ? "`" + section.name + "`" : section.name) + "\n\n" + section.rows;
    }
    return text + "\n## Counters\n\n" + counter_rows();
}

}  // namespace tilescope::docs
