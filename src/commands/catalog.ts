import type { Catalog } from "../api/catalog.ts";
import { BtError } from "../errors.ts";
import type { Tracker } from "./context.ts";

/**
 * Uses the tracker's catalog. What a cached catalog refuses may have come to the tracker since, so the catalog is then
 * asked for anew, once, before the refusal stands.
 */
export async function withCatalog<Result>(
  tracker: Tracker,
  use: (catalog: Catalog) => Result | Promise<Result>,
): Promise<Result> {
  const catalog = await tracker.catalog();
  try {
    return await use(catalog);
  } catch (error) {
    const fresh = error instanceof BtError && error.kind === "usage" ? await tracker.freshCatalog() : undefined;
    if (!fresh) throw error;
    return use(fresh);
  }
}
