import { type Condition, row } from "../condition.ts";
import { oneText, type Values } from "./values.ts";

/** The conditions of `deadlinefrom` and `deadlineto`, both inclusive. */
export function deadlineConditions(values: Values): readonly Condition[] {
  return ENDS.flatMap(([parameter, operator]) => {
    const day = oneText(values, parameter);
    return day === "" ? [] : [row("deadline", operator, day)];
  });
}

const ENDS = [
  ["deadlinefrom", "greaterthaneq"],
  ["deadlineto", "lessthaneq"],
] as const;
