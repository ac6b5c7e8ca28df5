#include "scope/cli/host_lines.h"

#include <map>

#include "scope/image/host_code.h"

namespace tilescope::cli {

namespace {

template <class Call>
void find_lines(std::vector<Call>& calls) {
    std::map<std::string, image::HostCode> known;
    for (Call& call : calls)
        for (const CodePlace& place : call.called_from) {
            if (call.line != 0 || place.module.empty()) continue;
            auto code = known.find(place.module);
            if (code == known.end()) code = known.emplace(place.module, image::HostCode::of_file(place.module)).first;
            const std::uint64_t address[] = {place.address};
            const auto line = code->second.own_line(address);
            if (!line || line->line == 0) continue;
            call.file = line->file;
            call.line = line->line;
        }
}

}  // namespace

void find_host_lines(std::vector<FailedCall>& calls) { find_lines(calls); }
void find_host_lines(std::vector<Transfer>& transfers) { find_lines(transfers); }

}  // namespace tilescope::cli
