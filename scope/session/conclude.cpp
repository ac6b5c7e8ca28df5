#include "scope/session/conclude.h"

#include <string>
#include <vector>

#include "scope/models/advice.h"
#include "scope/models/roofline.h"
#include "scope/session/variables.h"

namespace tilescope {
namespace {

// Observers name variables as the PTX does, a profile names them as the source does.
void name_variables(LaunchProfile& launch) {
    std::vector<std::string*> places;
    for (SharedReuse& shared : launch.shared_reuse) places.push_back(&shared.name);
    for (BufferReuse& buffer : launch.buffers) places.push_back(&buffer.name);
    std::erase_if(places, [](const std::string* name) { return name->empty(); });
    std::vector<std::string> mangled;
    mangled.reserve(places.size());
    for (const std::string* name : places) mangled.push_back(*name);
    const std::vector<std::string> names = source_names(mangled);
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = names[i];
}

}  // namespace

void conclude(const models::Device& device, const machine::Program& program, const LoadedModule& module,
              LaunchProfile& launch) {
    name_variables(launch);
    launch.variables = list_variables(program, module, launch);
    launch.advice = models::advise(launch, device);
    launch.roofline = models::roofline(device, launch);
}

}  // namespace tilescope
