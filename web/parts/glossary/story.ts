import { h } from "../base/dom";
import type { Story } from "../base/story";
import { glossaryList, glossaryOf, termed } from ".";

const glossary = glossaryOf([{ name: "warp", kind: "term", text: "32 threads that run together" }, { name: "bank conflict", also: ["conflict"], kind: "term", text: "two lanes want different words of one bank" }]);
export const stories: Story[] = [{ name: "glossary", draw: () => h("div", {}, h("p", {}, termed("A warp has bank conflicts; another warp has none.", glossary)), glossaryList(glossary)) }];
