// What a request of a warp touches: sectors of global memory, wavefronts at the banks of shared memory. It counts
// addresses by the rules that were measured on hardware (docs/internals/rules/shared.md); a test holds the banks' rule to what
// cards counted for 2,086 patterns.

export const lineBytes = 128, sectorBytes = 32, wordBytes = 4, banks = 32, warpLanes = 32;

export type Lanes = (number | null)[]; // byte addresses; null: a lane that is not active

// Bytes that lanes ask for, each once.
function askedBytes(lanes: Lanes, width: number): Set<number> {
    const asked = new Set<number>();
    for (const address of lanes) {
        for (let byte = 0; address !== null && byte < width; ++byte) asked.add(address + byte);
    }
    return asked;
}

export interface Sectors {
    sectors: number[]; // address / 32, in order
    asked: Set<number>; // bytes
    ideal: number; // sectors that could hold what is asked for
}

export function sectorsOf(lanes: Lanes, width: number): Sectors {
    const asked = askedBytes(lanes, Math.max(1, width));
    const sectors = [...new Set([...asked].map((byte) => Math.floor(byte / sectorBytes)))].sort((a, b) => a - b);
    return { sectors, asked, ideal: Math.ceil(asked.size / sectorBytes) };
}

export interface Turn {
    word: number;
    lanes: number[];
}
// Lanes that go to the banks together: for each bank the words that its lanes want, in the order of the lanes.
export type Group = Turn[][];

const sharedAcross = (lanes: Lanes, bit: number): boolean =>
    lanes.every((address, lane) => {
        const other = lanes[lane ^ bit];
        return address === null || other === null || other === undefined || other === address;
    });

// Lanes go in groups of 32, 16 or 8 by their width; wide loads whose neighbours have one address go in groups twice as large.
function groupSize(lanes: Lanes, width: number, use: BankUse): number {
    if (width <= wordBytes) return warpLanes;
    const size = width <= 8 ? warpLanes / 2 : warpLanes / 4;
    return use === "load" && (sharedAcross(lanes, 1) || sharedAcross(lanes, 2)) ? 2 * size : size;
}

// Loads and stores share a word of one turn; of atomic operations each lane has a turn of its own.
export type BankUse = "load" | "store" | "atomic";

export function banksOf(lanes: Lanes, width: number, use: BankUse = "load"): Group[] {
    const size = groupSize(lanes, width, use);
    const groups: Group[] = [];
    for (let from = 0; from < warpLanes; from += size) {
        const group: Group = Array.from({ length: banks }, () => []);
        for (let lane = from; lane < Math.min(from + size, lanes.length); ++lane) {
            const address = lanes[lane];
            if (address === null || address === undefined) continue;
            for (let byte = 0; byte < Math.max(1, width); byte += wordBytes) {
                const word = Math.floor((address + byte) / wordBytes), turns = group[word % banks];
                const known = use === "atomic" ? undefined : turns?.find((turn) => turn.word === word);
                if (known) known.lanes.push(lane);
                else turns?.push({ word, lanes: [lane] });
            }
        }
        if (group.some((turns) => turns.length > 0)) groups.push(group);
    }
    return groups;
}

const busiest = (group: Group): number => Math.max(...group.map((turns) => turns.length));
export const wavefronts = (groups: Group[]): number => groups.reduce((sum, group) => sum + busiest(group), 0);

// A bank where lanes want different words, and the lanes that have to wait for each other.
export interface Collision {
    bank: number;
    turns: Turn[];
}
export function collisions(groups: Group[]): Collision[] {
    return groups.flatMap((group) => group.flatMap((turns, bank) => (turns.length > 1 ? [{ bank, turns }] : []))).sort((a, b) => b.turns.length - a.turns.length);
}

// A tile of shared memory and how a warp goes through it, to try other layouts.
export interface Tile {
    rows: number;
    columns: number;
    elementBytes: number;
    padding: number; // elements added to each row
    swizzle: boolean; // the column is stored at column XOR row
    along: "row" | "column"; // what neighbouring lanes walk along
}

export function tileLanes(tile: Tile): Lanes {
    const pitch = tile.columns + tile.padding;
    return Array.from({ length: warpLanes }, (_, lane) => {
        const row = tile.along === "row" ? Math.floor(lane / tile.columns) % tile.rows : lane % tile.rows;
        const column = tile.along === "row" ? lane % tile.columns : Math.floor(lane / tile.rows) % tile.columns;
        const stored = tile.swizzle ? (column ^ row) % tile.columns : column;
        return (row * pitch + stored) * tile.elementBytes;
    });
}
