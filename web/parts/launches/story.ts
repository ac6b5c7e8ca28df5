import type { Story } from "../base/story";
import { launches } from ".";

export const stories: Story[] = [{ name: "launches", draw: () => launches({ total: 5, kernels: ["a(int)", "b(int)"], rows: [{ index: 0, kernel: 0, entry: 0, grid: [2, 2, 1], block: [32, 1, 1], microseconds: 5, bound: "l1" }, { index: 1, kernel: 1, grid: [1, 1, 1], block: [64, 1, 1], stream: 3 }] }, [{ name: "l1", label: "L1/shared", kind: "memory" }], (launch) => document.body.setAttribute("data-opened", String(launch))) }];
