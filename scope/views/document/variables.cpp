// A kernel's variables: where each lies, who sees it and how long, how many there are, who reads what it did not write.
#include <algorithm>

#include "scope/report/format.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

// One line of what the kernel names; empty when it names nothing.
std::string variables_summary(const LaunchProfile& launch) {
    std::string text;
    std::optional<VariableSpace> space;  // of the one before
    for (const Variable& variable : launch.variables) {
        if (variable.space == VariableSpace::kRegister) continue;
        const bool is_named = variable.space != VariableSpace::kLocal;
        if (!text.empty()) text += variable.space == space ? ", " : "; ";
        if (is_named && variable.space != space) text += std::string(name_of(variable.space)) + " ";
        space = variable.space;
        text += printable(variable.name) + " " + thousands(variable.bytes) + " B";
    }
    return text;
}

// "72 B × 1,024 = 74 kB"
std::string room_text(std::uint64_t bytes, std::uint64_t versions) {
    std::string text = thousands(bytes) + " B";
    if (versions == 1) return text;
    return text + " × " + thousands(versions) + " = " + with_prefix(static_cast<double>(bytes * versions)) + "B";
}

// "4x4" behind the name of an array.
std::string with_extents(std::string name, const std::vector<std::uint64_t>& extents) {
    for (const std::uint64_t extent : extents) name += "[" + std::to_string(extent) + "]";
    return name;
}

// What ends it: in the words of who has one, for a grid and the host share what lies beyond a block.
std::string_view lasts(VariableScope scope, VariableLifetime lifetime) {
    if (lifetime == VariableLifetime::kApplication) return "program";
    return name_of(scope);
}

struct Cells {
    std::string name;
    VariableSpace space;
    VariableScope scope;
    VariableLifetime lifetime;
    std::uint64_t bytes, versions;
    std::string read_by_others{};
};

Row variable_row(const Cells& cells) {
    return {.kind = RowKind::kFigures,
            .key = "variable",
            .label = printable(cells.name),
            .values = {{"space", std::string(name_of(cells.space)), Unit::kText},
                       {"scope", std::string(name_of(cells.scope)), Unit::kText},
                       {"lifetime", std::string(lasts(cells.scope, cells.lifetime)), Unit::kText},
                       {"room", room_text(cells.bytes, cells.versions), Unit::kText},
                       {"read_by_others", cells.read_by_others, Unit::kText},
                       {"bytes", cells.bytes, Unit::kBytes},
                       {"versions", cells.versions, Unit::kNone}}};
}

// Of the bytes that threads wrote there, those that another one read: why it lies there at all.
std::string read_by_others(const LaunchProfile& launch, const Variable& variable) {
    for (const SharedReuse& shared : launch.shared_reuse)
        if (variable.space == VariableSpace::kShared && shared.name == variable.name)
            return shared.written_bytes == 0 ? "not written"
                                             : percent(static_cast<double>(shared.read_by_others_bytes) /
                                                       static_cast<double>(shared.written_bytes));
    return {};
}

std::string buffer_name(const BufferReuse& buffer) {
    if (!buffer.name.empty()) return buffer.name;
    return buffer.parameter ? "arg" + std::to_string(*buffer.parameter) : std::string();
}

Row variables_table(const LaunchProfile& launch) {
    Row table{.kind = RowKind::kTable, .key = "variables", .label = "variables", .shown = Shown::kInFull};
    table.columns = {"name", "space", "scope", "lifetime", "bytes", "read by others"};
    const std::uint64_t threads = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2] * launch.block[0] *
                                  launch.block[1] * launch.block[2];
    const auto add = [&](const Cells& cells) { table.rows.push_back(variable_row(cells)); };
    bool automatic_done = false;
    const auto add_automatic = [&] {
        if (automatic_done) return;
        automatic_done = true;
        for (const AutomaticVariable& one : launch.automatic_variables)
            add({with_extents(one.name, one.extents), one.space, VariableScope::kThread, VariableLifetime::kGrid,
                 one.bytes, threads});
    };
    for (const Variable& variable : launch.variables) {
        // Behind the registers and the local memory that they are in.
        if (variable.space != VariableSpace::kRegister && variable.space != VariableSpace::kLocal) add_automatic();
        add({with_extents(variable.name, variable.extents), variable.space, variable.scope, variable.lifetime,
             variable.bytes, variable.versions, read_by_others(launch, variable)});
    }
    add_automatic();
    for (const BufferReuse& buffer : launch.buffers) {
        const std::string name = buffer_name(buffer);
        const bool is_listed = std::any_of(launch.variables.begin(), launch.variables.end(),
                                           [&](const Variable& variable) { return variable.name == name; });
        if (!name.empty() && !is_listed)
            add({name, VariableSpace::kGlobal, VariableScope::kGrid, VariableLifetime::kApplication, buffer.bytes, 1});
    }
    return table;
}

// How often each element that was loaded was asked for.
void add_asked(const LaunchProfile& launch, std::vector<Row>& rows) {
    Row row{.key = "requests_per_element", .label = "", .is_part = true, .shown = Shown::kInFull};
    for (const BufferReuse& buffer : launch.buffers) {
        const std::string name = printable(buffer_name(buffer));
        const auto requests = buffer.requests_per_element();
        if (!requests || name.empty()) continue;
        row.text += (row.text.empty() ? "requests per element: " : ", ") + name + " " + per_request(*requests);
        row.values.push_back({"requests_per_element", *requests, Unit::kTimes, {}, name});
    }
    if (!row.values.empty()) rows.push_back(std::move(row));
}

// Local arrays that the source has and that never leave registers, and the ones that do: the one question that a
// declaration alone does not answer.
void add_arrays(const LaunchProfile& launch, std::vector<Row>& rows) {
    std::string kept, local;
    for (const AutomaticVariable& one : launch.automatic_variables) {
        if (one.extents.empty()) continue;
        std::string& text = one.space == VariableSpace::kLocal ? local : kept;
        text += (text.empty() ? "" : ", ") + printable(with_extents(one.name, one.extents));
    }
    const auto add = [&](std::string text) {
        rows.push_back(
            {.key = "arrays", .label = "", .text = std::move(text), .is_part = true, .shown = Shown::kInFull});
    };
    if (!kept.empty()) add("in registers (all indices are constant after unrolling): " + kept);
    if (!local.empty()) add("in local memory (an index is known only at run time): " + local);
}

}  // namespace

void add_variables(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (launch.variables.empty() && launch.automatic_variables.empty()) return;
    if (std::string text = variables_summary(launch); !text.empty())
        rows.push_back({.key = "variables",
                        .label = "variables",
                        .text = std::move(text),
                        .may_cut = true,
                        .shown = Shown::kInShort});
    rows.push_back(variables_table(launch));
    add_arrays(launch, rows);
    add_asked(launch, rows);
}

}  // namespace tilescope::views
