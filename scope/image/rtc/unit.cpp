#include "scope/image/rtc/unit.h"

#include <algorithm>
#include <charconv>

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kVariable = "__tilescope_name_";

// As a string in source.
std::string as_literal(std::string_view text) {
    std::string made = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') made += '\\';
        if (c != '\n' && c != '\r' && c != '\0') made += c;
    }
    return made + "\"";
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n\r");
    return first == text.npos ? std::string_view() : text.substr(first);
}

// A variable whose value is the address of what the expression names, as the PTX then says.
std::string variable_of(std::size_t number, std::string_view expression) {
    const std::string_view bare = without_blanks(expression);
    const std::string address = bare.starts_with('&') ? std::string(bare) : "&(" + std::string(bare) + ")";
    return "#line " + std::to_string(number + 1) + " \"" + std::string(kNameMap) +
           "\"\n__attribute__((device)) const void* " + std::string(kVariable) + std::to_string(number) +
           " = (const void*)(" + address + ");\n";
}

// "_Z1kv" of "= _Z1kv;" and of "= generic(_Z1kv);".
std::string initial_value(std::string_view line) {
    const std::size_t sign = line.find('=');
    if (sign == line.npos) return {};
    std::string_view value = without_blanks(line.substr(sign + 1));
    constexpr std::string_view kGeneric = "generic(";
    if (value.starts_with(kGeneric)) value.remove_prefix(kGeneric.size());
    return std::string(value.substr(0, value.find_first_of(";)+ \t")));
}

}  // namespace

std::string rtc_unit(std::string_view source, const std::string& name, const RtcOptions& options,
                     std::span<const std::string> expressions, bool host_headers) {
    const bool force_device = options.on_device_by_default;
    std::string unit = options.macros;
    if (host_headers) unit += "#include <assert.h>\n#include <stdio.h>\n";
    for (const std::string& file : options.included) unit += "#include \"" + file + "\"\n";
    if (force_device) unit += "#pragma clang force_cuda_host_device begin\n";
    unit += "#line 1 " + as_literal(name) + "\n" + std::string(source);
    if (!unit.ends_with('\n')) unit += '\n';
    if (force_device) unit += "#pragma clang force_cuda_host_device end\n";
    for (std::size_t i = 0; i < expressions.size(); ++i) unit += variable_of(i, expressions[i]);
    return unit;
}

std::vector<std::optional<std::string>> take_lowered_names(std::string& ptx, std::size_t expressions) {
    std::vector<std::optional<std::string>> names(expressions);
    std::string kept;
    std::string_view rest = ptx;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end);
        const std::size_t at = line.find(kVariable);
        const bool defines = at != line.npos && line.find(".global") < at && line.find('=') != line.npos;
        if (!defines) {
            kept += line;
            continue;
        }
        std::size_t number = expressions;
        std::from_chars(line.data() + at + kVariable.size(), line.data() + line.size(), number);
        if (std::string value = initial_value(line); number < expressions && !value.empty())
            names[number] = std::move(value);
    }
    ptx = std::move(kept);
    return names;
}

bool calls_unknown_functions(std::string_view ptx) {
    static constexpr std::string_view kOfDevices[] = {"vprintf", "__assertfail", "malloc", "free"};
    constexpr std::string_view kMark = ".extern .func";
    for (std::size_t at = ptx.find(kMark); at != ptx.npos; at = ptx.find(kMark, at + 1)) {
        // A result in parentheses stands before the name.
        std::string_view rest = without_blanks(ptx.substr(at + kMark.size()));
        if (rest.starts_with('(')) rest = without_blanks(rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1));
        const std::string_view name = rest.substr(0, rest.find_first_of(" \t\n("));
        if (std::find(std::begin(kOfDevices), std::end(kOfDevices), name) == std::end(kOfDevices)) return true;
    }
    return false;
}

std::string with_source_file(std::string ptx, const std::string& name, const fs::path& kept) {
    std::error_code failed;
    const std::string whole = (fs::current_path(failed) / name).string();
    constexpr std::string_view kMark = "\n\t.file\t", kOther = "\n.file\t";
    for (const std::string_view mark : {kMark, kOther})
        for (std::size_t at = ptx.find(mark); at != std::string::npos; at = ptx.find(mark, at + 1)) {
            const std::size_t open = ptx.find('"', at), line = ptx.find('\n', at + 1);
            const std::size_t close = open == std::string::npos ? open : ptx.find('"', open + 1);
            if (close == std::string::npos || close > line) continue;
            const std::string file = ptx.substr(open + 1, close - open - 1);
            if (file == name || file == whole) ptx.replace(open + 1, file.size(), kept.string());
        }
    return ptx;
}

std::optional<fs::path> rtc_header_path(const fs::path& folder, const std::string& name) {
    if (name.empty() || name.find('\0') != std::string::npos || name.find('\n') != std::string::npos)
        return std::nullopt;
    if (fs::path(name).is_absolute()) return std::nullopt;
    const fs::path path = (folder / kRtcFolders / name).lexically_normal();
    const fs::path below = path.lexically_relative(folder);
    if (below.empty() || *below.begin() == ".." || !path.has_filename()) return std::nullopt;
    return path;
}

std::string rtc_file_name(const std::string& name) {
    std::string made = fs::path(name).filename().string();
    for (char& c : made) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!plain && c != '.' && c != '_' && c != '-' && c != '+') c = '_';
    }
    constexpr std::size_t kLongest = 100;
    if (made.size() > kLongest) made.resize(kLongest);
    return made.empty() || made == "." || made == ".." ? "default_program" : made;
}

}  // namespace tilescope::image
