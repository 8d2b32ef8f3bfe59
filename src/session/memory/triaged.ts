import type { FactStore } from "../../api/fact-store.ts";
import type { JsonObject } from "../../wire/exchange.ts";

/** Name of the walks of `bt bug triage` in the cache of an account. */
export const TRIAGED = "triage";

/** Bugs that were handled in a walk over the bugs that match criteria. */
type TriageWalk = { criteria: string; handled: number[] };

const MAX_WALKS = 20;

/** Bugs that an unfinished walk over the same criteria has handled. */
export async function readTriaged(criteria: string, memory: FactStore): Promise<number[]> {
  return (await readWalks(memory)).find((walk) => walk.criteria === criteria)?.handled ?? [];
}

/** Stores the handled bugs of a walk; removes a walk without any. */
export async function storeTriaged({ criteria, handled }: TriageWalk, memory: FactStore): Promise<void> {
  const others = (await readWalks(memory)).filter((walk) => walk.criteria !== criteria);
  const walks = handled.length > 0 ? [{ criteria, handled }, ...others] : others;
  await memory.write(TRIAGED, { walks: walks.slice(0, MAX_WALKS) });
}

async function readWalks(memory: FactStore): Promise<TriageWalk[]> {
  const { walks } = ((await memory.read(TRIAGED)) ?? {}) as JsonObject;
  return Array.isArray(walks) ? (walks as TriageWalk[]).filter(isWalk) : [];
}

function isWalk(walk: Partial<TriageWalk> | null): boolean {
  return typeof walk?.criteria === "string" && Array.isArray(walk.handled);
}
