// What people do with the table of what hardware gave (tests/truth/isa/h200.tsv).
//
//   --propose OPCODE    prints new lines for the rows of an opcode, to be looked at and put into the table
//   --kernels FOLDER    writes the kernels of all lines there, for scripts/measure_isa_table.py on a GPU
//   --fill              puts the emulator's outputs into the lines marked `ours`; there is no way to do that to others
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/truth/isa/emulate.h"
#include "tests/truth/isa/kernels.h"
#include "tests/truth/isa/propose.h"

namespace tilescope::truth {
namespace {

bool write(const std::string& path, const std::string& text) {
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.flush();
    if (!stream) std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
    return bool(stream);
}

int write_kernels(const Table& table, const std::string& folder) {
    std::map<std::string, std::vector<const Line*>> files;
    for (const Line& line : table.lines) files[opcode_of(line)].push_back(&line);
    for (const auto& [opcode, lines] : files) {
        const bool library = opcode == "device_library";
        if (!write(folder + "/" + opcode + (library ? ".cu" : ".ptx"), library ? cuda_for(lines) : ptx_for(lines)))
            return 1;
    }
    return 0;
}

int fill(Table table, const std::string& path) {
    std::vector<Line> ours;
    for (const Line& line : table.lines)
        if (line.origin == Origin::kOurs) ours.push_back(line);
    for (const Line& line : ours) {
        const Line* one = &line;
        const Answers answers = emulate({&one, 1}, 1);
        if (!answers.problem.empty()) {
            std::fprintf(stderr, "%s\n", answers.problem.c_str());
            return 1;
        }
        if (const auto text = with_outputs(table, line, answers.outputs.at(line.number))) table.text = *text;
    }
    std::printf("%zu lines of ours filled\n", ours.size());
    return write(path, table.text) ? 0 : 1;
}

}  // namespace
}  // namespace tilescope::truth

int main(int argc, char** argv) {
    using namespace tilescope::truth;
    const std::string path = table_file(), what = argc > 1 ? argv[1] : "";
    const bool takes_more = what == "--propose" || what == "--kernels";
    if (argc != (takes_more ? 3 : 2) || (!takes_more && what != "--fill")) {
        std::fprintf(stderr, "usage: %s --propose OPCODE | --kernels FOLDER | --fill\n", argv[0]);
        return 2;
    }
    const Table table = read_table(text_of_file(path));
    for (const std::string& problem : table.problems) std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.c_str());
    if (!table.problems.empty()) return 1;
    if (what == "--kernels") return write_kernels(table, argv[2]);
    if (what == "--fill") return fill(table, path);
    const std::string lines = propose(table, argv[2]);
    if (lines.empty()) std::fprintf(stderr, "no row has the opcode %s, or the table has all of it\n", argv[2]);
    std::fputs(lines.c_str(), stdout);
    return lines.empty() ? 1 : 0;
}
