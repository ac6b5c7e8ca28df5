// `tilescope pattern`: which banks and sectors an index sends a warp's lanes to, with no kernel and no compiler.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/pattern_answer.h"
#include "scope/cli/run_options.h"
#include "scope/cli/values.h"
#include "scope/explore/pattern.h"

namespace tilescope::cli {
namespace {

constexpr const char* kIndexGroup = "The index";
constexpr const char* kArrayGroup = "The array";

// As typed; empty where nothing was.
struct PatternCommand {
    std::string index, block, warp, element, width, pad, swizzle, offset, strides;
    std::vector<std::string> names;
    std::string json, sectors_svg, banks_svg, color = "auto";
    bool stores = false, verbose = false;
};

struct PatternBounds {
    const char* option;
    std::int64_t least, most;
};

Result<std::int64_t> whole_within(const std::string& text, const PatternBounds& bounds) {
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed == std::errc() && end == text.data() + text.size() && value >= bounds.least && value <= bounds.most)
        return value;
    return error("cli-value", {}, std::string(bounds.option) + ": cannot use \"" + text + "\"",
                 "write a whole number from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most));
}

template <class Into>
void take_within(const std::string& text, const PatternBounds& bounds, Into& into, Diagnostics& errors) {
    std::int64_t value = 0;
    if (text.empty()) return;
    const std::size_t before = errors.size();
    take(whole_within(text, bounds), value, errors);
    if (errors.size() == before) into = static_cast<Into>(value);
}

void take_name(const std::string& text, explore::PatternQuestion& question, Diagnostics& errors) {
    constexpr std::int64_t kHighest = 0x7fffffff;
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const bool is_word =
        !name.empty() && (name[0] < '0' || name[0] > '9') &&
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
    if (equals == std::string::npos || !is_word) {
        errors.push_back(
            error("cli-value", {}, "-D: cannot use \"" + text + "\"", "write NAME=NUMBER, such as -D k=3"));
        return;
    }
    std::int64_t value = 0;
    const std::size_t before = errors.size();
    take(whole_within(text.substr(equals + 1), {"-D", -kHighest, kHighest}), value, errors);
    if (errors.size() == before) question.names.emplace_back(name, value);
}

Result<explore::PatternQuestion> question_of(const PatternCommand& command) {
    constexpr std::int64_t kWidest = 16, kLastWarp = 31, kFarthest = 1 << 30;
    explore::PatternQuestion question;
    Diagnostics errors;
    question.index = command.index;
    question.stores = command.stores;
    question.swizzle = command.swizzle;
    take_within(command.element, {"--element", 1, kWidest}, question.element_bytes, errors);
    take_within(command.warp, {"--warp", 0, kLastWarp}, question.warp, errors);
    take_within(command.width, {"--width", 1, explore::kMaxWidth}, question.width, errors);
    take_within(command.pad, {"--pad", 0, explore::kMaxPad}, question.pad, errors);
    take_within(command.offset, {"--offset", 0, kFarthest}, question.offset_bytes, errors);
    for (const std::string& name : command.names) take_name(name, question, errors);
    if (!command.block.empty()) {
        Dim3 block{};
        const std::size_t before = errors.size();
        take(parse_dimensions(command.block, "--block"), block, errors);
        if (errors.size() == before && block[2] != 1)
            errors.push_back(error("cli-value", {}, "--block: an index is of blocks of one or two dimensions"));
        question.block_x = block[0];
        question.block_y = block[1];
    }
    if (!command.strides.empty()) {
        const auto range = parse_range(command.strides, "--strides", "stride", 0);
        if (!range) {
            errors.insert(errors.end(), range.errors().begin(), range.errors().end());
        } else if (range->second > static_cast<std::uint64_t>(explore::kMaxStride) ||
                   range->second - range->first >= static_cast<std::uint64_t>(explore::kMaxStrideRows)) {
            errors.push_back(error("cli-value", {}, "--strides: cannot use \"" + command.strides + "\"",
                                   "at most " + std::to_string(explore::kMaxStrideRows) + " strides, up to " +
                                       std::to_string(explore::kMaxStride) + ": 1..33"));
        } else {
            question.strides = {static_cast<std::int64_t>(range->first), static_cast<std::int64_t>(range->second)};
        }
        if (question.index.empty()) question.index = "tid*stride";
    }
    if (question.index.empty() && errors.empty())
        errors.push_back(error("cli-usage", {}, "which index? give one in quotes, or --strides",
                               "tilescope pattern 'tid*17', or 'tid, 0' for a row and a column"));
    if (!errors.empty()) return errors;
    return question;
}

int run_pattern(const PatternCommand& command) {
    const auto question = question_of(command);
    if (!question) return complain(question.errors()), kUsage;
    const auto pattern = explore::explore_pattern(*question);
    if (!pattern) return complain(pattern.errors()), kUsage;
    bool prints = true;
    const std::pair<const std::string*, bool> pictures[] = {{&command.sectors_svg, false}, {&command.banks_svg, true}};
    for (const auto& [file, banks] : pictures) {
        if (file->empty()) continue;
        if (!pattern->strides.empty() || (banks && !pattern->cost.fits_shared))
            return complain(error("cli-usage", {}, "there is no such picture of this",
                                  "a table of strides has none, and banks serve what lies in shared memory")),
                   kUsage;
        if (const Status written = write_text(*file, pattern_svg(*pattern, banks)); !written)
            return complain(written.errors()), kUsage;
        prints = prints && *file != "-";
    }
    if (!command.json.empty()) {
        if (const Status written = write_text(command.json, pattern_json(*pattern)); !written)
            return complain(written.errors()), kUsage;
        prints = prints && command.json != "-";
    }
    // Where data goes to standard output, nothing else does.
    if (prints)
        std::cout << pattern_text(*pattern, {wants_color(command.color, STDOUT_FILENO), command.verbose}) << std::flush;
    return kRan;
}

}  // namespace

Action add_pattern(CLI::App& app) {
    auto command = std::make_shared<PatternCommand>();
    app.add_option(
        "INDEX", command->index,
        "index expression between [ and ], in elements, in C syntax: + - * / % << >> & | ^ ~ and parentheses, with "
        "tid, threadIdx.x, threadIdx.y, tx, ty, lane, warp, blockDim.x, blockDim.y, row and col (ty and tx), "
        "i (tid), width; two expressions separated by a comma: row and column of a two-dimensional array");
    const auto add = [&](const char* name, std::string& into, const char* text, const char* type, const char* group) {
        return app.add_option(name, into, text)->check(not_empty())->type_name(type)->group(group);
    };
    add("--block", command->block, "threads of the block (32,32)", "X[,Y]", kIndexGroup);
    add("--warp", command->warp, "which of the block's warps (0)", "N", kIndexGroup);
    app.add_option("-D,--define", command->names, "define a constant (repeat)")
        ->check(not_empty())
        ->type_name("NAME=NUMBER")
        ->group(kIndexGroup)
        ->allow_extra_args(false);
    add("--strides", command->strides, "a table over values of `stride` in INDEX ('tid*stride' without one)", "A..B",
        kIndexGroup);
    app.add_flag("--store", command->stores, "analyze a store instead of a load")->group(kIndexGroup);
    add("--element", command->element, "bytes of an element: 1, 2, 4, 8 or 16 (4)", "BYTES", kArrayGroup);
    add("--width", command->width,
        "elements per row: of a two-dimensional array (32), and of the rows that --pad extends (one row of banks)", "N",
        kArrayGroup);
    add("--pad", command->pad, "unused elements behind each row", "N", kArrayGroup);
    add("--swizzle", command->swizzle,
        "place of element i, such as 'i ^ (i >> 5 & 31)'; of a two-dimensional array the column: 'col ^ row'", "EXPR",
        kArrayGroup);
    add("--offset", command->offset, "where the array begins, in bytes behind a line's begin", "BYTES", kArrayGroup);
    app.add_option_function<std::string>(
           "--json", [command](const std::string& file) { command->json = file.empty() ? "-" : file; },
           "write everything as JSON to FILE; - for standard output")
        ->expected(0, 1)
        ->type_name("[FILE]")
        ->group(kOutputGroup);
    add("--svg", command->sectors_svg, "write lanes and sectors as a picture", "FILE", kOutputGroup);
    add("--banks-svg", command->banks_svg, "write lanes and banks as a picture", "FILE", kOutputGroup);
    app.add_flag("-v,--verbose", command->verbose, "show pictures in full")->group(kOutputGroup);
    add_color_option(app, command->color);
    app.footer(
        "Examples: tilescope pattern 'tid*17'\n"
        "          tilescope pattern 'tid, 0' --width 32 --pad 1\n"
        "          tilescope pattern --strides 1..33 --element 8");
    return [command](const Invocation&) { return run_pattern(*command); };
}

}  // namespace tilescope::cli
