import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Changes } from "../../wire/history.ts";
import { sameValue } from "../delivery/standing.ts";
import { isObject } from "../read.ts";

/**
 * What an update replaced that was not there when the thing was read, one line a field with both versions: the response reports
 * what the update removed. A list is compared by the items that came or went. Fields that were not read, and times, which
 * servers report in their own zone, are not judged.
 */
export function overwritten(changes: Changes, before: JsonObject): readonly string[] {
  return Object.entries(changes).flatMap(([field, sides]) => {
    const known = field === FLAGS ? flagNames(before["flags"]) : before[field];
    if (known === undefined) return [];
    const then = Array.isArray(known) ? listThen(known, sides, field) : valueThen(known, sides);
    return then === undefined ? [] : [`${field} was ${then}`];
  });
}

const FLAGS = "flagtypes.name";

type Sides = Changes[string];

function valueThen(known: Json, { removed, added }: Sides): string | undefined {
  const isEqual = typeof known === "number" && removed ? Number(removed) === known : sameValue(known, removed);
  if (isEqual || MOMENT.test(String(known))) return undefined;
  return `"${removed ?? ""}" by then, not "${shown(known)}"; it is "${added ?? ""}" now`;
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** The list as it was when the update changed it; undefined when it was as known. A flag may be set twice. */
function listThen(list: readonly Json[], { removed, added }: Sides, field: string): string | undefined {
  const known = list.map(String);
  const has = (item: string) => known.some((one) => one.toLowerCase() === item.toLowerCase());
  const came = items(removed, known).filter((item) => !has(item));
  const left = field === FLAGS ? [] : items(added, known).filter(has);
  if (came.length + left.length === 0) return undefined;
  const isLeft = (item: string) => left.some((one) => one.toLowerCase() === item.toLowerCase());
  return `"${[...known.filter((item) => !isLeft(item)), ...came].join(", ")}" by then, not "${known.join(", ")}"`;
}

/** Takes a joined list apart; a known item that holds a comma is kept whole. */
function items(text: string | null, known: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let rest = text ?? ""; rest !== ""; rest = rest.slice((found.at(-1) ?? "").length).replace(/^, ?/, "")) {
    const whole = known.filter((item) => item !== "" && (rest === item || rest.startsWith(`${item}, `)));
    found.push(whole.toSorted((one, other) => other.length - one.length)[0] ?? rest.split(/, ?/, 1)[0] ?? rest);
    if (found.at(-1) === "") break;
  }
  return found.map((item) => (/^[^()]*[?+-]\(/.test(item) ? item.replace(/\(.*/, "") : item));
}

/** The flags of a bug as changes report them, without the person who was asked. */
function flagNames(flags: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(flags)) return undefined;
  return flags.filter(isObject).map(({ name, status }) => `${name}${status}`);
}

function shown(known: Json): string {
  if (typeof known === "boolean") return known ? "1" : "0";
  return String(known ?? "");
}
