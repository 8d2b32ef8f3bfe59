import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Change } from "../../wire/history.ts";
import { isObject } from "../read.ts";
import { openWishes } from "./standing.ts";

/**
 * Whether rows of a bug's history are the traces of an update with this body: every wish that was open before it must have
 * left one. Other rows of the same fields are the work of another program with the same login. Servers join the rows of one
 * second, so that a value may stand among others.
 */
export function areTraces(rows: readonly Change[], body: JsonObject, before?: JsonObject): boolean {
  return openWishes(body, before).every(([name, wish]) => {
    const own = rows.filter(({ field_name }) => field_name === (FIELD_NAMES[name] ?? name));
    return name === "flags" ? flagTraces(own, wish) : own.some((row) => isTrace(row, name, wish));
  });
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  flags: "flagtypes.name",
  reset_assigned_to: "assigned_to",
  reset_qa_contact: "qa_contact",
};

/** Of a list, a row shows only what was not there, or was; where all of it is wished for, any row of the field will do. */
function isTrace({ added, removed }: Change, name: string, wish: Json): boolean {
  if (isObject(wish) && wish["set"] === undefined) {
    return (
      items(wish["add"]).some((item) => has(added, item)) || items(wish["remove"]).some((item) => has(removed, item))
    );
  }
  return isObject(wish) || Array.isArray(wish) || name.startsWith("reset_") || has(added, wish);
}

/** A flag is named with its status when it came, and by its name alone in a wish that takes it away. */
function flagTraces(rows: readonly Change[], wishes: Json): boolean {
  return items(wishes)
    .filter(isObject)
    .every(({ name, status }) =>
      rows.some(({ added, removed }) =>
        status === "X" ? removed.includes(String(name ?? "")) : added.includes(`${name ?? ""}${status}`),
      ),
    );
}

function has(shown: string, item: Json): boolean {
  const [whole, text] = [plain(shown), plain(item)];
  return whole === text || (text !== "" && (isAmong(whole, text) || Number(whole) === Number(text)));
}

/** Whether a text stands in another with only blanks, commas or its ends beside it. */
function isAmong(whole: string, text: string): boolean {
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    if (/^$|[\s,]$/.test(whole.slice(0, at)) && /^$|^[\s,]/.test(whole.slice(at + text.length))) return true;
  }
  return false;
}

function items(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function plain(value: Json): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  return value === null ? "" : String(value).replace(/\s+/g, " ").trim().toLowerCase();
}
