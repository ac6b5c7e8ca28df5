import type { Story } from "../base/story";
import { variables } from ".";

export const stories: Story[] = [{ name: "variables", draw: () => variables([{ name: "tile", space: "shared", bytes: 4096, versions: 1024, scope: "block", lifetime: "grid", extents: [32, 32] }, { name: "registers", space: "register", bytes: 48, versions: 1048576, scope: "thread", lifetime: "grid" }]) }];
