#include "scope/report/json_names.h"

#include <array>
#include <utility>

namespace tilescope::report {
namespace {

template <class T, std::size_t kCount>
using Names = std::array<std::pair<T, std::string_view>, kCount>;

constexpr Names<RegistersFrom, 3> kRegistersFrom = {
    {{RegistersFrom::kCubin, "cubin"}, {RegistersFrom::kPtxas, "ptxas"}, {RegistersFrom::kEstimate, "estimate"}}};
constexpr Names<Outcome, 4> kOutcomes = {{{Outcome::kOk, "ok"},
                                          {Outcome::kFault, "fault"},
                                          {Outcome::kUnsupported, "unsupported"},
                                          {Outcome::kLimit, "limit"}}};
constexpr Names<Severity, 3> kSeverities = {
    {{Severity::kNote, "note"}, {Severity::kWarning, "warning"}, {Severity::kError, "error"}}};

template <class T, std::size_t kCount>
std::string_view find_name(const Names<T, kCount>& names, T value) {
    for (const auto& [item, name] : names)
        if (item == value) return name;
    return names[0].second;
}

template <class T, std::size_t kCount>
std::optional<T> find_value(const Names<T, kCount>& names, std::string_view wanted) {
    for (const auto& [item, name] : names)
        if (name == wanted) return item;
    return std::nullopt;
}

}  // namespace

std::string_view name_of(RegistersFrom from) { return find_name(kRegistersFrom, from); }
std::string_view name_of(Outcome outcome) { return find_name(kOutcomes, outcome); }
std::string_view name_of(Severity severity) { return find_name(kSeverities, severity); }

std::optional<RegistersFrom> registers_from_by_name(std::string_view name) { return find_value(kRegistersFrom, name); }
std::optional<Outcome> outcome_by_name(std::string_view name) { return find_value(kOutcomes, name); }
std::optional<Severity> severity_by_name(std::string_view name) { return find_value(kSeverities, name); }

}  // namespace tilescope::report
