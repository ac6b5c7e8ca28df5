// SourceText: the text of a source line, where its file can still be found.
//
// Guarantees: each file is read once; a file that is gone, huge or not text gives no lines rather than an error; lines
// come without control characters. Does not model: whether the file changed since it was compiled.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilescope::report {

class SourceText {
public:
    // Files are looked for under their recorded name, then by their last component in each of `directories`.
    explicit SourceText(std::vector<std::string> directories) : directories_(std::move(directories)) {}

    // Trimmed; "" when not known. Lines count from 1.
    std::string line(const std::string& file, std::uint32_t number);
    // All of them with their indents, tabs as spaces; none when the file is not known.
    const std::vector<std::string>& lines(const std::string& file);

private:
    std::vector<std::string> directories_;
    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace tilescope::report
