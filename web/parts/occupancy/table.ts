// Blocks that an SM holds, looked up in the tables that the program wrote: no rule of the device stands here.
import type { OccupancyTable } from "../base/types";

export interface Use {
    warps: number; // of a block
    registers: number; // of a thread; 0: they do not limit
    shared: number; // bytes of a block
    barriers?: number; // of a block
}
export interface Fit {
    blocks: number;
    warps: number;
    occupancy: number;
    limiters: string[];
}

const unlimited = Number.POSITIVE_INFINITY;
// null in a table is no limit; what a table does not have does not fit.
const blocksOf = (entry: number | null | undefined): number => (entry === null ? unlimited : (entry ?? 0));

export function fit(table: OccupancyTable, use: Use): Fit {
    const registers = table.registers.find((entry) => entry.most >= use.registers);
    const shared = table.shared.find((entry) => entry.most >= use.shared);
    const by: Record<string, number> = {
        threads: blocksOf(table.threads[use.warps - 1]),
        blocks: blocksOf(table.by_blocks),
        registers: use.registers === 0 ? unlimited : blocksOf(registers?.blocks[use.warps - 1]),
        shared: blocksOf(shared?.blocks),
        barriers: table.barriers === undefined || !use.barriers ? unlimited : Math.floor(table.barriers / use.barriers),
    };
    const blocks = Math.min(...Object.values(by));
    return {
        blocks,
        warps: blocks * use.warps,
        occupancy: (blocks * use.warps) / table.max_warps_per_sm,
        limiters: Object.keys(by).filter((name) => by[name] === blocks),
    };
}
