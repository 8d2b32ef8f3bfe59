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
  return withLazyCatalog(tracker, async (catalog) => use(await catalog()));
}

/** The same for what may do without the catalog, which is then not loaded. */
export async function withLazyCatalog<Result>(
  tracker: Tracker,
  use: (catalog: () => Promise<Catalog>) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(tracker.catalog);
  } catch (error) {
    const fresh = error instanceof BtError && error.kind === "usage" ? await tracker.freshCatalog() : undefined;
    if (!fresh) throw error;
    return use(async () => fresh);
  }
}
