import type { Story } from "../base/story";
import { timeLine } from ".";

export const stories: Story[] = [
    { name: "time-line", draw: () => timeLine([
        { kind: "copy", lane: "HtoD", stream: 1, name: "copy HtoD, pinned", bytes: 4096, begin: 0, microseconds: 50 }, { kind: "kernel", lane: "compute", stream: 1, name: "scale(float*)", launch: 0, begin: 50, microseconds: 20 },
        { kind: "kernel", lane: "compute", stream: 2, name: "add(float*)", launch: 1, begin: 60, microseconds: 20 }, { kind: "wait", lane: "host", stream: 0, name: "cudaDeviceSynchronize", begin: 0, microseconds: 100 }],
        (launch) => document.body.setAttribute("data-opened", String(launch)), 2, 1653) },
];
