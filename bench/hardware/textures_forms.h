// The forms of fetches that textures.cu runs. Included there.
#pragma once

inline std::vector<Form> all_forms() {
    std::vector<Form> forms;
    const auto add = [&](Form form) { forms.push_back(std::move(form)); };
    const char* const kModes[] = {"wrap", "clamp", "mirror", "border"};
    const struct {
        const char* name;
        char kind;
        int bits;
    } kFormats[] = {{"s8", 's', 8},   {"u8", 'u', 8},   {"s16", 's', 16}, {"u16", 'u', 16},
                    {"s32", 's', 32}, {"u32", 'u', 32}, {"f16", 'f', 16}, {"f32", 'f', 32}};
    // Texels as they are, and as numbers.
    for (const auto& format : kFormats)
        for (const int channels : {1, 2, 4}) {
            Form form{.name = std::string("point ") + format.name + "x" + std::to_string(channels),
                      .kind = format.kind,
                      .bits = format.bits,
                      .channels = channels,
                      .width = 64,
                      .height = 64};
            add(form);
            form.name += " border";
            form.mode = cudaAddressModeBorder;
            add(form);
            if (format.bits < 32 && format.kind != 'f') {
                form.reads_numbers = true;
                form.name = std::string("numbers ") + format.name + "x" + std::to_string(channels);
                add(form);
            }
            if (format.kind == 'f' || format.bits < 32) {
                form.linear = true;
                form.mode = cudaAddressModeClamp;
                form.reads_numbers = format.kind != 'f';
                form.name = std::string("linear ") + format.name + "x" + std::to_string(channels);
                add(form);
                form.mode = cudaAddressModeBorder;
                form.name += " border";
                add(form);
            }
        }
    for (const int channels : {1, 2, 4})
        for (const bool linear : {false, true})
            add({.name = std::string("srgb u8x") + std::to_string(channels) + (linear ? " linear" : ""),
                 .kind = 'u',
                 .bits = 8,
                 .channels = channels,
                 .width = 64,
                 .height = 64,
                 .linear = linear,
                 .reads_numbers = true,
                 .srgb = true});
    // Coordinates: every mode, sizes that are powers of two and not.
    for (int mode = 0; mode < 4; ++mode)
        for (const bool normalised : {false, true})
            for (const bool linear : {false, true}) {
                const std::string tail =
                    std::string(" ") + kModes[mode] + (normalised ? " normalised" : "") + (linear ? " linear" : "");
                const Form base{.mode = mode, .linear = linear, .normalised = normalised};
                const auto with = [&](const std::string& name, int geometry, int w, int h, int d) {
                    Form form = base;
                    form.name = name + tail;
                    form.geometry = geometry;
                    form.width = w;
                    form.height = h;
                    form.depth = d;
                    add(form);
                };
                with("1d 13", 1, 13, 1, 1);
                with("1d 16", 1, 16, 1, 1);
                with("1d 1000", 1, 1000, 1, 1);
                with("2d 13x7", 2, 13, 7, 1);
                with("2d 64x32", 2, 64, 32, 1);
                with("2d 1000x3", 2, 1000, 3, 1);
                with("3d 5x6x7", 3, 5, 6, 7);
                with("3d 8x16x4", 3, 8, 16, 4);
                with("1d layers 13x5", 11, 13, 1, 5);
                with("2d layers 13x7x5", 12, 13, 7, 5);
            }
    // Weights, one at a time: texels of one parity are 1, all others 0.
    for (const bool normalised : {false, true})
        for (int parity = 0; parity < 8; ++parity) {
            const std::string tail = std::string(normalised ? " normalised" : "") + " parity " + std::to_string(parity);
            Form form{.width = 16,
                      .height = 16,
                      .depth = 16,
                      .linear = true,
                      .normalised = normalised,
                      .content = kParity,
                      .parity = parity};
            form.geometry = 3;
            form.name = "weights 3d" + tail;
            add(form);
            form.depth = 1;
            form.geometry = 2;
            form.name = "weights 2d" + tail;
            if (parity < 4) add(form);
            form.geometry = 1;
            form.name = "weights 1d" + tail;
            if (parity < 2) add(form);
        }
    // Sums of numbers that differ much in size.
    for (const int geometry : {1, 2, 3})
        for (const int bits : {16, 32})
            for (const bool wide : {false, true})
                add({.name = std::string("sums ") + std::to_string(geometry) + "d f" + std::to_string(bits) +
                             (wide ? " wide" : ""),
                     .geometry = geometry,
                     .bits = bits,
                     .channels = 4,
                     .width = 32,
                     .height = geometry > 1 ? 32 : 1,
                     .depth = geometry > 2 ? 16 : 1,
                     .linear = true,
                     .content = wide ? kWide : kRandom});
    for (const auto& format : kFormats)
        if (format.bits < 32 && format.kind != 'f')
            for (const int geometry : {1, 3})
                add({.name = std::string("sums ") + std::to_string(geometry) + "d " + format.name,
                     .geometry = geometry,
                     .kind = format.kind,
                     .bits = format.bits,
                     .channels = 4,
                     .width = 32,
                     .height = geometry > 1 ? 32 : 1,
                     .depth = geometry > 2 ? 16 : 1,
                     .linear = true,
                     .reads_numbers = true});
    // Levels of detail.
    for (const int geometry : {1, 2, 3, 11, 12, 6})
        for (const How how : {kPlain, kLevel, kGrad}) {
            if (how == kGrad && (geometry == 11 || geometry == 12)) continue;
            for (const bool mip_linear : {false, true})
                for (const bool linear : {false, true}) {
                    Form form{.geometry = geometry,
                              .how = how,
                              .width = 32,
                              .height = geometry == 1 || geometry == 11 ? 1 : 32,
                              .depth = geometry == 3                      ? 8
                                       : geometry == 11 || geometry == 12 ? 3
                                       : geometry == 6                    ? 6
                                                                          : 1,
                              .levels = 6,
                              .linear = linear,
                              .normalised = true,
                              .mip_linear = mip_linear};
                    const std::string tail = std::string(how == kPlain   ? " plain"
                                                         : how == kLevel ? " level"
                                                                         : " grad") +
                                             (mip_linear ? " between" : "") + (linear ? " linear" : "");
                    form.name = "levels " + std::to_string(geometry) + tail;
                    add(form);
                    if (geometry != 2 || how == kPlain) continue;
                    form.name = "levels 2 biased" + tail;
                    form.bias = 0.8125f;
                    form.least = 0.4f;
                    form.most = 3.3f;
                    add(form);
                }
        }
    for (const How how : {kLevel, kGrad})
        for (const int geometry : {1, 2, 3})
            for (int level = 0; level < 6; ++level)
                add({.name = std::string(how == kLevel ? "which level " : "which grad ") + std::to_string(geometry) +
                             "d " + std::to_string(level),
                     .geometry = geometry,
                     .how = how,
                     .width = 32,
                     .height = geometry > 1 ? 32 : 1,
                     .depth = geometry > 2 ? 32 : 1,
                     .levels = 6,
                     .linear = true,
                     .normalised = true,
                     .mip_linear = true,
                     .content = kByLevel,
                     .parity = level});
    // Cubes.
    for (const int geometry : {6, 16})
        for (const bool linear : {false, true})
            for (const bool seamless : {false, true})
                for (const int mode : {cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeBorder})
                    add({.name = std::string(geometry == 6 ? "cube" : "cube layers") + (linear ? " linear" : "") +
                                 (seamless ? " seamless " : " ") + kModes[mode],
                         .geometry = geometry,
                         .width = 9,
                         .height = 9,
                         .depth = geometry == 6 ? 6 : 12,
                         .mode = mode,
                         .linear = linear,
                         .normalised = true,
                         .seamless = seamless});
    add({.name = "cube gather",
         .geometry = 6,
         .how = kGatherR,
         .width = 9,
         .height = 9,
         .depth = 6,
         .normalised = true});
    for (int parity = 0; parity < 4; ++parity)
        add({.name = "weights cube parity " + std::to_string(parity),
             .geometry = 6,
             .width = 16,
             .height = 16,
             .depth = 6,
             .linear = true,
             .normalised = true,
             .content = kParity,
             .parity = parity});
    // Gathers, offsets, whole coordinates.
    for (int mode = 0; mode < 4; ++mode)
        for (const bool normalised : {false, true}) {
            const std::string tail = std::string(" ") + kModes[mode] + (normalised ? " normalised" : "");
            add({.name = "gather r" + tail, .how = kGatherR, .mode = mode, .normalised = normalised});
            add({.name = "gather offset" + tail, .how = kGatherOffset, .mode = mode, .normalised = normalised});
            for (const bool linear : {false, true})
                for (const int geometry : {1, 2, 3})
                    add({.name = "offset " + std::to_string(geometry) + "d" + tail + (linear ? " linear" : ""),
                         .geometry = geometry,
                         .how = kOffset,
                         .height = geometry > 1 ? 7 : 1,
                         .depth = geometry > 2 ? 5 : 1,
                         .mode = mode,
                         .linear = linear,
                         .normalised = normalised});
        }
    for (const How how : {kGatherR, kGatherG, kGatherB, kGatherA}) {
        add({.name = "gather f32x4 " + std::to_string(how - kGatherR), .how = how, .channels = 4});
        add({.name = "gather s8x4 " + std::to_string(how - kGatherR),
             .how = how,
             .kind = 's',
             .bits = 8,
             .channels = 4});
        add({.name = "gather u8x4 numbers " + std::to_string(how - kGatherR),
             .how = how,
             .kind = 'u',
             .bits = 8,
             .channels = 4,
             .linear = true,
             .reads_numbers = true});
    }
    add({.name = "gather layers", .geometry = 12, .how = kGatherR, .depth = 3});
    for (const int mode : {cudaAddressModeClamp, cudaAddressModeBorder})
        for (const int geometry : {1, 2, 3, 11, 12})
            add({.name = "whole " + std::to_string(geometry) + " " + kModes[mode],
                 .geometry = geometry,
                 .how = kWhole,
                 .height = geometry == 1 || geometry == 11 ? 1 : 7,
                 .depth = geometry == 2 || geometry == 1 ? 1 : 4,
                 .mode = mode});
    add({.name = "whole level", .how = kWholeLevel, .width = 32, .height = 32, .levels = 6});
    // Memory of the program's own.
    for (const auto& format : kFormats) {
        add({.name = std::string("flat ") + format.name,
             .geometry = 1,
             .how = kWhole,
             .kind = format.kind,
             .bits = format.bits,
             .width = 700,
             .height = 1,
             .flat = true});
        add({.name = std::string("flat float ") + format.name,
             .geometry = 1,
             .kind = format.kind,
             .bits = format.bits,
             .width = 700,
             .height = 1,
             .flat = true});
        add({.name = std::string("pitched ") + format.name,
             .kind = format.kind,
             .bits = format.bits,
             .channels = 2,
             .pitched = true});
    }
    add({.name = "flat u8 numbers",
         .geometry = 1,
         .how = kWhole,
         .kind = 'u',
         .bits = 8,
         .channels = 4,
         .width = 700,
         .height = 1,
         .reads_numbers = true,
         .flat = true});
    for (int mode = 0; mode < 4; ++mode)
        for (const bool normalised : {false, true})
            add({.name = std::string("pitched linear ") + kModes[mode] + (normalised ? " normalised" : ""),
                 .mode = mode,
                 .linear = true,
                 .normalised = normalised,
                 .pitched = true});
    return forms;
}
