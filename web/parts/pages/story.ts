import type { Story } from "../base/story";
import { pages } from ".";

const moves = { faults: 12, refaults: 4, refaults_evicted: 0, host_faults: 3, to_device_bytes: 4e6, to_host_bytes: 2e6, prefetched_in_bytes: 0, prefetched_back_bytes: 0, evicted_bytes: 0, mapped_bytes: 0, device_stall_microseconds: 800, host_stall_microseconds: 20 };
export const stories: Story[] = [{ name: "pages", draw: () => pages({ managed_bytes: 4e6, touched_bytes: 4e6, resident_bytes: 4e6, room_bytes: 1e9, total: moves, trouble: "ping-pong", message: "pages go back and forth", launches: [{ launch: 0, moves }], left_out: 2 }, new Map([[0, "add(int*)"]])) }];
