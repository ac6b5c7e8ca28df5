import type { Story } from "../base/story";
import { trust } from ".";

export const stories: Story[] = [{ name: "trust", draw: () => trust([{ kind: "words", key: "exact", label: "exact", text: "requests and sectors", source: "counted" }, { kind: "list", key: "card", label: "the card", text: "what its figures rest on:", values: [{ name: "figures", value: 3, text: "3 measured" }], source: "modelled" }], ["12 of 500 launches"]) }];
