import type { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { findMissingBugs } from "../bugs/bug-numbers.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { findUnknownNames } from "../names.ts";
import type { SendRequest } from "../operations/operation.ts";

/**
 * The error of each body that names a login, a group that it adds, or a bug that does not exist, where the tracker's own refusal
 * would come too late: in previews, and where several bugs are changed.
 */
export async function findWrongReferences(
  bodies: JsonObject[],
  catalog: Catalog,
  send: SendRequest,
): Promise<(BtError | undefined)[]> {
  const unknown = await findUnknownNames(bodies, catalog, send);
  const missing = await findMissingBugs(bodies, send);
  return bodies.map((_, at) => unknown[at] ?? missing[at]);
}

/** @throws BtError of kind usage for a login, group or bug that a body names and that does not exist */
export async function checkReferences(bodies: JsonObject[], catalog: Catalog, send: SendRequest): Promise<void> {
  for (const error of await findWrongReferences(bodies, catalog, send)) if (error) throw error;
}
