#include "scope/session/launch/trace_arrays.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>

#include "scope/base/names.h"
#include "scope/session/demangle.h"

namespace tilescope {
namespace {

using machine::Space;
using observers::TraceArray;

struct ElementType {
    std::string_view name;
    std::uint32_t bytes;
    bool is_float;
};

constexpr ElementType kTypes[] = {
    {"float", 4, true},          {"double", 8, true},          {"int", 4, false},
    {"unsigned int", 4, false},  {"unsigned", 4, false},       {"long", 8, false},
    {"unsigned long", 8, false}, {"long long", 8, false},      {"unsigned long long", 8, false},
    {"short", 2, false},         {"unsigned short", 2, false}, {"char", 1, false},
    {"signed char", 1, false},   {"unsigned char", 1, false},  {"bool", 1, false},
    {"__half", 2, false},        {"half", 2, false},           {"__nv_bfloat16", 2, false},
    {"float2", 4, true},         {"float4", 4, true},          {"double2", 8, true},
    {"int2", 4, false},          {"int4", 4, false},           {"uint2", 4, false},
    {"uint4", 4, false},         {"int32_t", 4, false},        {"uint32_t", 4, false},
    {"int64_t", 8, false},       {"uint64_t", 8, false},       {"size_t", 8, false},
    {"uint8_t", 1, false},       {"int8_t", 1, false},         {"uint16_t", 2, false},
};

// "float const*" and "float" to float; vectors count by their components, as loads do.
const ElementType* element_type(std::string type) {
    for (const std::string_view drop :
         {" const", "const ", " volatile", "std::", "std : : ", " __restrict__", "*", "&"})
        for (std::size_t at = type.find(drop); at != std::string::npos; at = type.find(drop))
            type.erase(at, drop.size());
    while (!type.empty() && type.back() == ' ') type.pop_back();
    const auto* found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                     [&](const ElementType& known) { return known.name == type; });
    return found == std::end(kTypes) ? nullptr : found;
}

bool is_byte(const std::string& type) {
    const ElementType* known = element_type(type);
    return known != nullptr && known->bytes == 1;
}

// "tiled<2>(float const*)::Mds" to "Mds".
std::string variable_name(const std::string& mangled) {
    std::string name = demangled(mangled);
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == ')' || name[i] == '>') ++depth;
        if (name[i] == '(' || name[i] == '<') --depth;
        if (depth == 0 && i > 0 && name[i] == ':' && name[i - 1] == ':') return name.substr(i + 1);
    }
    return name;
}

