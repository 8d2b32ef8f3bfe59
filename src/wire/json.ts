import type { Json, JsonObject } from "./exchange.ts";

/**
 * What is wrong with a text in place of JSON; undefined if nothing is. Names what JSON.parse accepts but nobody intends, too:
 * a name twice in an object, and an unpaired surrogate.
 */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    return `not JSON${placeText(text, error as Error)}`;
  }
  return ambiguity(text);
}

function ambiguity(text: string): string | undefined {
  const open: Set<string>[] = []; // the names in each object around; a list has none
  for (const [sign, string, colon] of text.matchAll(SIGNS)) {
    if (sign === "{" || sign === "[") open.push(new Set());
    if (sign === "}" || sign === "]") open.pop();
    if (string === undefined) continue;
    const value = JSON.parse(string) as string;
    if (/\p{Surrogate}/u.test(value)) return "invalid Unicode: unpaired surrogate";
    if (!colon) continue;
    if (open.at(-1)?.has(value)) return `duplicate key ${string}`;
    open.at(-1)?.add(value);
  }
  return undefined;
}

/** A string, with its colon if it is a name; or a bracket. */
const SIGNS = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[{}[\]]/g;

/** Place of an error of JSON.parse: ` (line 2, column 15)`; empty where Node does not tell it. */
function placeText(text: string, { message }: Error): string {
  const [, position = message.includes("end of JSON") ? text.length : undefined] = /position (\d+)/.exec(message) ?? [];
  if (position === undefined) return "";
  const lines = text.slice(0, Number(position)).split("\n");
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1})`;
}

/** True for a JSON object; false for arrays and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; none of anything else. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return itemsIn(value).filter(isObject);
}

/** The items of a list; none of anything else. */
export function itemsIn(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
