#include "scope/base/diagnostic.h"

#include "scope/base/safe_text.h"

namespace tilescope {
namespace {

const char* name_of(Severity severity) {
    switch (severity) {
        case Severity::kNote: return "note";
        case Severity::kWarning: return "warning";
        case Severity::kError: return "error";
    }
    return "error";
}

}  // namespace

std::string render(const Diagnostic& diagnostic) {
    std::string text;
    const SourceLocation& at = diagnostic.location;
    if (!at.file.empty()) {
        text += safe_text(at.file);
        if (at.line != 0) text += ":" + std::to_string(at.line);
        if (at.column != 0) text += ":" + std::to_string(at.column);
        text += ": ";
    }
    text += std::string(name_of(diagnostic.severity)) + ": " + safe_text(diagnostic.message, LineFeeds::kKeep);
    if (!diagnostic.code.empty()) text += " [" + diagnostic.code + "]";
    if (!diagnostic.hint.empty()) text += "\n  hint: " + safe_text(diagnostic.hint, LineFeeds::kKeep);
    return text;
}

std::string render(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic) + "\n";
    return text;
}

}  // namespace tilescope