std::uint64_t product(const std::vector<std::uint64_t>& shape) {
    std::uint64_t all = 1;
    for (std::uint64_t size : shape) all *= size;
    return all;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (std::uint64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text;
}

// Where the kernel's source may be: the files that the program names, and their likes where the user says to look.
std::vector<std::string> source_files(const Settings& settings, const machine::Program& program) {
    std::vector<std::string> files;
    for (const std::string& file : program_files(settings, program)) {
        files.push_back(file);
        if (!settings.options.trace) continue;
        for (const std::string& directory : settings.options.trace->source_directories)
            files.push_back((std::filesystem::path(directory) / std::filesystem::path(file).filename()).string());
    }
    return files;
}

class Arrays {
public:
    Arrays(const Prepared& launch, const machine::Program& program, std::span<const std::byte> arguments,
           std::uint64_t dynamic_shared_bytes)
        : launch_(launch),
          kernel_(launch.kernel),
          program_(program),
          arguments_(arguments),
          dynamic_shared_bytes_(dynamic_shared_bytes),
          source_(known_source(kernel_, source_files(launch.settings, program))) {}

    Result<TraceArrays> run(const std::vector<TraceShape>& shapes) {
        add_arguments();
        add_variables();
        add_shared();
        for (const TraceShape& shape : shapes)
            if (Status done = apply(shape); !done) return done.errors();
        return std::move(made_);
    }

private:
    std::vector<TraceArray>& arrays() { return made_.names.arrays; }

    void set_type(TraceArray& array, const std::string& type) {
        if (const ElementType* known = element_type(type)) {
            array.shown.element_bytes = known->bytes;
            array.is_float = known->is_float;
        }
    }

    void add_arguments() {
        const auto& parameters = kernel_.info.parameters;
        const std::vector<std::string> types = parameter_types(kernel_.info.name);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            std::string name = source_ ? source_->parameters[i] : std::string();
            if (name.empty()) name = "arg" + std::to_string(i);
            made_.names.parameters.emplace_back(parameters[i].offset, name);
            const bool typed = types.size() == parameters.size();
            if (parameters[i].size != sizeof(std::uint64_t) || (typed && !types[i].ends_with('*'))) continue;
            std::uint64_t pointer = 0;
            if (parameters[i].offset + sizeof pointer > arguments_.size()) continue;
            std::memcpy(&pointer, arguments_.data() + parameters[i].offset, sizeof pointer);
            const auto allocation = launch_.memory.find(pointer);
            if (!allocation) continue;
            TraceArray array;
            array.shown.name = name;
            array.shown.space = PhaseSpace::kGlobal;
            array.base = pointer;
            array.low = allocation->base;
            array.high = allocation->base + allocation->size;
            array.shown.bytes = array.high - pointer;
            if (typed) set_type(array, types[i]);
            arrays().push_back(std::move(array));
        }
    }

    void add_variables() {
        for (const std::string& name : program_.module_variables) {
            const auto variable = launch_.module.find_variable(name);
            if (!variable) continue;
            TraceArray array;
            array.shown.name = variable_name(name);
            array.shown.space = variable->is_constant ? PhaseSpace::kConstant : PhaseSpace::kGlobal;
            array.shown.bytes = variable->size;
            array.space = variable->is_constant ? Space::kConstant : Space::kGlobal;
            array.base = array.low = variable->address;
            array.high = variable->address + variable->size;
            arrays().push_back(std::move(array));
        }
    }

    void add_shared() {
        std::vector<std::pair<std::size_t, TraceArray>> found;
        for (const machine::SharedVariable& variable : program_.shared_variables) {
            TraceArray array;
            array.shown.name = variable_name(variable.name);
            array.shown.space = PhaseSpace::kShared;
            array.shown.bytes = variable.bytes != 0 ? variable.bytes : dynamic_shared_bytes_;
            array.space = Space::kShared;
            array.base = array.low = variable.offset;
            array.high = array.low + array.shown.bytes;
            std::size_t place = source_ ? source_->shared.size() : 0;
            for (std::size_t i = 0; source_ && i < source_->shared.size(); ++i) {
                const image::SharedDeclaration& declared = source_->shared[i];
                if (declared.name != array.shown.name) continue;
                place = i;
                // A dynamic array of bytes is raw storage: its elements are what the kernel makes of them.
                if (variable.bytes != 0 || !is_byte(declared.type)) set_type(array, declared.type);
                if (product(declared.shape) * array.shown.element_bytes == array.shown.bytes)
                    array.shown.shape = declared.shape;
                break;
            }
            found.emplace_back(place, std::move(array));
        }
        // Where the source does not tell, names have an order that no compiler changes.
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return std::tie(a.first, a.second.shown.name) < std::tie(b.first, b.second.shown.name);
        });
        for (auto& [place, array] : found) arrays().push_back(std::move(array));
    }

    Diagnostic unknown(const std::string& name) {
        std::string known;
        for (const TraceArray& array : arrays()) known += (known.empty() ? "" : ", ") + array.shown.name;
        return error("trace-shape", {}, "--shape: there is no array \"" + name + "\" in " + kernel_.info.name,
                     known.empty() ? "it has none" : "it has " + known);
    }

    Status apply(const TraceShape& wanted) {
        const std::string& name = wanted.within.empty() ? wanted.name : wanted.within;
        if (wanted.pitch != 0)
            return error("trace-shape", {}, "--shape: a trace does not know rows that begin apart: " + to_text(wanted),
                         "give the pitch as the number of columns");
        const auto found = std::find_if(arrays().begin(), arrays().end(),
                                        [&](const TraceArray& array) { return array.shown.name == name; });
        if (found == arrays().end()) return unknown(name);
        if (wanted.offset >= found->shown.bytes && wanted.offset != 0)
            return error("trace-shape", {}, "--shape: " + to_text(wanted) + " begins behind the end of " + name);
        const std::uint64_t room = found->shown.bytes - wanted.offset, elements = product(wanted.shape);
        std::uint32_t element = found->shown.element_bytes;
        // A part of raw storage: the first accesses will tell.
        const bool measured = element == 0 && !wanted.within.empty();
        if (element == 0 && !measured && room % elements == 0) element = static_cast<std::uint32_t>(room / elements);
        if (elements > room / std::max(1u, element))
            return error("trace-shape", {},
                         "--shape: " + to_text(wanted) + " has " + std::to_string(elements * std::max(1u, element)) +
                             " bytes, but only " + std::to_string(room) + " are there",
                         "its elements have " + std::to_string(std::max(1u, element)) + " bytes each");
        const std::uint64_t bytes = elements * element;
        if (!wanted.within.empty()) {
            TraceArray part = *found;
            part.is_part = true;
            part.shown.name = wanted.name;
            part.shown.shape = wanted.shape;
            part.shown.element_bytes = element;
            part.shown.bytes = bytes;
            part.base = part.low = found->base + wanted.offset;
            part.high = measured ? found->high : part.low + bytes;
            arrays().push_back(std::move(part));
            return Success{};
        }
        found->shown.shape = wanted.shape;
        found->shown.element_bytes = element;
        if (bytes < found->shown.bytes)
            made_.warnings.push_back({Severity::kWarning,
                                      "trace-shape",
                                      {},
                                      "--shape: " + name + " has " + std::to_string(found->shown.bytes) + " bytes, " +
                                          shape_text(wanted.shape) + " are " + std::to_string(bytes),
                                      "elements beyond the shape are shown by their offset in bytes"});
        return Success{};
    }

    const Prepared& launch_;
    const Kernel& kernel_;
    const machine::Program& program_;
    std::span<const std::byte> arguments_;
    std::uint64_t dynamic_shared_bytes_;
    std::optional<image::KernelSource> source_;
    TraceArrays made_;
};

}  // namespace

Result<TraceArrays> trace_arrays(const Prepared& launch, const machine::Program& program) {
    const LaunchRequest& request = launch.request;
    return Arrays(launch, program, request.parameters, request.dynamic_shared_bytes)
        .run(launch.settings.options.trace->shapes);
}

TraceArrays named_arrays(const Prepared& launch) {
    return Arrays(launch, *launch.grid.program, launch.grid.parameters, 0).run({}).value();
}

}  // namespace tilescope
