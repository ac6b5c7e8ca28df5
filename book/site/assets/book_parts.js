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
    const draw = (parts, found) => {
        if (found.kind === "banks") return parts.bankPicture(request(found));
        if (found.kind === "sectors") return parts.sectorPicture(request(found));
        if (found.kind === "chart") return parts.chart(found);
        if (found.trace) return parts.phases(found.trace);
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
