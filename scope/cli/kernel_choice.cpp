#include "scope/cli/kernel_choice.h"

#include "scope/base/names.h"

namespace tilescope::cli {
namespace {

std::string listed(const std::vector<KernelName>& kernels, const std::vector<std::size_t>& which) {
    std::string text;
    for (const std::size_t i : which)
        text += (text.empty() ? "" : "; ") + (kernels[i].shown.empty() ? kernels[i].name : kernels[i].shown);
    return text;
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
        return error("cli-kernel", {file}, "there is no kernel \"" + wanted + "\"", "kernels: " + listed(kernels, all));
    return error("cli-kernel", {file}, "several kernels match \"" + wanted + "\"",
                 "kernels: " + listed(kernels, matches));
}

}  // namespace tilescope::cli
