// Any bytes as a device file: a device or an error. A device that loads must load again from the file that it prints
// as, and a replay of its caches must come to its end.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "scope/models/device.h"
#include "scope/observers/hierarchy/replay.h"
#include "scope/session/launch/cache_figures.h"

namespace {

// A few blocks of two warps, of which each reads a line and writes one, and waits in between.
void replay_on(const tilescope::models::Device& device) {
    using namespace tilescope::observers;
    constexpr std::uint64_t kBlocks = 40, kSmallL2 = 1 << 20;
    constexpr std::uint32_t kWarps = 2;
    tilescope::machine::LaunchShape shape;
    shape.block[0] = kWarps * tilescope::machine::kWarpSize;
    auto rules = tilescope::cache_figures(device, shape, 1, std::nullopt);
    if (!rules) return;
    rules->l2.bytes = std::min(rules->l2.bytes, kSmallL2);  // its size is time alone, of an L2 to make
    Replay replay(*rules, kBlocks, 1, std::make_shared<SecondLevel>(*rules));
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
        BlockTraffic traffic;
        traffic.block = block;
        traffic.words.push_back(0);
        for (const RequestKind kind : {RequestKind::kLoad, RequestKind::kStore}) {
            Shape one;
            one.kind = kind;
            one.pieces = 1;
            const auto at = static_cast<std::uint32_t>(traffic.words.size());
            traffic.words.push_back(one.packed());
            traffic.words.push_back(Piece{0, 15, 15}.packed());
            for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
                Request request;
                request.line = block / 2 * kWarps + warp;
                request.shape = at;
                request.warp = warp;
                request.waits = 1;
                traffic.requests.push_back(request);
            }
        }
        replay.deliver(std::move(traffic));
    }
    if (!replay.is_complete()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope::models;
    const auto device = parse_device({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!device) return 0;
    const std::string file = device_file(*device);
    const auto again = parse_device(file, "again.json");
    if (!again || device_file(*again) != file) std::abort();
    replay_on(*device);
    return 0;
}
