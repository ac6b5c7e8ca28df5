#include "scope/session/launch/bounds_checks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scope/image/hash.h"

namespace tilescope {
namespace {

bool names_place(const CheckPlace& place, std::string_view file, std::uint32_t line) {
    if (place.line != line) return false;
    return place.file.empty() || file == place.file || file.ends_with("/" + place.file);
}

// Of all that kernels may have written, in the order of its addresses.
std::string digest_of(const machine::Memory& memory) {
    image::ContentHash hash;
    for (const machine::Allocation& allocation : memory.all()) {
        if (!allocation.writable || allocation.size == 0) continue;
        const auto* bytes = reinterpret_cast<const char*>(memory.bytes(allocation.base));
        hash.add(std::string_view(bytes, allocation.size));
    }
    return hash.finish();
}

CheckKind kind_of(machine::BoundsCheckKind kind) {
    switch (kind) {
        case machine::BoundsCheckKind::kEndsLoop: return CheckKind::kEndsLoop;
        case machine::BoundsCheckKind::kEitherWay: return CheckKind::kEitherWay;
        case machine::BoundsCheckKind::kGuards: break;
    }
    return CheckKind::kGuards;
}

}  // namespace

bool looks_at_checks(const SessionOptions& options) { return options.tells_checks || !options.without_checks.empty(); }

std::function<bool(std::string_view, std::uint32_t)> checks_left_out(const SessionOptions& options) {
    std::vector<CheckPlace> places;
    for (const std::string& text : options.without_checks)
        if (auto place = parse_check_place(text)) places.push_back(std::move(*place));
    return [places = std::move(places)](std::string_view file, std::uint32_t line) {
        return std::any_of(places.begin(), places.end(),
                           [&](const CheckPlace& place) { return names_place(place, file, line); });
    };
}

void tell_checks(const Prepared& launch, Recording& recording, LaunchProfile& profile) {
    const SessionOptions& options = launch.settings.options;
    if (!looks_at_checks(options)) return;
    const std::vector<machine::BoundsCheck>& checks = launch.program.bounds_checks;
    for (const std::string& text : options.without_checks)
        if (const auto place = parse_check_place(text))
            for (const machine::BoundsCheck& check : checks)
                if (check.is_out && names_place(*place, check.file, check.line)) recording.used_checks.insert(text);
    if (!options.tells_checks || !launch.is_counted) return;
    BoundsProfile bounds;
    for (const machine::BoundsCheck& check : checks)
        bounds.checks.push_back({check.file, check.line, kind_of(check.kind), check.accesses, check.is_out});
    std::sort(bounds.checks.begin(), bounds.checks.end(), [](const CheckedLine& a, const CheckedLine& b) {
        return std::pair(a.file, a.line) < std::pair(b.file, b.line);
    });
    bounds.memory = digest_of(launch.memory);
    profile.bounds = std::move(bounds);
}

void note_unused_checks(const SessionOptions& options, Recording& recording) {
    for (const std::string& text : options.without_checks)
        if (!recording.used_checks.contains(text))
            recording.note_once(
                {Diagnostic{Severity::kWarning,
                            "without-check",
                            {},
                            "--without-check " + text + ": no kernel that ran has a check there that can be taken out",
                            "`tilescope boundaries` lists those that can"}});
}

}  // namespace tilescope
