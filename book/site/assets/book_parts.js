// Pictures that the page draws itself, of the data beside them: they fit its width and answer to a pointer. The picture
// that stands there before is for readers without scripts.
"use strict";
(() => {
    const data = [...document.querySelectorAll(".part-data")];
    if (data.length === 0) return;

    // The roofs that the kernels of the picture can meet, and no others.
    const roofline = (parts, { ceilings, slopes, kernels }) => {
        const shown = kernels.filter((kernel) => kernel.roofline);
        const types = new Set(shown.map((kernel) => kernel.roofline.type));
        const levels = new Set(["dram", ...shown.flatMap((kernel) => kernel.roofline.points.map((point) => point.level))]);
        return parts.roofline(shown.map((kernel) => ({ name: kernel.name, roofline: kernel.roofline, chosen: true })), {
            peaks: ceilings.filter((ceiling) => types.has(ceiling.type)),
            memory: slopes.filter((slope) => levels.has(slope.level)),
        });
    };
    const request = (access) => ({ lanes: access.lanes, element: access.element_bytes, array: access.array });
    // The pictures as they are asked for, and below them what a reader may try.
    const occupancy = (parts, { device, kernel, charts, table }) => {
        const all = document.createDocumentFragment(), use = { warps: Math.ceil(kernel.threads_per_block / table.warp), registers: kernel.registers_per_thread ?? 0, shared: kernel.static_shared_bytes + kernel.dynamic_shared_bytes };
        all.append(...charts.map((chart) => parts.chart(chart)), parts.occupancy([{ name: device, table }], use));
        return all;
    };
    const draw = (parts, found) => {
        if (found.kind === "banks") return parts.bankPicture(request(found));
        if (found.kind === "sectors") return parts.sectorPicture(request(found));
        if (found.kind === "chart") return parts.chart(found);
        if (found.trace) return parts.phases(found.trace);
        if (found.charts) return occupancy(parts, found);
        return roofline(parts, found);
    };

    const script = document.createElement("script");
    script.src = "assets/parts.js";
    script.addEventListener("load", () => {
        for (const each of data) {
            const found = JSON.parse(each.textContent), figure = each.closest("figure"), place = document.createElement("div");
            place.className = "part-place";
            place.append(draw(window.tilescopeParts, found));
            figure.querySelector(".scroll").replaceWith(place);
        }
    });
    document.head.append(script);
})();
