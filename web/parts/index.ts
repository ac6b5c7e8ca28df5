// All parts, for pages other than the report: each takes data and gives an element.
import "./base/parts.css";
export * from "./access";
export { compare } from "./compare";
export { buffers, flow, misses } from "./flow";
export { glossaryList, glossaryOf, termed } from "./glossary";
export { hazards } from "./hazards";
export { kernelHeadline, programHeadline } from "./headline";
export { occupancy } from "./occupancy";
export { fit } from "./occupancy/table";
export { pages } from "./pages";
export { phases } from "./phases";
export { roofline, rooflineOn } from "./roofline";
export { rowsOf } from "./rows";
export { source } from "./source";
export { timeLine } from "./time_line";
export { timeStack } from "./time_stack";
export { trust } from "./trust";
export { variables } from "./variables";
