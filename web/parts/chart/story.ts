import type { Story } from "../base/story";
import { chart } from ".";

export const stories: Story[] = [{ name: "chart", draw: () => chart({ title: "Sectors by stride", subtitle: "", x: { title: "stride", logarithmic: true, least: 1, most: 16 }, y: { title: "sectors a request", logarithmic: false, least: 0, most: 35 },
    curves: [{ name: "sectors", points: [[1, 4], [2, 8], [4, 16], [8, 32], [16, 32]], stepped: false, strong: true }, { name: "least", points: [[1, 4], [16, 4]], stepped: true, strong: false }], marks: [{ name: "four", x: 4, y: 16, strong: false }], notes: ["a note"] }) }];
