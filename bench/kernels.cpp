#include "bench/kernels.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/places.h"

namespace tilescope::bench {

namespace {

[[noreturn]] void give_up(const std::string& reason) {
    std::cerr << reason << '\n';
    std::exit(1);
}

}  // namespace

std::string kernel_text(const std::string& name) {
    const std::string path = source_dir() + "/bench/kernels/" + name + ".ptx";
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || text.str().empty()) give_up("cannot read " + path);
    return text.str();
}

KernelRun::KernelRun(const std::string& file, const std::string& entry, unsigned jobs) {
    SessionOptions options;
    options.jobs = jobs;
    session_ = required(Session::create(options));
    const ModuleId module = required(session_->load_module(kernel_text(file), file + ".ptx"));
    const std::optional<KernelId> kernel = session_->find_kernel(module, entry);
    if (!kernel) give_up("no kernel " + entry + " in " + file + ".ptx");
    kernel_ = *kernel;
}

float* KernelRun::floats(std::size_t n, float value) {
    float* const device = static_cast<float*>(storage(n * sizeof(float)));
    float* const values = reinterpret_cast<float*>(session_->memory().bytes(device));
    std::fill(values, values + n, value);
    return device;
}

void* KernelRun::storage(std::size_t bytes) {
    void* const device = session_->memory().allocate(bytes, machine::AllocationKind::kDevice);
    if (device == nullptr) give_up("no memory for " + std::to_string(bytes) + " bytes");
    return device;
}

void KernelRun::launch(Dim3 grid, Dim3 block) {
    LaunchRequest request;
    request.kernel = kernel_;
    request.grid = grid;
    request.block = block;
    request.parameters = parameters_;
    const LaunchResult result = session_->launch(request);
    if (result.status == LaunchStatus::kOk) return;
    give_up(result.hazard ? result.hazard->message : render(result.diagnostics));
}

std::uint64_t KernelRun::counted(Counter counter) const {
    return session_->profile().launches.back().counters[counter];
}

void KernelRun::place(const KernelParameter& at, const void* value, std::size_t size) {
    if (at.size != size) give_up("parameter " + at.name + " takes " + std::to_string(at.size) + " bytes");
    std::memcpy(parameters_.data() + at.offset, value, size);
}

}  // namespace tilescope::bench
