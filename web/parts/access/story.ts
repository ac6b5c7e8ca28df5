import type { Story } from "../base/story";
import { accesses, bankPicture, bankTrial, sectorPicture, texelPicture, type Lanes } from ".";

const lanes = (address: (lane: number) => number | null): Lanes => Array.from({ length: 32 }, (_, lane) => address(lane));

export const stories: Story[] = [
    { name: "sectors-side-by-side", draw: () => sectorPicture({ lanes: lanes((lane) => lane * 4), element: 4, array: "in" }) },
    { name: "sectors-strided", draw: () => sectorPicture({ lanes: lanes((lane) => lane * 4096), element: 4, array: "out" }) },
    { name: "sectors-half", draw: () => sectorPicture({ lanes: lanes((lane) => (lane < 16 ? 12 + lane * 4 : null)), element: 4 }) },
    { name: "texels-turned", draw: () => texelPicture({ memory: "array", lanesOfRequest: 4, element: 4, units: 16, ideal: 8, texels: Array.from({ length: 32 }, (_, lane) => [Math.floor(lane / 4), 100 + Math.round(lane * 0.8), 40 + Math.round(lane * 0.6), 0]) }) },
    { name: "texels-column", draw: () => texelPicture({ memory: "rows", lanesOfRequest: 4, element: 4, units: 32, ideal: 8, texels: Array.from({ length: 32 }, (_, lane) => [Math.floor(lane / 4), 7, lane, 0]) }) },
    { name: "banks-column", draw: () => bankPicture({ lanes: lanes((lane) => lane * 128), element: 4, array: "tile" }) },
    { name: "banks-padded", draw: () => bankPicture({ lanes: lanes((lane) => lane * 132), element: 4, array: "tile" }) },
    { name: "banks-wide", draw: () => bankPicture({ lanes: lanes((lane) => lane * 16), element: 16 }) },
    { name: "banks-trial", draw: () => bankTrial() },
    { name: "accesses", draw: () => accesses([
        { file: "a.cu", line: 3, banks: false, kind: "load", which: "best", requests: 10, of: 100, units: 4, ideal: 4, element_bytes: 4, array: "in", lanes: lanes((lane) => lane * 4) },
        { file: "a.cu", line: 3, banks: false, kind: "load", which: "worst", requests: 90, of: 100, units: 8, ideal: 4, element_bytes: 4, array: "in", lanes: lanes((lane) => lane * 8) }]) },
    // One line that loads twice of one array.
    { name: "accesses-twice", draw: () => accesses([0, 1].flatMap((access) => [
        { file: "a.cu", line: 3, access, banks: false, kind: "load", which: "best", requests: 10, of: 100, units: 4, ideal: 4, element_bytes: 4, array: "in", lanes: lanes((lane) => lane * 4) },
        { file: "a.cu", line: 3, access, banks: false, kind: "load", which: "typical", requests: 90, of: 100, units: 8 + 8 * access, ideal: 4, element_bytes: 4, array: "in", lanes: lanes((lane) => lane * (8 + 8 * access)) }])) },
];
