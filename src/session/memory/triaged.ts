import type { FactStore } from "../../api/fact-store.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";

/** Name of the walks of `bt bug triage` in the cache of an account. */
export const TRIAGED = "triage";

const MAX_WALKS = 20;

/** Bugs that an unfinished walk over the same criteria has handled, with the time of their last change by then. */
export async function readTriaged(criteria: string, memory: FactStore): Promise<Map<number, string>> {
  const walk = (await readWalks(memory)).find((one) => one["criteria"] === criteria);
  const handled = Object.entries((walk?.["handled"] ?? {}) as JsonObject);
  return new Map(handled.map(([id, time]) => [Number(id), String(time)]));
}

/** Stores the handled bugs of a walk; removes a walk without any. */
export async function storeTriaged(
  criteria: string,
  handled: ReadonlyMap<number, string>,
  memory: FactStore,
): Promise<void> {
  const others = (await readWalks(memory)).filter((walk) => walk["criteria"] !== criteria);
  const walks = handled.size > 0 ? [{ criteria, handled: Object.fromEntries(handled) }, ...others] : others;
  await memory.write(TRIAGED, { walks: walks.slice(0, MAX_WALKS) });
}

async function readWalks(memory: FactStore): Promise<JsonObject[]> {
  return objectsIn((await memory.read(TRIAGED))?.["walks"]);
}
