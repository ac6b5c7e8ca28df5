// Where a request of a warp goes: sectors of global memory or banks of shared memory, as recorded from a run.
import "./access.css";
import { h } from "../base/dom";
import { percent, thousands } from "../base/format";
import type { Access } from "../base/types";
import { bankPicture, bankTrial } from "./bank_picture";
import { banksOf, wavefronts, type BankUse } from "./layout";
import { sectorPicture } from "./sectors";
import { texelPicture } from "./texels";

export { bankPicture, bankTrial } from "./bank_picture";
export { sectorPicture } from "./sectors";
export { texelPicture } from "./texels";
export * from "./layout";

const titleOf = (access: Access): string => access.texels ? `texels: ${access.kind} of ${access.memory === "surface" ? "a surface" : "a texture"}` : `${access.banks ? "banks" : "sectors"}: ${access.kind}${access.array ? ` of ${access.array}` : ""}`;

// Atomic operations that add one to a word share its turn as stores do, others do not: the program's count tells which.
function useOf(access: Access): BankUse {
    if (access.kind === "load" || access.kind === "store") return access.kind;
    return wavefronts(banksOf(access.lanes, access.element_bytes, "store")) === access.units ? "store" : access.kind === "atomic" ? "atomic" : "store";
}

function one(access: Access): HTMLElement {
    const drawn = access.texels ? texelPicture({ memory: access.memory ?? "", lanesOfRequest: access.lanes_of_request ?? 1, element: access.element_bytes, texels: access.texels, units: access.units, ideal: access.ideal }) : access.banks ? bankPicture({ lanes: access.lanes, element: access.element_bytes, array: access.array, use: useOf(access), units: access.units }) : sectorPicture({ lanes: access.lanes, element: access.element_bytes, array: access.array });
    return h("div", {}, h("p", { class: "quiet small" }, `A ${access.which} request of this line: ${thousands(access.requests)} of ${thousands(access.of)}${access.of > 0 ? ` (${percent(access.requests / access.of)})` : ""} take ${access.units} ${access.banks ? (access.units === 1 ? "wavefront" : "wavefronts") : (access.units === 1 ? "sector" : "sectors")}.`), drawn);
}

// All requests that were kept of a line: a tab for each kind of access, a choice of best, typical and worst.
export function accesses(all: Access[]): HTMLElement {
    const node = h("div", { class: "part part-accesses" });
    // A line may load one array several times: each access has its own best and worst.
    const keyOf = (access: Access) => `${titleOf(access)} ${access.access ?? 0}`;
    // What is furthest from its ideal comes first.
    const trouble = (key: string) => Math.max(...all.filter((access) => keyOf(access) === key).map((access) => access.units / Math.max(1, access.ideal)));
    const keys = [...new Set(all.map(keyOf))].sort((a, b) => trouble(b) - trouble(a));
    for (const key of keys) {
        const own = all.filter((access) => keyOf(access) === key), title = titleOf(own[0] as Access);
        const alike = [...new Set(all.filter((access) => titleOf(access) === title).map((access) => access.access ?? 0))].sort((a, b) => a - b);
        const kind = alike.length > 1 ? `${title}, access ${alike.indexOf(own[0]?.access ?? 0) + 1} of ${alike.length} in this line` : title;
        const order = ["best", "typical", "worst"];
        own.sort((a, b) => order.indexOf(a.which) - order.indexOf(b.which));
        const view = h("div", {});
        const buttons = own.map((access) => h("button", { type: "button", "aria-pressed": "false", "data-which": access.which, click: () => choose(access) }, access.which));
        const choose = (access: Access) => {
            own.forEach((each, at) => buttons[at]?.setAttribute("aria-pressed", String(each === access)));
            view.replaceChildren(one(access));
        };
        const start = own.find((access) => access.which === "typical") ?? own[0];
        if (start) choose(start);
        node.append(h("h5", {}, kind), own.length > 1 ? h("div", { class: "controls" }, buttons) : "", view);
        const banked = own.find((access) => access.banks);
        if (banked) node.append(h("details", {}, h("summary", {}, "Try another layout: padding or a swizzle"), bankTrial({ elementBytes: [4, 8, 16].includes(banked.element_bytes) ? banked.element_bytes : 4 })));
    }
    return node;
}
