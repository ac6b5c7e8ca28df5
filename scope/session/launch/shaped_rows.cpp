#include "scope/session/launch/shaped_rows.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "scope/observers/hazards/index_range.h"
#include "scope/session/launch/trace_arrays.h"

namespace tilescope {
namespace {

using observers::ShapedRows;
using observers::TraceArray;

// What accesses of that array count from.
machine::PointerSource pointer_source_of(const TraceArrays& arrays, const TraceArray& array) {
    for (const auto& [offset, name] : arrays.names.parameters)
        if (name == array.shown.name) return {true, offset};
    return {false, array.base};
}

std::optional<ShapedRows> rows_of(const TraceShape& shape, const TraceArrays& arrays, const TraceArray& array,
                                  std::string& why_not) {
    ShapedRows rows;
    rows.source = pointer_source_of(arrays, array);
    rows.base = array.base;
    rows.name = array.shown.name;
    rows.option = "--shape " + to_text(shape);
    rows.count = 1;
    for (std::size_t i = 0; i + 1 < shape.shape.size(); ++i) rows.count *= shape.shape[i];
    const std::uint64_t columns = shape.shape.back(), pitch = std::max(shape.pitch, columns);
    const std::uint64_t elements = (rows.count - 1) * pitch + columns, room = array.shown.bytes;
    rows.element = array.shown.element_bytes;
    if (rows.element == 0 && elements != 0 && room % (rows.count * pitch) == 0)
        rows.element = static_cast<std::uint32_t>(room / (rows.count * pitch));
    if (rows.element == 0) {
        why_not = "how large its elements are is not known";
        return std::nullopt;
    }
    if (elements > room / rows.element) {
        why_not = fmt::format("it has {} bytes, and the shape {}", room, elements * rows.element);
        return std::nullopt;
    }
    rows.bytes = columns * rows.element;
    rows.pitch = pitch * rows.element;
    return rows;
}

}  // namespace

std::vector<ShapedRows> shaped_rows(const Prepared& launch, Recording& recording) {
    std::vector<ShapedRows> list;
    const std::vector<TraceShape>& shapes = launch.settings.options.shapes;
    if (shapes.empty()) return list;
    const TraceArrays arrays = named_arrays(launch);
    for (const TraceShape& shape : shapes) {
        const auto& known = arrays.names.arrays;
        const auto found = std::find_if(known.begin(), known.end(), [&](const TraceArray& array) {
            return array.shown.name == shape.name && array.space == machine::Space::kGlobal;
        });
        if (found == known.end()) continue;
        recording.used_shapes.insert(shape.name);
        std::string why_not;
        if (auto rows = rows_of(shape, arrays, *found, why_not))
            list.push_back(std::move(*rows));
        else
            recording.note_once({Diagnostic{
                Severity::kWarning,
                "check-shape",
                {},
                fmt::format("--shape {} is left out in kernel {}: {}", to_text(shape), launch.name(), why_not),
                {}}});
    }
    return list;
}

void add_derived_rows(const Prepared& launch, observers::HazardContext& context) {
    std::vector<ShapedRows> derived = observers::rows_by_index(launch.program, context);
    std::erase_if(derived, [&](const ShapedRows& rows) {
        return std::any_of(context.rows.begin(), context.rows.end(),
                           [&](const ShapedRows& given) { return given.source == rows.source; });
    });
    if (derived.empty()) return;
    const TraceArrays arrays = named_arrays(launch);
    for (ShapedRows& rows : derived) {
        for (const auto& [offset, name] : arrays.names.parameters)
            if (rows.source == machine::PointerSource{true, offset}) rows.name = name;
        context.rows.push_back(std::move(rows));
    }
}

void note_unused_shapes(const SessionOptions& options, Recording& recording) {
    for (const TraceShape& shape : options.shapes)
        if (!recording.used_shapes.contains(shape.name))
            recording.note_once({Diagnostic{
                Severity::kWarning,
                "check-shape",
                {},
                "--shape " + to_text(shape) + ": no kernel that was checked has a buffer \"" + shape.name + "\"",
                "name a parameter of the kernel, as in its source, or a __device__ variable"}});
}

}  // namespace tilescope
