import type { Json, JsonObject } from "../../wire/exchange.ts";
import { bugNumber } from "../bug-plan.ts";
import type { Ask } from "../operation.ts";
import type { Parameter } from "../parameter.ts";
import { isObject } from "../read.ts";
import { CREATE_BUG_MORE, UPDATE_BUG } from "../write-bugs.ts";

/**
 * The body of a write with every other bug that it names (dependencies, the bug that it duplicates) by its number, which is what
 * is journaled and sent: an alias may name another bug by the time a write is resumed.
 */
export async function withBugNumbers(body: JsonObject, ask: Ask): Promise<JsonObject> {
  const entries: (readonly [string, Json])[] = [];
  for (const [name, value] of Object.entries(body)) {
    entries.push([name, NAMES_BUGS.has(name) ? await numbered(value, ask) : value]);
  }
  return Object.fromEntries(entries);
}

const NAMES_BUGS: ReadonlySet<string> = new Set(
  [...UPDATE_BUG.parameters, ...CREATE_BUG_MORE].filter(namesBugs).map(({ name }) => name),
);

function namesBugs({ kind, of }: Parameter): boolean {
  return kind === "bug" || kind === "bugs" || of === "bugs";
}

async function numbered(value: Json, ask: Ask): Promise<Json> {
  if (typeof value === "string") return bugNumber(value, ask);
  if (Array.isArray(value)) return Promise.all((value as readonly Json[]).map((item) => numbered(item, ask)));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(async ([name, part]) => [name, await numbered(part, ask)] as const);
  return Object.fromEntries(await Promise.all(parts));
}
