#include "scope/models/device.h"

#include <algorithm>

#include "scope/base/files.h"
#include "scope/base/names.h"
#include "scope/models/embedded_devices.h"

namespace tilescope::models {
namespace {

// "NVIDIA GeForce RTX 4090", "RTX-4090" and "rtx4090" are one name.
std::string plain(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z')
            letters += static_cast<char>(c - 'A' + 'a');
        else if (c != ' ' && c != '-' && c != '_')
            letters += c;
    }
    for (const std::string_view maker : {"nvidia", "geforce", "tesla"})
        if (letters.size() > maker.size() && letters.starts_with(maker)) letters.erase(0, maker.size());
    return letters;
}

constexpr std::uint64_t kMostOfFile = 16 << 20;  // bytes: the longest known one has some ten thousand

bool is_device(const EmbeddedDevice& file) { return !file.name.starts_with("cc/"); }

struct KnownName {
    std::string plain;
    const EmbeddedDevice* device;
};

// Every name, alias and product that is known, worked out once.
const std::vector<KnownName>& known_names() {
    static const std::vector<KnownName> kNames = [] {
        std::vector<KnownName> names;
        for (const EmbeddedDevice& file : embedded_devices()) {
            if (!is_device(file)) continue;
            names.push_back({plain(file.name), &file});
            const auto device = parse_device(file.json, std::string(file.name));
            if (!device) continue;  // loading it says why
            names.push_back({plain(device->product), &file});
            for (const std::string& alias : device->aliases) names.push_back({plain(alias), &file});
        }
        return names;
    }();
    return kNames;
}

Diagnostic unknown(const std::string& name) {
    const std::vector<std::string> names = device_names();
    std::string known;
    for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
    const std::string near = nearest(plain(name), names);
    return error("device-unknown", {},
                 "there is no device \"" + name + "\"" + (near.empty() ? "" : "; did you mean " + near + "?"),
                 "known devices: " + known + "; or give a path to a .json file");
}

}  // namespace

const EmbeddedDevice* find_embedded_device(std::string_view name) {
    for (const EmbeddedDevice& file : embedded_devices())
        if (file.name == name) return &file;
    return nullptr;
}

std::vector<std::string> device_names() {
    std::vector<std::string> names;
    for (const EmbeddedDevice& file : embedded_devices())
        if (is_device(file)) names.emplace_back(file.name);
    std::sort(names.begin(), names.end());  // "a100" before "a100-80gb", which is not the order of their files
    return names;
}

Result<Device> load_device(const std::string& name_or_path) {
    const EmbeddedDevice* exact = find_embedded_device(name_or_path);
    if (exact != nullptr && is_device(*exact)) return parse_device(exact->json, name_or_path);
    const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
    if (!is_path) {
        const std::string wanted = plain(name_or_path);
        for (const KnownName& known : known_names())
            if (known.plain == wanted) return parse_device(known.device->json, std::string(known.device->name));
        return unknown(name_or_path);
    }
    std::string why;
    const auto text = read_input(name_or_path, kMostOfFile, why);
    if (!text) return error("device-unreadable", {name_or_path}, "cannot read this device file: " + why);
    return parse_device(*text, name_or_path);
}

}  // namespace tilescope::models
