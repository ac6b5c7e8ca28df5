#include "scope/image/device_link.h"

#include <algorithm>
#include <unordered_map>

#include "scope/image/fatbinary.h"
#include "scope/image/text_lines.h"

namespace tilescope::image {
namespace {

// What LLVM writes names of without quotes.
constexpr std::string_view kOfName = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$._-";

constexpr std::string_view kRegister = "@__cudaRegisterLinkedBinary";

// As a string of C and of the assembler.
std::string literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\n') out += "\\n";
        if (c == '"' || c == '\\') out += '\\';
        if (c != '\n') out += c;
    }
    return out + '"';
}

}  // namespace

std::string with_static_names(std::string_view llvm_ir) {
    constexpr std::string_view kMark = "__static__";
    std::unordered_map<std::string_view, std::string_view>
        names;  // old to new, "@_ZL5calls" to "@_ZL5calls__static__1f"
    each_line(llvm_ir, [&](std::string_view line) {
        const std::string_view name = line.starts_with('@') ? line.substr(0, line.find(" = ")) : std::string_view();
        const std::size_t mark = name.rfind(kMark);
        if (mark != std::string_view::npos) names.emplace(name.substr(0, mark), name);
    });
    if (names.empty()) return std::string(llvm_ir);
    std::string out;
    out.reserve(llvm_ir.size());
    each_line(llvm_ir, [&](std::string_view line) {
        if (names.count(line.substr(0, std::min(line.find(" = external "), line.size()))) != 0) return;
        for (std::size_t at = line.find('@'); at != std::string_view::npos; at = line.find('@')) {
            const std::size_t end = std::min(line.find_first_not_of(kOfName, at + 1), line.size());
            const auto found = names.find(line.substr(at, end - at));
            out += line.substr(0, at);
            out += found == names.end() ? line.substr(at, end - at) : found->second;
            line.remove_prefix(end);
        }
        out += line;
        out += '\n';
    });
    return out;
}

std::string registering_function(std::string_view host_ir) {
    const std::size_t at = host_ir.find(kRegister);
    const std::size_t end = at == std::string_view::npos ? at : host_ir.find('(', at);
    return end == std::string_view::npos ? std::string() : std::string(host_ir.substr(at + 1, end - at - 1));
}

std::string registration_source(const std::vector<std::string>& functions, const std::filesystem::path& container) {
    const std::string assembly = ".section .nv_fatbin, \"a\"\n.balign 16\ntilescope_linked_code:\n.incbin " +
                                 literal(container.string()) + "\n.text\n";
    std::string text = "__asm__(" + literal(assembly) + ");" + R"(
extern const char code[] __asm__("tilescope_linked_code");
void** __cudaRegisterFatBinary(const void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
int atexit(void (*)(void));
static const struct { int magic, version; const char* container; const void* prelinked; } wrapper
    __attribute__((section(".nvFatBinSegment"), aligned(8), used)) = {)" +
                       std::to_string(kFatbinWrapperMagic) + R"(, 1, code, 0};
static void** module;
static void unregister(void) { __cudaUnregisterFatBinary(module); }
static void add(void (*file)(void**)) {
    if (module == 0) {
        module = __cudaRegisterFatBinary(&wrapper);
        atexit(unregister);
    }
    file(module);
}
// What is linked behind all files is constructed behind them: of a library's members nobody knows how many there are.
__attribute__((constructor)) static void end(void) {
    if (module != 0) __cudaRegisterFatBinaryEnd(module);
}
)";
    for (const std::string& function : functions)
        text += "void " + function + "(void (*file)(void**), void* a, void* b, void* c) { add(file); }\n";
    return text;
}

}  // namespace tilescope::image
