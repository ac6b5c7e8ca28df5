#include "scope/image/precompiled.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "scope/image/clang_flags.h"
#include "scope/image/compile_inputs.h"
#include "scope/image/hash.h"
#include "scope/image/manifest.h"
#include "scope/image/process.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeaders = "headers.pch";
constexpr const char* kWords = "words";  // all that these headers name, each between line feeds

constexpr std::string_view kOfWords = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
constexpr std::array<bool, 256> kInWords = [] {
    std::array<bool, 256> in{};
    for (const char c : kOfWords) in[static_cast<unsigned char>(c)] = true;
    return in;
}();

// Whether the user asks for no more than how to optimise, warn and define, and where to look.
bool leave_headers_alone(const std::vector<std::string>& flags) {
    static constexpr std::array<std::string_view, 12> kStarts = {"-D", "-U", "-I", "-isystem", "-iquote", "-O",
                                                                 "-f", "-m", "-W", "-g",       "-w",      "-std="};
    static constexpr std::array<std::string_view, 5> kTakeNext = {"-D", "-U", "-I", "-isystem", "-iquote"};
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const auto begins = [&](std::string_view start) { return flags[i].starts_with(start); };
        if (std::none_of(kStarts.begin(), kStarts.end(), begins)) return false;
        if (std::find(kTakeNext.begin(), kTakeNext.end(), flags[i]) != kTakeNext.end()) ++i;
    }
    return true;
}

bool may_be_precompiled(const CompileJob& job) {
    return job.cache != nullptr && !job.links_device_code && job.mended.empty() &&
           leave_headers_alone(host_flags(job)) && leave_headers_alone(user_device_flags(job));
}

// The name in "-DTILE=16"; empty in other flags, and where it is not the program's to define.
std::string_view name_in(std::string_view flag) {
    if (!flag.starts_with("-D") || flag.size() == 2 || flag[2] == '_') return {};
    flag = flag.substr(2, flag.find('=') - 2);
    return flag.find_first_not_of(kOfWords) == flag.npos ? flag : std::string_view();
}

// Everything else that the headers' meaning depends on is in the surroundings.
std::string key_of(const CompileJob& job, const std::vector<std::string>& arguments) {
    ContentHash hash;
    hash.add("headers 1").add(job.surroundings).add(job.headers);
    for (const std::string& argument : arguments) hash.add(argument);
    // clang knows a header that it has read by its size and time.
    std::error_code failed;
    std::vector<std::string> ours;
    for (const auto& file : fs::recursive_directory_iterator(job.options->headers_dir, failed))
        if (file.is_regular_file(failed)) ours.push_back(file.path().string() + identity_of(file.path()));
    std::sort(ours.begin(), ours.end());
    for (const std::string& each : ours) hash.add(each);
    return hash.finish();
}

std::string words_of(const std::vector<fs::path>& files) {
    std::deque<std::string> texts;  // which the words lie in
    std::unordered_set<std::string_view> words;
    for (const fs::path& file : files) {
        auto read = read_file(file);
        if (!read) continue;
        const std::string_view text = texts.emplace_back(std::move(read).value());
        for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
            for (end = at; end < text.size() && kInWords[static_cast<unsigned char>(text[end])]; ++end) {
            }
            if (end != at) words.insert(text.substr(at, end - at));
        }
    }
    std::vector<std::string_view> sorted(words.begin(), words.end());
    std::sort(sorted.begin(), sorted.end());
    std::string all = "\n";
    for (const std::string_view word : sorted) all += std::string(word) + "\n";
    return all;
}

// An entry of the cache, with empty headers where clang does not make any: it is not asked again.
std::optional<fs::path> make_headers(const CompileJob& job, const std::string& key,
                                     const std::vector<std::string>& arguments) {
    const auto made = job.cache->start();
    if (!made) return std::nullopt;
    const fs::path headers = made->path() / kHeaders, rule = job.scratch / "headers.d";
    std::vector<std::string> command = arguments;
    command.insert(command.end(),
                   {"-S", "-Xclang", "-emit-pch", "-MD", "-MF", rule.string(),
                    (job.options->headers_dir / "tilescope/precompiled.h").string(), "-o", headers.string()});
    const timespec start = next_tick();
    const auto run = run_process(command, {}, compiler_environment(job.scratch));
    std::vector<fs::path> read;
    if (const auto text = read_file(rule)) read = parse_dependencies(*text);
    if (!run || run->status != 0 || read.empty())
        if (!write_file_atomically(headers, "")) return std::nullopt;
    if (!write_file_atomically(made->path() / kWords, words_of(read))) return std::nullopt;
    const auto inputs = inputs_as_read(*job.options, read, start);
    if (!inputs) return std::nullopt;
    const auto kept = job.cache->keep(key, *inputs, *made);
    return kept ? std::optional(*kept) : std::nullopt;
}

}  // namespace

std::optional<fs::path> precompiled_headers(const CompileJob& job, const std::vector<std::string>& half) {
    if (!may_be_precompiled(job)) return std::nullopt;
    // First without the macros that headers are not expected to ask for, then with all, where they do.
    for (const bool all : {false, true}) {
        std::vector<std::string_view> names;
        std::vector<std::string> arguments = joined({{job.toolchain.program.string()}, cuda_flags(job, {})});
        for (const std::string& flag : half)
            if (const auto name = all ? std::string_view() : name_in(flag); name.empty())
                arguments.push_back(flag);
            else
                names.push_back(name);
        const std::string key = key_of(job, arguments);
        auto entry = job.cache->find(key);
        if (!entry && job.cache->asked_before(key)) entry = make_headers(job, key, arguments);
        if (!entry) return std::nullopt;
        const auto words = read_file(*entry / kWords);
        if (!words) return std::nullopt;
        const bool named = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
            return words->find("\n" + std::string(name) + "\n") != words->npos;
        });
        if (named) continue;
        std::error_code failed;
        if (fs::file_size(*entry / kHeaders, failed) == 0 || failed) return std::nullopt;
        return *entry / kHeaders;
    }
    return std::nullopt;
}

}  // namespace tilescope::image
