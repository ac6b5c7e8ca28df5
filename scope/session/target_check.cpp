#include "scope/session/target_check.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "scope/image/made_for.h"
#include "scope/isa/targets.h"
#include "scope/report/caveats.h"

namespace tilescope {
namespace {

std::uint32_t capability_of(const models::Device& device) { return 10 * device.compute_major + device.compute_minor; }

// "an A100 SXM4", "a T4": by the first words of the description; a user's own device may have none, and goes by its
// name.
std::string with_article(const models::Device& device) {
    constexpr std::string_view kVowels = "AEIO", kReadWithVowel = "AEFHILMNORSX";  // "an RTX 4090", "a GeForce"
    const std::string_view described = std::string_view(device.description).substr(0, device.description.find(','));
    const bool is_name = !described.empty() && described.front() >= 'A' && described.front() <= 'Z';
    if (!is_name) return device.name;
    const bool is_word = described.size() > 1 && described[1] >= 'a' && described[1] <= 'z';
    const bool takes_an = (is_word ? kVowels : kReadWithVowel).find(described.front()) != std::string_view::npos;
    return (takes_an ? "an " : "a ") + std::string(described);
}

// "8.0" of 80.
std::string capability_name(std::uint32_t capability) { return isa::version_name(capability); }

// The devices that have it; of more than a few, one for each capability, by the shortest name.
std::string devices_with(const isa::Requirement& needed) {
    std::map<std::uint32_t, std::vector<std::string>> by_capability;
    std::size_t count = 0;
    for (const std::string& name : models::device_names()) {
        const auto device = models::load_device(name);
        if (!device || !isa::Target{capability_of(*device), 'a'}.has(needed)) continue;
        by_capability[capability_of(*device)].push_back(name);
        ++count;
    }
    constexpr std::size_t kFew = 8;
    std::vector<std::string> shown;
    for (auto& [capability, names] : by_capability) {
        std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
        shown.insert(shown.end(), names.begin(), count <= kFew ? names.end() : names.begin() + 1);
    }
    std::string text;
    for (const std::string& name : shown) text += (text.empty() ? "" : ", ") + name;
    return count <= kFew ? text : text + " and others (tilescope devices)";
}

std::string devices_hint(const isa::Requirement& needed) {
    const std::string names = devices_with(needed);
    return "devices that have it: " + (names.empty() ? std::string("none that tilescope knows") : names);
}

std::string reason_of(const isa::Requirement& needed) {
    const std::string capability = "compute capability " + capability_name(needed.needs.sm);
    return needed.since == isa::Since::kOneAlone ? "only " + capability + " has it"
                                                 : "it needs " + capability + " or later";
}

// Of errors of the text's own target: where the device lacks the instruction, too, another device helps and another
// target does not.
void name_devices(const ptx::Module& module, std::uint32_t capability, Diagnostics& errors) {
    for (const isa::Missing& missing : isa::missing_on(module, capability))
        for (Diagnostic& each : errors)
            if (each.message.starts_with(missing.what + " needs .target"))
                each.hint = devices_hint(missing.requirement);
}

Diagnostic lacks(const isa::Missing& missing, const models::Device& device) {
    std::string message = device.name + " (compute capability " + capability_name(capability_of(device)) +
                          ") does not have " + missing.what + ": " + reason_of(missing.requirement);
    if (missing.count > 1) message += " (" + std::to_string(missing.count) + " places)";
    return error(kNotOnDeviceCode, missing.place, std::move(message), devices_hint(missing.requirement));
}

// Of text whose target is newer than the device, or another architecture's own.
void check_device(const ptx::Module& module, const models::Device& device, TargetVerdict& verdict) {
    const isa::Target target = isa::target_of(module);
    const std::uint32_t capability = capability_of(device);
    for (const isa::Missing& missing : isa::missing_on(module, capability))
        verdict.errors.push_back(lacks(missing, device));
    if (!verdict.errors.empty()) return;
    const SourceLocation top{module.name, 0, 0};
    const std::string name = target.name();
    const bool fits_family = target.suffix == 'f' && target.sm / 10 == capability / 10;
    if (target.suffix != '\0' && target.sm != capability && !fits_family) {
        verdict.errors.push_back(error(
            kNotOnDeviceCode, top,
            "code for " + name + " does not run on " + device.name + ", which is sm_" + std::to_string(capability),
            "compile for sm_" + std::to_string(capability)));
    } else if (target.sm > capability) {
        verdict.notes.push_back({Severity::kWarning, std::string(report::kCompiledForNewer), top,
                                 "compiled for " + name + "; " + with_article(device) + " (sm_" +
                                     std::to_string(capability) + ") would not load it",
                                 "compile for sm_" + std::to_string(capability)});
    }
}

}  // namespace

isa::TargetLimits limits_of(const ptx::Module& module, std::string_view text) {
    if (const std::string_view made_for = image::made_for(text); !made_for.empty())
        return {isa::target_named(made_for), isa::kNewestPtx};
    return {isa::target_of(module), module.version_major * 10 + module.version_minor};
}

TargetVerdict check_targets(const ptx::Module& module, std::string_view text, const models::Device& device) {
    TargetVerdict verdict;
    const std::uint32_t version = module.version_major * 10 + module.version_minor;
    if (version > isa::kNewestPtx) {
        verdict.errors.push_back(error(kNewerPtxCode, {module.name, 0, 0},
                                       "PTX .version " + isa::version_name(version) +
                                           " is of a release after CUDA 13.0, which knows " +
                                           isa::version_name(isa::kNewestPtx),
                                       "compile with CUDA 13.0 or older"));
        return verdict;
    }
    const isa::TargetLimits limits = limits_of(module, text);
    verdict.errors = isa::check_own_target(module, limits);
    const std::uint32_t capability = capability_of(device);
    if (!verdict.errors.empty()) {
        name_devices(module, capability, verdict.errors);
        return verdict;
    }
    const isa::Target target = limits.target;
    const bool runs = target.suffix == '\0' ? target.sm <= capability : target.sm == capability;
    if (!runs) check_device(module, device, verdict);
    return verdict;
}

bool is_refused_by_drivers(std::string_view code) {
    static constexpr std::string_view kCodes[] = {"isa-newer-than-target", "isa-newer-than-version", "isa-dropped",
                                                  kNewerPtxCode, kNotOnDeviceCode};
    return std::find(std::begin(kCodes), std::end(kCodes), code) != std::end(kCodes);
}

}  // namespace tilescope
