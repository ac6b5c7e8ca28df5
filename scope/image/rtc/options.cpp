#include "scope/image/rtc/options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace tilescope::image {
namespace {

// What an option's value may be. kSwitch takes none; kNothing is an option without a part in PTX, whatever its value;
// kRefused is one of NVRTC's that is not supported here.
enum class Takes { kSwitch, kTruth, kNumber, kNumbers, kText, kNothing, kRefused };

struct Form {
    std::string_view long_name, short_name;  // "--fmad" and "-fmad"; either may be missing
    Takes takes;
    bool RtcOptions::*truth = nullptr;  // of kSwitch and kTruth: what it sets
    std::string_view why = {};          // of kRefused
};

constexpr std::string_view kIntermediate = "its result is code that only NVIDIA's linker reads";
constexpr std::string_view kLinking = "code that later links leave as it is has no PTX of its own";
constexpr std::string_view kWritesFile = "it writes a file beside the program";

constexpr Form kForms[] = {
    {"--gpu-architecture", "-arch", Takes::kText},
    {"--std", "-std", Takes::kText},
    {"--include-path", "-I", Takes::kText},
    {"--define-macro", "-D", Takes::kText},
    {"--undefine-macro", "-U", Takes::kText},
    {"--pre-include", "-include", Takes::kText},
    {"--dopt", "-dopt", Takes::kText},
    {"--fmad", "-fmad", Takes::kTruth, &RtcOptions::fuses},
    {"--ftz", "-ftz", Takes::kTruth, &RtcOptions::flushes},
    {"--prec-div", "-prec-div", Takes::kTruth, &RtcOptions::divides_exactly},
    {"--prec-sqrt", "-prec-sqrt", Takes::kTruth, &RtcOptions::takes_roots_exactly},
    {"--use_fast_math", "-use_fast_math", Takes::kSwitch, &RtcOptions::fast_math},
    {"--restrict", "-restrict", Takes::kSwitch, &RtcOptions::restricts},
    {"--device-as-default-execution-space", "-default-device", Takes::kSwitch, &RtcOptions::on_device_by_default},
    {"--disable-warnings", "-w", Takes::kSwitch},
    {"--diag-suppress", "-diag-suppress", Takes::kNumbers},
    {"--diag-warn", "-diag-warn", Takes::kNumbers},
    {"--diag-error", "-diag-error", Takes::kNumbers},
    // Line information is always there.
    {"--generate-line-info", "-lineinfo", Takes::kSwitch},
    {"--device-debug", "-G", Takes::kSwitch},
    {"--device-int128", "-device-int128", Takes::kSwitch},
    {"--extra-device-vectorization", "-extra-device-vectorization", Takes::kSwitch},
    {"--no-source-include", "-no-source-include", Takes::kSwitch},
    {"--no-cache", "-no-cache", Takes::kSwitch},
    {"--device-w", "-dw", Takes::kSwitch},
    {"--minimal", "-minimal", Takes::kSwitch},
    {"--fassociative-math", "-fassociative-math", Takes::kSwitch},
    {"--display-error-number", "-err-no", Takes::kSwitch},
    {"--no-display-error-number", "-no-err-no", Takes::kSwitch},
    {"--pch", "-pch", Takes::kSwitch},
    {"--maxrregcount", "-maxrregcount", Takes::kNumber},
    {"--ptxas-options", "-Xptxas", Takes::kNothing},
    {"--modify-stack-limit", "-modify-stack-limit", Takes::kNothing},
    {"--builtin-move-forward", "-builtin-move-forward", Takes::kNothing},
    {"--builtin-initializer-list", "-builtin-initializer-list", Takes::kNothing},
    {"--brief-diagnostics", "-brief-diag", Takes::kNothing},
    {"--split-compile", "-split-compile", Takes::kNothing},
    {"--device-stack-protector", "-device-stack-protector", Takes::kNothing},
    {"--create-pch", "-create-pch", Takes::kNothing},
    {"--use-pch", "-use-pch", Takes::kNothing},
    {"--pch-dir", "-pch-dir", Takes::kNothing},
    {"--pch-verbose", "-pch-verbose", Takes::kNothing},
    {"--pch-messages", "-pch-messages", Takes::kNothing},
    {"--instantiate-templates-in-pch", "-instantiate-templates-in-pch", Takes::kNothing},
    {"--optimization-info", "-opt-info", Takes::kNothing},
    {"--version-ident", "-dQ", Takes::kNothing},
    {"--discard-value-names", "-discard-value-names", Takes::kNothing},
    {"--jump-table-density", "-jtd", Takes::kNothing},
    {"--frandom-seed", "-frandom-seed", Takes::kNothing},
    {"--Ofast-compile", "-Ofc", Takes::kNothing},
    {"--relocatable-device-code", "-rdc", Takes::kTruth, &RtcOptions::relocatable},
    {"--device-c", "-dc", Takes::kSwitch, &RtcOptions::relocatable},
    {"--extensible-whole-program", "-ewp", Takes::kRefused, nullptr, kLinking},
    {"--dlink-time-opt", "-dlto", Takes::kRefused, nullptr, kIntermediate},
    {"--gen-opt-lto", "-gen-opt-lto", Takes::kRefused, nullptr, kIntermediate},
    {"--optix-ir", "-optix-ir", Takes::kRefused, nullptr, kIntermediate},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", Takes::kRefused, nullptr, "no PTX comes of it"},
    {"--device-float128", "-device-float128", Takes::kRefused, nullptr, "numbers of 128 bits are not supported"},
    {"--time", "-time", Takes::kRefused, nullptr, kWritesFile},
    {"--fdevice-time-trace", "-fdevice-time-trace", Takes::kRefused, nullptr, kWritesFile},
};

std::string_view without_ends(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

// "--fmad (-fmad)", as NVRTC names an option.
std::string both_names(const Form& form) {
    return std::string(form.long_name) + " (" + std::string(form.short_name) + ")";
}

struct FoundForm {
    const Form* form;
    std::optional<std::string_view> value;  // in the same word
};

// -I, -D and -U stand before their value without a sign between.
bool joins(const Form& form) { return form.short_name.size() == 2 && form.takes == Takes::kText; }

std::optional<FoundForm> find_form(std::string_view word) {
    for (const Form& form : kForms)
        for (const std::string_view name : {form.long_name, form.short_name}) {
            if (word == name) return FoundForm{&form, std::nullopt};
            if (!word.starts_with(name)) continue;
            const std::string_view rest = word.substr(name.size());
            if (name == form.short_name && joins(form)) return FoundForm{&form, without_ends(rest)};
            if (rest.front() == '=') return FoundForm{&form, without_ends(rest.substr(1))};
        }
    return std::nullopt;
}

std::optional<int> number_in(std::string_view text) {
    int number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool is_name(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (text.empty() || !letter(text.front())) return false;
    return std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

class OptionReader {
public:
    OptionReader(std::span<const int> known, unsigned default_sm) : known_(known) { reading_.options.sm = default_sm; }

    RtcReading read(std::span<const std::string> words) {
        for (std::size_t i = 0; i < words.size() && reading_.valid; ++i) {
            const std::string_view word = without_ends(words[i]);
            const auto found = find_form(word);
            if (!found) {
                fail("unrecognized option " + std::string(word) + " found");
                break;
            }
            std::optional<std::string_view> value = found->value;
            const Takes takes = found->form->takes;
            const bool wants = takes != Takes::kSwitch && takes != Takes::kRefused;
            // --std is the one that has its value in the same word alone.
            if (wants && !value && found->form->long_name != "--std" && i + 1 < words.size())
                value = without_ends(words[++i]);
            take(*found->form, value);
        }
        return std::move(reading_);
    }

private:
    void fail(const std::string& what) {
        reading_.valid = false;
        reading_.log += "nvrtc: error: " + what + "\n";
    }

    void take(const Form& form, std::optional<std::string_view> value) {
        switch (form.takes) {
            case Takes::kSwitch:
                if (value) return fail(both_names(form) + " does not accept any argument");
                if (form.truth != nullptr) reading_.options.*form.truth = true;
                if (form.short_name == "-w") reading_.options.warns = false;
                if (form.short_name == "-no-source-include") reading_.options.searches_source_folder = false;
                return;
            case Takes::kTruth:
                if (value != "true" && value != "false") return fail(both_names(form) + " expects true or false");
                reading_.options.*form.truth = value == "true";
                return;
            case Takes::kNumber:
                if (!value || !number_in(*value)) fail(both_names(form) + " expects an integer value");
                return;
            case Takes::kNumbers: return take_numbers(form, value.value_or(""));
            case Takes::kText: return take_text(form, value.value_or(""));
            case Takes::kNothing: return;
            case Takes::kRefused:
                return fail(both_names(form) + " is not supported by tilescope: " + std::string(form.why));
        }
    }

    void take_numbers(const Form& form, std::string_view list) {
        std::string_view rest = list;
        do {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            const auto number = number_in(without_ends(rest.substr(0, comma)));
            if (!number || *number <= 0)
                return fail(std::string(form.long_name) + " expects a non-zero positive integer value");
            reading_.options.severities.push_back(std::string(form.short_name) + "=" + std::to_string(*number));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        } while (!rest.empty());
    }

    void take_text(const Form& form, std::string_view value) {
        const std::string_view name = form.long_name;
        if (name == "--gpu-architecture") return take_architecture(value);
        if (name == "--std") return take_standard(value);
        if (name == "--dopt") {
            if (value != "on") fail("invalid argument for option " + both_names(form) + ": " + std::string(value));
            return;
        }
        // What becomes a line of source may be no more than one.
        if (value.find_first_of("\n\r") != value.npos || value.find('\0') != value.npos)
            return fail("the value of " + both_names(form) + " has a line feed in it");
        if (name == "--include-path") {
            if (!value.empty()) reading_.options.folders.emplace_back(value);
        } else if (name == "--pre-include") {
            if (value.empty() || value.find_first_of("\"\\") != value.npos)
                return fail("the value of " + both_names(form) + " is no file's name: " + std::string(value));
            reading_.options.included.emplace_back(value);
        } else {
            take_macro(form, value);
        }
    }

    void take_macro(const Form& form, std::string_view value) {
        if (form.short_name == "-U") {
            if (!is_name(value)) return fail("invalid macro name: " + std::string(value));
            reading_.options.macros += "#undef " + std::string(value) + "\n";
            return;
        }
        const std::size_t sign = std::min(value.find('='), value.size());
        const std::string_view head = value.substr(0, sign);
        if (!is_name(head.substr(0, head.find('(')))) return fail("invalid macro definition: " + std::string(value));
        const std::string_view body = sign == value.size() ? std::string_view("1") : value.substr(sign + 1);
        // A backslash at the end would take the next line in.
        if (body.ends_with('\\')) return fail("invalid macro definition: " + std::string(value));
        reading_.options.macros += "#define " + std::string(head) + " " + std::string(body) + "\n";
    }

    void take_architecture(std::string_view value) {
        RtcOptions& options = reading_.options;
        const std::string refused = "invalid value for --gpu-architecture (-arch)";
        const bool machine = value.starts_with("sm_");
        if (!machine && !value.starts_with("compute_")) return fail(refused);
        std::string_view number = value.substr(value.find('_') + 1);
        std::string suffix;
        if (!number.empty() && (number.back() == 'a' || number.back() == 'f')) {
            suffix = number.back();
            number.remove_suffix(1);
        }
        const auto sm = number_in(number);
        if (!sm || std::find(known_.begin(), known_.end(), *sm) == known_.end()) return fail(refused);
        constexpr int kFirstOfItsOwn = 90, kFirstFamily = 100;
        if ((suffix == "a" && *sm < kFirstOfItsOwn) || (suffix == "f" && *sm < kFirstFamily)) return fail(refused);
        if (!architecture_.empty() && architecture_ != number)
            warn("--gpu-architecture(-arch)", architecture_, std::string(number));
        architecture_ = number;
        options.sm = static_cast<unsigned>(*sm);
        options.suffix = suffix;
        options.machine_code = machine;
    }

    void take_standard(std::string_view value) {
        static constexpr std::string_view kKnown[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};
        if (value.empty()) return fail("unrecognized option -std found");
        if (std::find(std::begin(kKnown), std::end(kKnown), value) == std::end(kKnown))
            return fail("invalid value for --std(-std)");
        std::string& standard = reading_.options.standard;
        if (!standard.empty() && standard != value) warn("--std (-std)", standard, std::string(value));
        standard = value;
    }

    void warn(const std::string& option, const std::string& first, const std::string& then) {
        reading_.log +=
            "nvrtc: warning: \"" + option + "=" + first + "\" followed by \"" + option + "=" + then + "\"\n";
    }

    std::span<const int> known_;
    std::string architecture_;
    RtcReading reading_;
};

}  // namespace

RtcReading read_rtc_options(std::span<const std::string> words, std::span<const int> known, unsigned default_sm) {
    return OptionReader(known, default_sm).read(words);
}

}  // namespace tilescope::image
