#include "tiles/plan/tuning_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "tiles/plan/registry.h"

namespace tiles {
namespace {

constexpr size_t kMaxBytes = 64 * 1024;  // a file that is longer is none of ours

const char* environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && value[0] != '\0' ? value : nullptr;
}

// The first bytes of a file up to the end of its last whole line.
std::string whole_lines(std::istream& in) {
    std::string text(kMaxBytes, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(in.gcount()));
    const size_t end = text.rfind('\n');
    text.resize(end == std::string::npos ? 0 : end + 1);
    return text;
}

bool parse(const std::string& line, TunedKernel* out) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string name, more;
    if (!(words >> name >> out->efficiency >> out->fixed_us) || words >> more) return false;
    out->kernel = find_kernel(name.c_str());
    return out->kernel != nullptr && out->efficiency > 0 && out->efficiency <= 1.5 && out->fixed_us >= 0 &&
           out->fixed_us < 1e4;
}

const TunedKernel* find(const TunedKernel* tuned, int count, const Kernel* kernel) {
    for (int i = 0; i < count; ++i) {
        if (tuned[i].kernel == kernel) return &tuned[i];
    }
    return nullptr;
}

}  // namespace

std::string tuning_path() {
    if (const char* path = environment("TILES_TUNING")) return path;
    if (const char* cache = environment("XDG_CACHE_HOME")) return std::string(cache) + "/tiles/tuning.txt";
    if (const char* home = environment("HOME")) return std::string(home) + "/.cache/tiles/tuning.txt";
    return {};
}

bool write_tuning(const std::string& path, const std::string& device, const std::vector<TunedKernel>& kernels) {
    const std::string unfinished = path + ".new";
    std::ofstream out(unfinished);
    out.imbue(std::locale::classic());
    out << device << '\n';
    for (const TunedKernel& one : kernels)
        out << one.kernel->name << ' ' << one.efficiency << ' ' << one.fixed_us << '\n';
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(unfinished, path, error);
    return out && !error;
}

std::vector<TunedKernel> read_tuning(std::istream& in, const std::string& device) {
    std::istringstream lines(whole_lines(in));
    std::vector<TunedKernel> found;
    std::string line;
    if (!std::getline(lines, line) || line != device) return found;
    while (std::getline(lines, line)) {
        TunedKernel one;
        if (!parse(line, &one)) continue;
        if (find(found.data(), static_cast<int>(found.size()), one.kernel) == nullptr) found.push_back(one);
    }
    return found;
}

void load_tuning(const std::string& name, DeviceProperties* device) noexcept try {
    std::ifstream in(tuning_path(), std::ios::binary);
    if (!in) return;
    auto found = std::make_unique<std::vector<TunedKernel>>(read_tuning(in, name));
    if (found->empty()) return;
    device->tuned = found->data(), device->tuned_count = static_cast<int>(found->size());
    (void)found.release();  // as long as the device's properties, which is until the process ends
} catch (...) {
    device->tuned = nullptr, device->tuned_count = 0;  // no memory: the rows' own figures will do
}

TunedKernel tuned_figures(const Kernel& kernel, const DeviceProperties& device) {
    const TunedKernel* tuned = find(device.tuned, device.tuned_count, &kernel);
    return tuned != nullptr ? *tuned : TunedKernel{&kernel, kernel.figures.efficiency, kernel.figures.fixed_us};
}

}  // namespace tiles
