import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Call } from "./call.ts";
import { faults } from "./fault.ts";

/** The values of a list parameter that may be one value or several, as text; nothing when it is not given. */
export function texts(input: JsonObject, name: string): readonly string[] {
  const value = input[name];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item: Json) => text(item, name));
}

/** One value as text: the last of several would be a guess, so the first is taken, as the recorded server does. */
export function firstText(input: JsonObject, name: string): string | undefined {
  return texts(input, name)[0];
}

/** Whether a switch was given and is on: in a query everything but "" and "0", in a body everything that is true. */
export function isGiven(input: JsonObject, name: string): boolean {
  const value = input[name];
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0 && value !== "0";
}

function text(value: Json, name: string): string {
  if (value !== null && typeof value === "object") {
    throw faults.wrongShape(name, "a text or a number, or a list of them");
  }
  return value === true ? "1" : String(value ?? "");
}

/** What a request names: numbers in `ids`, names in `names`, and the path part `id_or_name` as the one or the other. */
export function idsAndNames({ path, input }: Pick<Call, "path" | "input">): Named {
  const part = path["id_or_name"];
  const isId = part !== undefined && /^\d+$/.test(part);
  return {
    ids: [...(isId ? [part] : []), ...texts(input, "ids")],
    names: [...(isId || part === undefined ? [] : [part]), ...texts(input, "names")],
  };
}

/** Things named by id and by name, as they were given. */
export type Named = { readonly ids: readonly string[]; readonly names: readonly string[] };
