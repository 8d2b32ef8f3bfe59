import { Fault, faults } from "../fault.ts";
import type { Asking } from "./asking.ts";
import type { Values } from "./parameters/values.ts";

/** Which part of what was found is answered. */
export type Page = { readonly limit: number; readonly offset: number };

/**
 * Reads `limit` and `offset`. No limit, 0, what is no number, and more than the administrator's maximum all mean that
 * maximum; without a limit that counts there is no offset.
 */
export function readPage({ ignore, parameters }: Asking, values: Values): Page {
  const maximum = Number(parameters.max_search_results);
  const given = values.get("limit");
  const offset = values.get("offset");
  if (!given && offset) {
    throw new Fault(400, 50, "The function Bug.search() requires a limit argument, and that argument was not set.");
  }
  const [text = "", second] = given ?? [];
  const limit = second === undefined ? Number.parseFloat(text) : Number.POSITIVE_INFINITY;
  if (given && Number.isNaN(limit)) ignore("limit", "it is no number");
  if (!given || Number.isNaN(limit) || limit === 0) return { limit: maximum, offset: 0 };
  if (limit <= maximum && !isNatural(text)) throw faults.notANumber("limit passed to Bugzilla::Search::new");
  return { limit: Math.min(limit, maximum), offset: readOffset(offset) };
}

function readOffset(given: readonly string[] | undefined): number {
  const text = given?.join(",").trim() ?? "";
  if (text !== "" && !isNatural(text)) throw faults.notANumber("offset passed to Bugzilla::Search::new");
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function isNatural(text: string): boolean {
  return /^\d+$/.test(text.trim());
}
