#include "scope/cli/kernel_choice.h"

#include <algorithm>
#include <numeric>

#include "scope/base/names.h"

namespace tilescope::cli {
namespace {

std::string listed(const std::vector<KernelName>& kernels, const std::vector<std::size_t>& which) {
    constexpr std::size_t kMax = 50;
    std::string text;
    std::size_t told = 0;
    for (const std::size_t i : which) {
        if (told++ == kMax) return text + "; and " + std::to_string(which.size() - kMax) + " more";
        text += (text.empty() ? "" : "; ") + (kernels[i].shown.empty() ? kernels[i].name : kernels[i].shown);
    }
    return text;
}

std::string did_you_mean(const std::vector<KernelName>& kernels, const std::string& wanted) {
    std::vector<std::string> names;
    names.reserve(kernels.size());
    for (const KernelName& kernel : kernels) names.emplace_back(short_kernel_name(kernel.name));
    const std::string near = nearest(wanted, names);
    return near.empty() ? std::string() : "; did you mean \"" + near + "\"?";
}

}  // namespace

Result<std::size_t> choose_kernel(const std::vector<KernelName>& kernels, const std::string& wanted,
                                  const std::string& file, const std::string& how) {
    std::vector<std::size_t> all, matches;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (!wanted.empty() && kernels[i].entry == wanted) matches.push_back(i);
        all.push_back(i);
    }
    if (matches.empty())
        for (const std::size_t i : all)
            if (wanted.empty() || kernel_matches(wanted, kernels[i].name, kernels[i].entry)) matches.push_back(i);
    if (matches.size() == 1) return matches.front();
    if (kernels.empty()) return error("cli-kernel", {file}, "there is no kernel in this file");
    if (wanted.empty())
        return error("cli-kernel", {file}, "there are several kernels in this file; " + how,
                     "kernels: " + listed(kernels, all));
    if (matches.empty())
        return error("cli-kernel", {file}, "there is no kernel \"" + wanted + "\"" + did_you_mean(kernels, wanted),
                     "kernels: " + listed(kernels, all));
    return error("cli-kernel", {file}, "several kernels match \"" + wanted + "\"",
                 "kernels: " + listed(kernels, matches));
}

Diagnostics unmatched_kernels(const std::vector<std::string>& patterns, const Profile& profile) {
    std::vector<KernelName> kernels;
    for (const LaunchProfile& launch : profile.launches)
        if (std::none_of(kernels.begin(), kernels.end(),
                         [&](const KernelName& known) { return known.entry == launch.entry; }))
            kernels.push_back({launch.kernel, launch.entry, {}});
    std::vector<std::size_t> all(kernels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    Diagnostics errors;
    for (const std::string& pattern : patterns) {
        if (std::any_of(kernels.begin(), kernels.end(),
                        [&](const KernelName& kernel) { return kernel_matches(pattern, kernel.name, kernel.entry); }))
            continue;
        errors.push_back(
            error("cli-kernel", {profile.program},
                  "--kernel " + pattern + ": no launch was of such a kernel" + did_you_mean(kernels, pattern),
                  kernels.empty() ? "the program launched no kernel" : "launched: " + listed(kernels, all)));
    }
    return errors;
}

}  // namespace tilescope::cli
